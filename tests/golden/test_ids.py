"""Ids are those that docs/reference/stability.md describes, computed here without the package.

`pytest tests/golden --golden-update` writes `ids.json` anew: an id changes only with the meaning of a question.
"""

from __future__ import annotations

import datetime as dt
import json
import struct
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import xxhash
import yaml

from everwhen.core.build import Build

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
RECORD = FOLDER / "ids.json"
COLUMNS = (
    *("question_id", "template_id", "template_version", "property", "hops", "polarity"),
    *("timeframe", "threshold", "question_entity", "descriptions"),
)
SEED = "everwhen"


def number_of(text: str) -> int:
    return xxhash.xxh64(text.encode(), seed=42).intdigest()


@cache
def names_years(template: str) -> bool:
    """Whether the questions of a template name the years of a period: its file, or one that it includes, says so."""
    (path,) = (p for p in (ROOT / "templates" / "questions").rglob("*.yaml") if f"\nid: {template}\n" in p.read_text())
    while True:
        fields = yaml.safe_load(path.read_text())
        if "timeframe" in fields or "include" not in fields:
            return bool(fields.get("timeframe") == "years")
        path = path.parent / fields["include"]


def id_of(row: Mapping[str, Any]) -> int:
    """The id of a row, by its other columns."""
    described = {d["entity"]: number_of(d["key"]) for d in row["descriptions"]}
    days = [row["timeframe"][bound] for bound in ("start", "end")]
    years = [dt.date.fromisoformat(str(day)).year for day in days] if names_years(row["template_id"]) else [-1, -1]
    threshold = row["threshold"] and f"{Decimal(row['threshold']):f}".rstrip("0").rstrip(".")
    numbers = [number_of(SEED), number_of(row["template_id"]), row["template_version"]]
    numbers += [-1 if row["property"] is None else row["property"], len(row["hops"]), *row["hops"]]
    numbers += [number_of(row["polarity"] or ""), *years, number_of(threshold or ""), len(row["question_entity"])]
    for entity in row["question_entity"]:
        numbers += [entity, described.get(entity, 0)]
    value = 42
    for number in numbers:
        value = xxhash.xxh64(struct.pack("<Q", number % 2**64), seed=value).intdigest()
    return value % 2**63


@pytest.mark.parametrize(
    "row", json.loads(RECORD.read_text()) if RECORD.exists() else [], ids=lambda r: r["template_id"]
)
def test_an_id_on_record_is_that_of_its_row(row: dict[str, Any]) -> None:
    assert row["question_id"] == id_of(row)


def test_twenty_ids_are_on_record() -> None:
    rows = json.loads(RECORD.read_text())
    assert len({row["template_id"] for row in rows}) == len(rows) >= 20
    assert any(row["descriptions"] for row in rows)
    assert any(row["threshold"] for row in rows)
    assert any(row["polarity"] for row in rows)
    assert any(row["hops"] for row in rows)


@pytest.mark.full
@pytest.mark.spark
def test_all_ids_of_the_sample_are_those_of_their_rows(sample_build: Build, request: pytest.FixtureRequest) -> None:
    dataset = Path(sample_build.root) / "dataset" / sample_build.config.version
    with duckdb.connect() as db:
        table = db.read_parquet(str(dataset / "complextempqa" / "questions" / "*.parquet"))
        rows = [
            dict(zip(COLUMNS, row, strict=True))
            for row in table.select(", ".join(COLUMNS)).order("question_id").fetchall()
        ]
    wrong = [row for row in rows if row["question_id"] != id_of(row)]
    assert wrong == []
    if request.config.getoption("--golden-update"):
        least = {row["template_id"]: row for row in reversed(rows)}
        least |= {row["template_id"]: row for row in reversed(rows) if row["descriptions"]}
        written = json.dumps([least[name] for name in sorted(least)], indent=1, default=str)
        RECORD.write_text(written + "\n", encoding="utf-8")
    on_record = {row["question_id"] for row in json.loads(RECORD.read_text())}
    assert on_record <= {row["question_id"] for row in rows}
