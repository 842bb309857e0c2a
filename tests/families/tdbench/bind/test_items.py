"""Items bound from two small tables: what is asked, and whether it is right by every choice of days."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyspark.sql import SparkSession

import tdbench_reference as reference
from everwhen.core.config import Config
from everwhen.core.record_counts import reconcile
from everwhen.families.tdbench.bind.items import BoundItems, bind_items
from everwhen.families.tdbench.bind.steps import BindSettings
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.rows import read_tables
from everwhen.families.tdbench.scopes import derive_scopes
from everwhen.families.tdbench.source.load import load_declarations
from everwhen.families.tdbench.tables import ITEMS

pytestmark = pytest.mark.spark

COACHES = """Club,League,Coach,Start,End
Red Club,North,Ada Moss,1990-03-15,1994-06-30
Red Club,North,Ben Nye,1994-06-30,1999-01-10
Red Club,North,Ada Moss,1999-01-10,2003-05-31
Red Club,North,Cleo Orr,2003-05-31,
Blue Club,North,Dan Poe,1988,1993
Blue Club,North,Eva Quill,1993,2001-07
Blue Club,North,Finn Rusk,2001-07,2010-02-28
Green Club,South,Gus Sand,1991-02-01,1991-02-01
Green Club,South,Hal Tarn,1992-05-05,1996-08-20
Green Club,South,Ida Ulm,1996-08-20,2004-04-04
Grey Club,South,O'Neil \\ Co,1995-01-01,2005-01-01
Grey Club,South,Jon Vale,2000-01-01,2006-01-01
Gold Club,South,Kay Wye,1997-04-01,2002-09-30
"""
CUPS = """Edition,Cup,Host,Start,End
1,Cup of 1995,FC Red,1995-06-01,1995-06-20
2,Cup of 1999,FC Red,1999-01-05,1999-01-20
3,Cup of 2002,Blue Club,2002-06-01,2002-06-15
"""
DECLARATIONS = {
    "coaches": """table: coaches
from: {file: coaches.csv}
time: {start: Start, end: End, as_of: 2025-01-02}
tfds: [{given: [Club], determines: [Coach]}]
sets: [{given: [League], asked: [Club, Coach]}]
counts: [{given: [Club], asked: Coach, of: stints}]
joins: [{with: cups.yaml, by: {Club: Host}, same: {FC Red: Red Club}}]
""",
    "cups": """table: cups
from: {file: cups.csv}
time: {start: Start, end: End, ends: inclusive}
fds: [{given: [Cup], determines: [Host]}, {given: [Edition], determines: [Cup]}]
""",
}
AS_OF = date(2025, 1, 2)
SHORT: dict[str, Callable[[int, int, int, int], bool]] = {
    "started_by": lambda s, e, bs, be: s == bs,
    "finished_by": lambda s, e, bs, be: e == be,
}


def declare(folder: Path) -> tuple[Declaration, ...]:
    for name, csv in (("coaches", COACHES), ("cups", CUPS)):
        (folder / f"{name}.csv").write_text(csv)
        (folder / f"{name}.yaml").write_text(DECLARATIONS[name])
    return load_declarations([folder / "coaches.yaml"])


def bind(spark: SparkSession, folder: Path, partitions: int | None = None) -> BoundItems:
    declarations = declare(folder)
    scopes = derive_scopes(declarations)
    source = read_tables(spark, declarations)
    rows = source.rows.repartition(partitions) if partitions else source.rows
    settings = BindSettings(Config(version="1", snapshot="tests"), size=400, is_short=True)
    return bind_items(rows, scopes, declarations, source.unasked, settings)


@pytest.fixture(scope="module")
def bound(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> BoundItems:
    return bind(spark, tmp_path_factory.mktemp("coaches"))


@pytest.fixture(scope="module")
def items(bound: BoundItems) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in bound.items.collect()]


@pytest.fixture(scope="module")
def db(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("rows")
    rows = read_tables(spark, declare(folder)).rows
    rows.write.parquet(str(folder / "rows"))
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE rows AS FROM '{folder}/rows/*.parquet'")
        yield connection


def list_key_rows(item: dict[str, Any]) -> list[reference.Row]:
    lines = [line.split(",") for line in COACHES.splitlines()[1:]]
    own = {each["column"]: each["value"] for each in item["given"]}
    kept = [
        (club, coach, start, end)
        for club, league, coach, start, end in lines
        if own.get("Club", club) == club and own.get("League", league) == league
    ]
    named = len(item["asked"]) > 1
    return [
        reference.Row(f"{club} | {coach}" if named else coach, start, end or None) for club, coach, start, end in kept
    ]


def expect(item: dict[str, Any], of_start: int = 0, of_end: int = 0) -> list[str] | None:
    """Answer a question with an interval, perhaps after its ends are moved by some units."""
    unit = item["granularity"]
    first, last = (reference.count(item[name], unit) for name in ("b_start", "b_end"))
    first, last = first + of_start, last + of_end
    test = reference.RELATIONS[item["relation"]]
    if item["is_short"]:
        test = {"started_by": lambda s, e, bs, be: s == bs, "finished_by": lambda s, e, bs, be: e == be}[
            item["relation"]
        ]
    points = item["relation"] in reference.OF_POINTS
    return reference.answer(
        list_key_rows(item), lambda s, e: test(s, e, first, last), [first, last], unit, points=points
    )


def select(items: list[dict[str, Any]], *tasks: str) -> list[dict[str, Any]]:
    return [item for item in items if item["task"] in tasks]


def test_every_task_and_relation_is_asked(items: list[dict[str, Any]]) -> None:
    assert {item["task"] for item in items} == {
        *("alignment", "reasoning", "implicit", "multi_hop", "sets", "counting")
    }
    asked = {(item["relation"], item["is_short"]) for item in select(items, "reasoning")}
    assert asked == {
        *((relation, False) for relation in reference.RELATIONS),
        ("started_by", True),
        ("finished_by", True),
    }


def test_answers_are_those_of_every_choice(items: list[dict[str, Any]]) -> None:
    compared = select(items, "reasoning", "implicit", "sets")
    wrong = [item for item in compared if item["answer"] != expect(item)]
    assert (len(compared) > 500, wrong) == (True, [])


def test_a_near_miss_is_one_unit_away_from_an_answer(items: list[dict[str, Any]]) -> None:
    moves = [(1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)]
    none = [item for item in select(items, "reasoning") if item["cardinality"] == "none"]
    near = [any(expect(item, *move) for move in moves if _is_proper(item, *move)) for item in none]
    assert [item["is_near_miss"] for item in none] == near
    assert 0.35 < sum(near) / len(near) < 0.65


def _is_proper(item: dict[str, Any], of_start: int, of_end: int) -> bool:
    first, last = (reference.count(item[name], item["granularity"]) for name in ("b_start", "b_end"))
    return first + of_start < last + of_end


def test_queries_yield_the_answers_in_duckdb(items: list[dict[str, Any]], db: duckdb.DuckDBPyConnection) -> None:
    wrong = [item for item in items if [value for (value,) in db.execute(item["sql"]).fetchall()] != item["answer"]]
    assert wrong == []


def test_queries_yield_the_answers_in_spark(
    spark: SparkSession, items: list[dict[str, Any]], db: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    db.execute(f"COPY rows TO '{tmp_path}/rows.parquet'")
    spark.read.parquet(f"{tmp_path}/rows.parquet").createOrReplaceTempView("rows")
    one_of_each = {item["task"]: item for item in items if item["answer"]}
    for item in one_of_each.values():
        assert [row.answer for row in spark.sql(item["sql"]).collect()] == item["answer"]


def test_relations_are_asked_evenly_and_in_all_sizes(items: list[dict[str, Any]]) -> None:
    reasoning = [item for item in select(items, "reasoning") if not item["is_short"]]
    by_relation = Counter(item["relation"] for item in reasoning)
    assert max(by_relation.values()) <= 2 * min(by_relation.values())
    sizes = defaultdict(set)
    for item in reasoning:
        sizes[item["relation"]].add(item["cardinality"])
    assert sizes["before"] == sizes["after"] == {"none", "unique", "multiple"}
    assert all({"none", "unique"} <= found for found in sizes.values())


def test_no_question_has_a_day_after_the_last_known(items: list[dict[str, Any]]) -> None:
    dated = [item for item in items if item["b_end"] is not None]
    assert all(item["b_start"] < item["b_end"] <= AS_OF for item in dated)
    assert {item["as_of"] for item in items} == {AS_OF}
    assert max(item["b_end"] for item in dated if item["granularity"] == "year") <= date(2024, 1, 1)


def test_offsets_lead_there_and_back(items: list[dict[str, Any]], db: duckdb.DuckDBPyConnection) -> None:
    moved = [item for item in select(items, "reasoning") if item["relation"] in ("meets", "met_by")]
    back = "SELECT ?::DATE + to_months(?) = ?::DATE AND ?::DATE - to_months(?) = ?::DATE"
    for item in moved:
        start, end, months = item["b_start"], item["b_end"], item["offset_months"]
        assert db.execute(back, [start, months, end, end, months, start]).fetchall() == [(True,)]


def test_what_holds_now_is_asked_of_keys_with_an_open_row(items: list[dict[str, Any]]) -> None:
    (item,) = select(items, "alignment")
    assert item["answer"] == ["Cleo Orr"]
    assert item["references"] == [{"answer": "Cleo Orr", "role": "start", "date": "2003-05-31", "is_stated": False}]


def test_a_broken_key_is_asked_for_sets_alone(items: list[dict[str, Any]]) -> None:
    grey = [item["task"] for item in items if {"column": "Club", "value": "Grey Club"} in item["given"]]
    assert grey == []


def test_an_event_leads_over_its_host_to_who_held_throughout(items: list[dict[str, Any]]) -> None:
    found = {
        tuple(each["value"] for each in item["given"]): (item["answer"], [each["value"] for each in item["hops"]])
        for item in select(items, "multi_hop")
    }
    # The second cup was on when one coach followed another.
    assert found == {
        ("Cup of 1995",): (["Ben Nye"], ["FC Red"]),
        ("1",): (["Ben Nye"], ["Cup of 1995", "FC Red"]),
        ("Cup of 2002",): (["Finn Rusk"], ["Blue Club"]),
        ("3",): (["Finn Rusk"], ["Cup of 2002", "Blue Club"]),
    }


def test_stints_are_counted(items: list[dict[str, Any]]) -> None:
    red = {
        (item["counted"], item["is_at_least"]): item["answer"]
        for item in select(items, "counting")
        if item["given"][0]["value"] == "Red Club"
    }
    assert red == {
        (1, False): ["Ben Nye", "Cleo Orr"],
        (2, False): ["Ada Moss"],
        (2, True): ["Ada Moss"],
        (3, False): [],
    }


def test_a_stated_date_is_given_away(items: list[dict[str, Any]]) -> None:
    equals = [item for item in select(items, "reasoning") if item["relation"] == "equals" and item["answer"]]
    by_day = [each["is_stated"] for item in equals if item["granularity"] == "day" for each in item["references"]]
    assert by_day
    assert all(by_day)
    before = [item for item in select(items, "reasoning") if item["relation"] == "before"]
    assert not any(each["is_stated"] for item in before for each in item["references"])


def test_a_context_has_the_key_and_three_others(items: list[dict[str, Any]]) -> None:
    for item in select(items, "reasoning", "implicit"):
        own = [line for line in item["context"] if line.startswith(f"Club: {item['given'][-1]['value']};")]
        assert (len(own), len(item["context"])) == (len(list_key_rows(item)), len(own) + 3)


def test_a_key_is_in_one_split(items: list[dict[str, Any]]) -> None:
    splits = defaultdict(set)
    for item in select(items, "reasoning", "implicit", "alignment", "counting"):
        splits[item["given"][-1]["value"]].add(item["split"])
    assert {len(found) for found in splits.values()} == {1}


def test_columns_are_those_of_the_table(bound: BoundItems) -> None:
    types = {field.name: field.dataType.simpleString() for field in bound.items.schema.fields}
    missing = [column.name for column in ITEMS.columns if types.get(column.name) != column.type.replace(", ", ",")]
    assert [name for name in missing if name not in ("question", "wording")] == []


def test_ids_are_unique_and_candidates_add_up(bound: BoundItems, items: list[dict[str, Any]]) -> None:
    assert len({item["item_id"] for item in items}) == len(items)
    (row,) = reconcile(bound.record_counts).collect()
    assert (row.records_in, row.unexplained) == (row.records_out, 0)


@pytest.mark.full
def test_partitions_change_nothing(spark: SparkSession, items: list[dict[str, Any]], tmp_path: Path) -> None:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "7")
    try:
        other = [row.asDict(recursive=True) for row in bind(spark, tmp_path, partitions=7).items.collect()]
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", before)
    assert sorted(other, key=repr) == sorted(items, key=repr)


@pytest.mark.full
def test_leaders_give_three_thousand_items(spark: SparkSession, shared_data: Path, tmp_path: Path) -> None:
    for name in ("leaders", "olympic"):
        shutil.copy(shared_data / "temporal_tables" / f"{name}.csv", tmp_path)
        shutil.copy(Path(__file__).parent.parent / "declarations" / f"{name}.yaml", tmp_path)
    declarations = load_declarations([tmp_path / "leaders.yaml"])
    scopes, source = derive_scopes(declarations), read_tables(spark, declarations)
    settings = BindSettings(Config(version="1", snapshot="tests"), size=3_000)
    bound = bind_items(source.rows, scopes, declarations, source.unasked, settings)
    assert bound.items.count() >= 3000
