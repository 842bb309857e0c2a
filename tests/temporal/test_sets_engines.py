"""Spark's columns and DuckDB's macros say of sets what Python says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from everwhen.temporal import sets, sets_spark
from everwhen.temporal.allen import BOUNDS, SIGNS, Predicate, Relation
from everwhen.temporal.allen_duckdb import create_macros
from everwhen.temporal.allen_spark import IntervalColumns
from everwhen.temporal.interval import Interval, Unit
from everwhen.temporal.sets import Edge
from relations import NEVER, list_uncertain_intervals, make_interval

PREDICATES = {
    Unit.DAY: [Relation.MEETS, Relation.EQUALS, Predicate.INTERSECTS],
    Unit.MONTH: [Predicate.COVERS],
}
EDGES: dict[Unit, list[Edge]] = {Unit.DAY: ["start", "end"], Unit.MONTH: ["start"]}
KTHS = [2, -1]
UNITS = list(PREDICATES)
INTERVALS = [
    *(make_interval(bounds) for bounds in list_uncertain_intervals([-NEVER, 0, 1, 3], [1, 2, 4, NEVER])),
    *(Interval.from_ends(date(2000, 1, 1) + timedelta(20 * n), date(2000, 2, 9) + timedelta(20 * n)) for n in range(6)),
]

Sets = list[tuple[tuple[Interval, ...], Interval]]


def _choose_sets(number: int) -> Sets:
    """Sets of up to four members, each with an interval: they are the same in each run."""
    chance = random.Random(41)
    return [(tuple(chance.choices(INTERVALS, k=n % 5)), chance.choice(INTERVALS)) for n in range(number)]


SETS = _choose_sets(150)


def _take(numbers: Sequence[int] | None) -> list[int] | None:
    return None if numbers is None else list(numbers)


def _ask_python(members: Sequence[Interval], b: Interval) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for unit in UNITS:
        for predicate in PREDICATES[unit]:
            name = f"{predicate} {unit}"
            found[f"find {name}"] = _take(sets.find_members(members, predicate, b, unit))
            found[f"count {name}"] = tuple(sets.count_members(members, predicate, b, unit))
            found[f"all {name}"] = sets.decide_all(members, predicate, b, unit)
            found[f"none {name}"] = sets.decide_none(members, predicate, b, unit)
        for edge in EDGES[unit]:
            for k in KTHS:
                found[f"{k} {edge} {unit}"] = _take(sets.find_kth(members, k, edge, unit))
            found[f"sort {edge} {unit}"] = _take(sets.sort_members(members, edge, unit))
            for of in EDGES[unit]:
                found[f"previous {edge} {of} {unit}"] = _take(sets.find_previous(members, b, edge, of, unit))
                found[f"next {edge} {of} {unit}"] = _take(sets.find_next(members, b, edge, of, unit))
    return found


@pytest.fixture(scope="module")
def by_python() -> list[dict[str, Any]]:
    return [_ask_python(members, b) for members, b in SETS]


def _list_bounds(interval: Interval) -> tuple[date | None, ...]:
    return tuple(getattr(interval, bound) for bound in BOUNDS)


ROWS = [
    (number, [(n, *_list_bounds(member)) for n, member in enumerate(members)], _list_bounds(b))
    for number, (members, b) in enumerate(SETS)
]
FIELDS = ", ".join(f"{bound}: date" for bound in BOUNDS)
SCHEMA = f"number int, members array<struct<n: int, {FIELDS}>>, b struct<{FIELDS}>"


def _ask_spark() -> dict[str, Column]:
    members, b = F.col("members"), IntervalColumns.from_struct("b")

    def number(found: Column) -> Column:
        return F.transform(found, lambda member: member["n"])

    asked: dict[str, Column] = {}
    for unit in UNITS:
        for predicate in PREDICATES[unit]:
            name = f"{predicate} {unit}"
            asked[f"find {name}"] = number(sets_spark.find_members(members, predicate, b, unit))
            asked[f"count {name}"] = sets_spark.count_members(members, predicate, b, unit)
            asked[f"all {name}"] = sets_spark.decide_all(members, predicate, b, unit)
            asked[f"none {name}"] = sets_spark.decide_none(members, predicate, b, unit)
        for edge in EDGES[unit]:
            for k in KTHS:
                asked[f"{k} {edge} {unit}"] = number(sets_spark.find_kth(members, k, edge, unit))
            asked[f"sort {edge} {unit}"] = number(sets_spark.sort_members(members, edge, unit))
            for of in EDGES[unit]:
                asked[f"previous {edge} {of} {unit}"] = number(sets_spark.find_previous(members, b, edge, of, unit))
                asked[f"next {edge} {of} {unit}"] = number(sets_spark.find_next(members, b, edge, of, unit))
    return asked


@pytest.mark.spark
def test_spark_columns_agree_with_python(spark: SparkSession, by_python: list[dict[str, Any]]) -> None:
    df = spark.createDataFrame(ROWS, SCHEMA).coalesce(1)
    rows = df.select("number", *(column.alias(name) for name, column in _ask_spark().items())).collect()
    found = [{name: value for name, value in row.asDict().items() if name != "number"} for row in rows]
    assert [
        {name: tuple(value) if name.startswith("count") else value for name, value in each.items()} for each in found
    ] == by_python


@pytest.mark.spark
def test_of_a_null_set_all_is_null_in_spark(spark: SparkSession) -> None:
    members, b = F.col("members"), IntervalColumns.from_ends(F.lit(date(2000, 1, 1)), F.lit(None).cast("date"))
    asked = [
        sets_spark.find_members(members, Relation.BEFORE, b),
        sets_spark.decide_all(members, Relation.BEFORE, b),
        sets_spark.decide_none(members, Relation.BEFORE, b),
        sets_spark.find_kth(members, 1),
        sets_spark.sort_members(members),
        sets_spark.find_previous(members, b),
        sets_spark.find_next(members, b),
    ]
    (row,) = spark.createDataFrame([(0, None, None)], SCHEMA).select(*asked).collect()
    assert set(row) == {None}


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_macros(connection)
    fields = FIELDS.replace(":", "")
    connection.execute(f"CREATE TABLE sets (number int, members STRUCT(n int, {fields})[], b STRUCT({fields}))")
    names = ("n", *BOUNDS)
    rows = [
        (number, [dict(zip(names, member, strict=True)) for member in members], dict(zip(BOUNDS, b, strict=True)))
        for number, members, b in ROWS
    ]
    connection.executemany("INSERT INTO sets VALUES (?, ?, ?)", rows)
    return connection


def _ask_duckdb() -> dict[str, str]:
    def number(found: str) -> str:
        return f"list_transform({found}, lambda member: member.n)"

    asked: dict[str, str] = {}
    for unit in UNITS:
        given = f"members, b, unit := '{unit}'"
        for predicate in PREDICATES[unit]:
            name = f"{predicate} {unit}"
            asked[f"find {name}"] = number(f"find_{predicate}({given})")
            asked[f"count {name}"] = f"count_{predicate}({given})"
            asked[f"all {name}"] = f"all_{predicate}({given})"
            asked[f"none {name}"] = f"none_{predicate}({given})"
        for edge in EDGES[unit]:
            for k in KTHS:
                asked[f"{k} {edge} {unit}"] = number(f"find_kth(members, {k}, edge := '{edge}', unit := '{unit}')")
            asked[f"sort {edge} {unit}"] = number(f"sort_members(members, edge := '{edge}', unit := '{unit}')")
            for of in EDGES[unit]:
                ends = f"edge := '{edge}', of := '{of}', unit := '{unit}'"
                asked[f"previous {edge} {of} {unit}"] = number(f"find_previous(members, b, {ends})")
                asked[f"next {edge} {of} {unit}"] = number(f"find_next(members, b, {ends})")
    return asked


def test_duckdb_macros_agree_with_python(
    connection: duckdb.DuckDBPyConnection, by_python: list[dict[str, Any]]
) -> None:
    for name, expression in _ask_duckdb().items():
        rows = connection.execute(f"SELECT {expression} FROM sets ORDER BY number").fetchall()
        found = [tuple(value.values()) if name.startswith("count") else value for (value,) in rows]
        assert found == [each[name] for each in by_python], name


def test_duckdb_has_macros_for_each_predicate(connection: duckdb.DuckDBPyConnection) -> None:
    asked = ", ".join(f"all_{predicate}(members, b)" for predicate in SIGNS)
    rows = connection.execute(f"SELECT {asked} FROM sets WHERE len(members) = 0").fetchall()
    assert {value for row in rows for value in row} == {True}


def test_duckdb_names_an_edge_that_it_does_not_know(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="the edge is start or end, not middle"):
        connection.execute("SELECT find_kth(members, 1, edge := 'middle') FROM sets").fetchall()
