"""The sample's ids and labels against real data, where both have them."""

from __future__ import annotations

import bz2
import json
from pathlib import Path

import pytest

from everwhen.sample.load import sample_world

RENAMED = {"Q130232": "drama", "Q182865": "Afghanistan War", "Q190572": "Vicente Fox Quesada"}
"""Items whose label was another one when the real data was taken, with that label."""


@pytest.fixture(scope="module")
def real_labels(shared_data: Path) -> dict[str, set[str]]:
    """English labels by item id, from all dump files."""
    labels: dict[str, set[str]] = {}
    for path in sorted((shared_data / "wikidata").glob("*.json.bz2")):
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
