"""The sample's ids and labels against real data, where both have them."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest

from everwhen.sample.load import sample_world

RENAMED = {
    "Q30": "United States of America",
    "Q989": "John Paul II",
    "Q1005": "The Gambia",
    "Q1874": "Odessa",
    "Q2494": "Benedict XVI",
    "Q2841": "Bogota",
    "Q130232": "drama",
    "Q132345": "Shinzō Abe",
    "Q182865": "Afghanistan War",
    "Q191954": "President of the French Republic",
    "Q190572": "Vicente Fox Quesada",
    "Q450675": "Francis",
    "Q1054799": "President of the Republic of Poland",
    "Q4970706": "Federal Chancellor of Germany",
}
"""Items whose label was another one when the real data was taken, with that label."""
OTHER_SPELLING = {
    *("Q40758", "Q42037", "Q42267", "Q47774", "Q79800"),
    *("Q82019", "Q83459", "Q160082", "Q373655", "Q1209169", "Q1634613"),
}
"""Items that the list of ids has under a label that is spelt otherwise."""
UNKNOWN = 67
"""How many items the list of ids does not have, air accidents above all; other public data had them."""


@pytest.fixture(scope="module")
def real_labels(shared_data: Path) -> dict[str, set[str]]:
    """English labels by item id, from all dump files."""
    labels: dict[str, set[str]] = {}
    # The enriched dump has labels from lists that others made, and not Wikidata's own.
    dumps = [path for path in (shared_data / "wikidata").glob("*.json.bz2") if "enriched" not in path.name]
    for path in sorted(dumps):
        for line in bz2.decompress(path.read_bytes()).decode().splitlines():
            text = line.strip().rstrip(",")
            if text in ("[", "]", ""):
                continue
            entity = json.loads(text)
            label = entity.get("labels") and entity["labels"].get("en")
            if label and entity["id"].startswith("Q"):
                labels.setdefault(entity["id"], set()).add(label["value"])
    return labels


@pytest.mark.full
def test_labels_are_those_of_the_real_items(real_labels: dict[str, set[str]]) -> None:
    both = {f"Q{i.id}": i.label for i in sample_world().items.values() if f"Q{i.id}" in real_labels}
    assert len(both) >= 400
    differing = {
        item: (label, real_labels[item])
        for item, label in both.items()
        if not {label.casefold(), RENAMED.get(item, label).casefold()} & {real.casefold() for real in real_labels[item]}
    }
    assert differing == {}


@pytest.mark.full
def test_the_list_of_ids_has_the_labels(shared_data: Path) -> None:
    known: dict[str, set[str]] = {}
    for name in ("ids.tsv.gz", "dated-items.tsv.gz"):
        with gzip.open(shared_data / "ids" / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                item, label = line.split("\t", 2)[:2]
                known.setdefault(item, set()).add(label.casefold())
    labels = {f"Q{i.id}": i.label for i in sample_world().items.values()}
    differing = {i for i, label in labels.items() if i in known and label.casefold() not in known[i]}
    assert differing == OTHER_SPELLING
    assert len(set(labels) - set(known)) <= UNKNOWN
