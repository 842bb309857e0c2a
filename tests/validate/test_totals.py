"""Rows that were lost, doubled or exchanged are found by the totals of a dataset, whatever its manifest says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.core.errors import InputError, ValidationFailed
from everwhen.validate.manifest import MANIFEST
from everwhen.validate.totals import TOTALS, find_wrong_totals
from everwhen.validate.verify import verify
from tiny_dataset import FAMILY, FLIGHT, write_dataset, write_manifest

QUESTIONS, STATEMENTS = f"{FAMILY}/questions", "facts/statements"
KEYS = {
    QUESTIONS: ("template_id", "question_id"),
    f"{FAMILY}/accepted_answers": ("kind", None),
    STATEMENTS: ("property", "subject"),
    "facts/entities": (None, "item"),
    "facts/labels": ("kind", "item"),
    "facts/subclasses": ("root", "class"),
    "facts/popularity": ("population", "entity"),
}


def read_rows(dataset: Path, table: str) -> list[dict[str, Any]]:
    return pq.read_table(dataset / table / "part-00000.parquet").to_pylist()


def write_totals(dataset: Path, **changes: Any) -> Path:
    """Write totals of what is in a dataset, counted in Python, and list them in the manifest."""
    totals: dict[str, Any] = {}
    manifest = json.loads((dataset / MANIFEST).read_text())
    for table in manifest["tables"]:
        by, of = KEYS.get(table, (None, None))
        parts: dict[str, list[dict[str, Any]]] = {}
        for row in read_rows(dataset, table):
            parts.setdefault(str(row[by]) if by else "", []).append(row)
        counted = {part: {"rows": len(rows)} for part, rows in parts.items()}
        if of:
            counted = {part: each | {"ids": str(sum(row[of] for row in parts[part]))} for part, each in counted.items()}
        totals[table] = {"by": by, "of": of, "parts": counted}
    text = json.dumps(totals | changes)
    (dataset / TOTALS).write_text(text)
    write_manifest(dataset, files={TOTALS: hashlib.sha256(text.encode()).hexdigest()})
    return dataset


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return write_totals(write_dataset(tmp_path / "dataset", accepted=[(FLIGHT, "alias", None, "Flight 2120")]))


def find(dataset: Path, families: Sequence[str] = (FAMILY,)) -> list[str]:
    return [str(total) for total in find_wrong_totals(dataset, json.loads((dataset / MANIFEST).read_text()), families)]


def rewrite(dataset: Path, table: str, rows: list[dict[str, Any]]) -> None:
    """Write other rows, and a manifest that fits them."""
    path = dataset / table / "part-00000.parquet"
    schema = pq.read_schema(path)
    pq.write_table(pa.Table.from_pylist(rows, schema), path)
    files = json.loads((dataset / MANIFEST).read_text())["files"]
    write_manifest(dataset, files=files)


@pytest.mark.parametrize("table", KEYS)
def test_a_lost_row_of_any_table_is_found_and_named(dataset: Path, table: str) -> None:
    assert find(dataset) == []
    lost, *rows = read_rows(dataset, table)
    rewrite(dataset, table, rows)
    by, of = KEYS[table]
    part = f", {by} {lost[by]}" if by else ""
    named = f", of {of} {lost[of]}" if of else ""
    assert find(dataset) == [f"{table}{part}: 1 row lost{named}"]


def test_rows_that_are_doubled_exchanged_or_all_lost_are_found(dataset: Path) -> None:
    first, *rows = read_rows(dataset, STATEMENTS)
    part = f"{STATEMENTS}, property {first['property']}"
    number = 1 + sum(row["property"] == first["property"] for row in rows)
    rewrite(dataset, STATEMENTS, [first, first, *rows])
    assert find(dataset) == [f"{part}: 1 row too many"]
    rewrite(dataset, STATEMENTS, [{**first, "subject": 999}, *rows])
    assert find(dataset)[0].startswith(f"{part}: {number} row")
    rewrite(dataset, STATEMENTS, [])
    assert any(line.startswith(f"{part}: {number} row") for line in find(dataset))
    assert len(find(dataset)) == len({row["property"] for row in [first, *rows]})


def test_verify_fails_and_says_which_row_is_lost(dataset: Path) -> None:
    lost, *rows = read_rows(dataset, "facts/popularity")
    rewrite(dataset, "facts/popularity", rows)
    warned: list[str] = []
    found = verify(dataset, warn=warned.append)
    line = f"1 wrong total: facts/popularity, population {lost['population']}: 1 row lost, of entity {lost['entity']}"
    assert (found.passed, found.changed_files, found.wrong_keys, warned) == (False, (), (), [line])
    assert found.summarize().endswith(line)
    assert found.as_json()["wrong_totals"][0]["missing"] == f"entity {lost['entity']}"
    with pytest.raises(ValidationFailed, match="1 row lost"):
        found.raise_on_failure()


def test_a_table_without_totals_and_totals_without_a_table_are_wrong(dataset: Path) -> None:
    totals = json.loads((dataset / TOTALS).read_text())
    del totals[QUESTIONS]
    text = json.dumps(totals | {"facts/list_members": totals["facts/entities"]})
    (dataset / TOTALS).write_text(text)
    found = find(dataset)
    assert f"{QUESTIONS}: {len(read_rows(dataset, QUESTIONS))} rows too many" in found
    assert f"facts/list_members: {totals['facts/entities']['parts']['']['rows']} rows lost" in found


def test_other_families_and_datasets_without_totals_are_left_alone(dataset: Path, tmp_path: Path) -> None:
    rewrite(dataset, QUESTIONS, read_rows(dataset, QUESTIONS)[1:])
    assert find(dataset, families=["other"]) == []
    assert find(write_dataset(tmp_path / "older")) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "damaged"),
        ('{"facts/entities": {"by": "a b", "of": null, "parts": {}}}', "by"),
        ('{"facts/entities": {"by": "nothing", "of": null, "parts": {}}}', "facts.entities has no column nothing"),
        ('{"facts/entities": {"by": null, "of": "item", "parts": {"": {"rows": 1, "ids": "x"}}}}', "ids"),
    ],
)
def test_damaged_totals_are_refused_by_name(dataset: Path, content: str, message: str) -> None:
    (dataset / TOTALS).write_text(content)
    with pytest.raises(InputError, match=rf"totals\.json.*{message}"):
        find(dataset)
