"""Real Wikidata items of three generations of the format, and real year pages, to a published dataset."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from everwhen.core.build import Build

pytestmark = pytest.mark.full


def test_every_dated_film_and_human_is_asked_about_or_counted(slice_build: Build) -> None:
    questions = pq.read_table(Path(slice_build.root) / "dataset" / "slice" / "complextempqa" / "questions").to_pandas()
    asked = {entity for entities in questions["question_entity"] for entity in entities}
    report = json.loads((Path(slice_build.root) / "dataset" / "slice" / "report.json").read_text())
    dated = slice_build.spark.read.parquet(str(Path(slice_build.root) / "world" / "members" / "rows-*"))
    members = dated.where("list in ('films', 'persons') and first_day is not null").select("entity").distinct()
    people_and_films = {row["entity"] for row in members.collect()}
    unnamed = sum(
        book["records"]
        for book in report["record_counts"]
        if (book["stage"], book["record_type"], book["reason"]) == ("world", "item candidate", "no unambiguous name")
    )
    assert len(people_and_films) > 9_000
    assert 0 < len(people_and_films - asked) <= unnamed + 200
    assert report["verification"]["wrong"] == 0
    assert report["verification"]["checked"] == len(questions)
    assert set(questions["rating"]) == {1}
    assert all(suite["met"] == suite["expectations"] for suite in report["suites"])


def test_year_pages_resolve_against_items_that_carry_sitelinks(slice_build: Build) -> None:
    report = json.loads((Path(slice_build.root) / "dataset" / "slice" / "report.json").read_text())
    links = {
        b["reason"]: b["records"]
        for b in report["record_counts"]
        if b["record_type"] == "link" and b["status"] == "rejected"
    }
    assert links["no item for the article"] > 1_000
    assert links["not an occurrence"] > 10
