"""Tables with warts, as people keep them: `check` tells all of them, and a build asks only what is sure."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyspark.sql import SparkSession

import tdbench_reference as reference
from everwhen import stages
from everwhen.cli.main import build_parser
from everwhen.families.tdbench.commands import check
from everwhen.families.tdbench.commands.build import configure
from everwhen.families.tdbench.requests.answer import find_answers
from everwhen.families.tdbench.requests.model import Request
from everwhen.families.tdbench.source.load import load_declaration
from everwhen.families.tdbench.source.times import DAY_OR_MONTH_FIRST, NO_DIGIT, NO_SUCH_DAY
from everwhen.validate.verify import verify
from hostile_world import FillOnce

WARTS = Path(__file__).parent / "warts"
LOST = {
    ("Erewhon", "President"): f"rulers.csv:3: unreadable date 31/02/2003 in From: {DAY_OR_MONTH_FIRST}",
    ("Laputa", "Speaker"): f"rulers.csv:12: unreadable end soon in To: {NO_DIGIT}",
    ("Utopia", "President"): "rulers.csv:13: end before start",
}


def run_check(name: str, *arguments: str) -> None:
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    check.run(parser.parse_args([str(WARTS / f"{name}.yaml"), *arguments], argparse.Namespace(quiet=False)))


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.usefixtures("wide")
def test_check_tells_which_keys_may_lack_a_record(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run_check("rulers", "--json", str(tmp_path / "report.json"))
    printed = capsys.readouterr().out
    assert "Land, Office: 3 of 6 keys may lack a rejected record (not asked):" in printed
    assert "Office: 2 of 2 keys may lack a rejected record (none is asked):" in printed
    assert all(record in printed for record in LOST.values())
    assert "events that no question names (1):" in printed
    assert "a rejected record may have its name: summits.csv:5: unreadable date 2009-00-00" in printed
    (unasked, *_) = json.loads((tmp_path / "report.json").read_text())["rulers"]["unasked"]
    assert {tuple(each["key"]): each["record"] for each in unasked["incomplete"]} == LOST


@pytest.mark.usefixtures("wide")
def test_check_tells_rows_in_conflict_and_near_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    run_check("trials")
    printed = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert "T1 3 Active 2016-05-01 2017-01-10 line 4" in lines
    assert "4 Suspended 2016-12-01 2017-03-15 line 3" in lines
    assert not any("Completed" in line for line in lines)
    assert "near-duplicates of Status, with their rows: Recruiting (3); Récruiting (1); recruiting (1)" in printed
    assert "Trial: not asked, as they read the same: T2; t2" in printed
    assert "words.values.Status: no row has Withdrawn" in printed


@pytest.fixture(scope="module")
def dataset(spark: SparkSession, folder_filled_once: FillOnce) -> Path:
    def write(folder: Path) -> None:
        named = [str(WARTS / f"{name}.yaml") for name in ("rulers", "trials", "coaches")]
        command = ["tdbench", "build", *named, "--out", str(folder / "out"), "--items", "400"]
        stages.run(configure(build_parser().parse_args(command)), str(folder / "out"), quiet=True)

    return folder_filled_once("warts", write) / "out" / "dataset" / "rulers"


@pytest.fixture(scope="module")
def db(dataset: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name in ("items", "rows", "rejects"):
            connection.execute(f"CREATE VIEW {name} AS FROM '{dataset}/tdbench/{name}/*.parquet'")
        yield connection


def list_keys(db: duckdb.DuckDBPyConnection, declaration: str, tasks: str = "true") -> set[tuple[str, ...]]:
    query = f"SELECT DISTINCT list_transform(given, lambda g: g.value) FROM items WHERE declaration = ? AND {tasks}"
    return {tuple(key) for (key,) in db.execute(query, [declaration]).fetchall()}


@pytest.mark.spark
def test_every_item_is_proven(dataset: Path) -> None:
    found = verify(dataset)
    assert (found.passed, found.wrong) == (True, 0)
    assert found.rows > 100


@pytest.mark.spark
def test_no_key_is_asked_that_may_lack_a_record(db: duckdb.DuckDBPyConnection) -> None:
    sure = {("Erewhon", "Speaker"), ("Laputa", "President"), ("Utopia", "Speaker")}
    assert list_keys(db, "rulers", "event IS NULL") == sure
    named = {key[0] for key in list_keys(db, "rulers", "event IS NOT NULL")}
    assert named == {"Summit of 1998", "Summit of 2005"}


@pytest.mark.spark
def test_the_card_names_what_is_not_asked(dataset: Path) -> None:
    card = (dataset / "README.md").read_text()
    lost = f"- rulers, line 3: unreadable date 31/02/2003 in From: {DAY_OR_MONTH_FIRST}"
    assert f"{lost}; keys with Land Erewhon, Office President" in card
    assert (
        f"- summits, line 5: unreadable date 2009-00-00 in First: {NO_SUCH_DAY}; keys with Summit Summit of 2009"
        in card
    )


@pytest.mark.spark
def test_neither_broken_keys_nor_those_that_read_the_same_are_asked(db: duckdb.DuckDBPyConnection) -> None:
    assert list_keys(db, "trials") == {("T3",), ("T4",)}


@pytest.mark.spark
def test_a_coarse_inclusive_end_leaves_what_is_sure(db: duckdb.DuckDBPyConnection) -> None:
    """By days, months and years, each answer is that of every day which an end may mean."""
    lines = [line.split(",") for line in (WARTS / "coaches.csv").read_text().splitlines()[1:]]
    query = "SELECT * FROM items WHERE declaration = 'coaches' AND task = 'reasoning'"
    found = db.execute(query)
    names = [column[0] for column in found.description or ()]
    items: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    asked = {(item["given"][0]["value"], item["granularity"]) for item in items}
    assert {(club, unit) for club in ("Red Club", "Blue Club", "Gold Club") for unit in ("day", "month")} <= asked
    for item in items:
        rows = [reference.Row(*line[1:]) for line in lines if line[0] == item["given"][0]["value"]]
        unit = item["granularity"]
        bounds = [item["b_start"] or item["b_end"], item["b_end"] or item["b_start"]]
        first, last = (reference.count(day, unit) for day in bounds)
        fits = lambda s, e, at=(first, last), test=reference.RELATIONS[item["relation"]]: test(s, e, *at)  # noqa: E731
        points = item["relation"] in reference.OF_POINTS
        expected = reference.answer(rows, fits, [first, last], unit, points=points, is_inclusive=True)
        assert item["answer"] == expected, item["question"]


@pytest.mark.spark
def test_a_request_says_which_record_its_key_may_lack(spark: SparkSession) -> None:
    declaration = load_declaration(WARTS / "rulers.yaml")
    keys = [("Erewhon", "President"), ("Utopia", "President"), ("Erewhon", "Speaker"), ("Erewhon", "Sultan")]
    requests = [
        Request.model_validate(
            {"given": {"Land": land, "Office": office}, "asked": ["Ruler"], "conditions": {"end": {"after": "2005"}}}
        )
        for land, office in keys
    ]
    lacking = "a record that may belong to the key is rejected; "
    found = [each.get("answer", each.get("not_asked")) for each in find_answers(spark, declaration, requests)]
    assert found == [
        lacking + LOST["Erewhon", "President"],
        lacking + LOST["Utopia", "President"],
        ["Gil Gray", "Hal Hunt"],
        "no row has the given values; none has Sultan as Office",
    ]
