from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.families.complextempqa.family import FAMILY
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.publish.croissant import croissant
from everwhen.publish.names import list_tables, name_readers

pytestmark = pytest.mark.spark

MANIFEST = {"version": "1.0.0", "snapshot": "20261101", "rows": 2}


def described(snapshot: str = "20261101") -> dict[str, Any]:
    return croissant({**MANIFEST, "snapshot": snapshot}, list_tables([FAMILY]), name_readers([FAMILY]), [FAMILY])


def test_every_column_of_every_table_is_there(spark):
    fields = {s["@id"]: [f["@id"] for f in s["field"]] for s in described()["recordSet"]}
    assert fields == {
        name_readers([FAMILY])[folder]: [f"{name_readers([FAMILY])[folder]}/{c.name}" for c in table.columns]
        for folder, table in list_tables([FAMILY]).items()
    }
    meanings = {f["description"] for f in described()["recordSet"][0]["field"]}
    assert meanings == {c.meaning for c in QUESTIONS.columns}


@pytest.mark.parametrize(
    ("snapshot", "day"), [("20261101", "2026-11-01"), ("2026-11-01", "2026-11-01"), ("sample", None)]
)
def test_a_dataset_is_of_the_day_of_its_snapshot(spark, snapshot, day):
    assert described(snapshot).get("datePublished") == day


@pytest.mark.full
def test_mlcroissant_takes_it_and_reads_the_rows(spark, small_world_build):
    import mlcroissant  # seconds, which the quick tests do not need

    folder = Path(small_world_build.root) / "dataset" / small_world_build.config.version
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert dataset.metadata.issues.errors == set()
    manifest = json.loads((folder / "manifest.json").read_text())
    rows = {s.id: list(itertools.islice(dataset.records(s.id), 3)) for s in dataset.metadata.record_sets}
    assert {name: len(found) for name, found in rows.items()} == {
        name_readers([FAMILY])[folder]: min(3, table["rows"]) for folder, table in manifest["tables"].items()
    }
    first = rows["complextempqa"][0]
    row = {name.removeprefix("complextempqa/"): value for name, value in first.items()}
    (stored,) = small_world_build.read(QUESTIONS).where(f"question_id = {row['question_id']}").collect()
    assert row["question"].decode() == stored["question"]
    assert [a.decode() for a in row["answer"]] == stored["answer"]
    assert row["timeframe"]["complextempqa/timeframe/start"].date() == stored["timeframe"]["start"]
