from __future__ import annotations

from typing import Any

import pytest

from everwhen.families.complextempqa.build import BUILD
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.publish.croissant import build_croissant
from everwhen.publish.names import list_tables, name_readers

pytestmark = pytest.mark.spark

MANIFEST = {
    "version": "1.0.0",
    "everwhen": "0.1.0",
    "snapshot": "20261101",
    "rows": 2,
    "window": {"start": "1987-01-01", "end": "2023-12-31"},
}


def described(snapshot: str = "20261101") -> dict[str, Any]:
    return build_croissant({**MANIFEST, "snapshot": snapshot}, list_tables([BUILD]), name_readers([BUILD]), [BUILD])


def test_every_column_of_every_table_is_there(spark):
    fields = {s["@id"]: [f["@id"] for f in s["field"]] for s in described()["recordSet"]}
    assert fields == {
        name_readers([BUILD])[folder]: [f"{name_readers([BUILD])[folder]}/{c.name}" for c in table.columns]
        for folder, table in list_tables([BUILD]).items()
    }
    meanings = {f["description"] for f in described()["recordSet"][0]["field"]}
    assert meanings == {c.meaning for c in QUESTIONS.columns}


@pytest.mark.parametrize(
    ("snapshot", "day"), [("20261101", "2026-11-01"), ("2026-11-01", "2026-11-01"), ("sample", "2023-12-31")]
)
def test_the_date_of_a_dataset(spark, snapshot, day):
    assert described(snapshot)["datePublished"] == day


def test_a_dataset_says_how_it_is_cited(spark):
    cited = described()["citeAs"]
    assert "note = {Snapshot 20261101, built with everwhen 0.1.0}" in cited
    assert cited.endswith(BUILD.citation)
    assert cited.count("@misc{") == 2
