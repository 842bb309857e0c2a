"""Spark's columns and DuckDB's macros say what Python says."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import product

import duckdb
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.temporal import allen_spark
from everwhen.temporal.allen import BOUNDS, SIGNS, possibly_holds, surely_holds
from everwhen.temporal.allen_duckdb import create_macros
from everwhen.temporal.allen_spark import IntervalColumns
from everwhen.temporal.interval import Interval, TimeValue, Unit
from everwhen.temporal.precision import Precision
from relations import NEVER, list_points, list_proper_intervals, list_uncertain_intervals, make_exact, make_interval

PROPER = [make_exact(ends) for ends in list_proper_intervals(8)]
OPEN = [make_exact((first, NEVER)) for first in range(8)]
POINTS = [make_exact(ends) for ends in list_points(4)]
UNCERTAIN = [make_interval(bounds) for bounds in list_uncertain_intervals([-NEVER, 0, 2], [1, 2, NEVER])]
# Days at the edges of months and years, for the coarser units.
EDGES = [date(1999, 12, 31), date(2000, 1, 1), date(2000, 1, 31), date(2000, 2, 29), date(2000, 3, 1), date(2001, 1, 1)]
COARSE = [
    *(Interval.from_ends(first, last) for first, last in product(EDGES, EDGES) if first <= last),
    *(Interval(day, day + timedelta(days=40), day, None) for day in EDGES),
    *(Interval(None, day, day, day + timedelta(days=400)) for day in EDGES),
]
ROWS = {Unit.DAY: PROPER + OPEN + POINTS + UNCERTAIN, Unit.MONTH: COARSE, Unit.YEAR: COARSE}

YEAR = TimeValue.from_day(date(2000, 1, 1), Precision.YEAR)
UNKNOWN = [
    ((None, None, YEAR.first, YEAR.last), Interval.from_times(None, YEAR)),
    ((YEAR.first, YEAR.last, None, None), Interval.from_times(YEAR, None)),
    ((None, None, None, None), Interval.from_times(None, None)),
    ((YEAR.first, YEAR.last, YEAR.first, YEAR.last), Interval.from_times(YEAR, YEAR)),
]
"""Bounds as a table has them in which null is what is not known, and the intervals that they mean."""

Answers = dict[tuple[str, int, int], list[bool]]
"""By unit and two intervals' numbers: whether each predicate is sure, then whether it is possible."""


@pytest.fixture(scope="module")
def by_python() -> Answers:
    return {
        (unit.value, i, k): [
            *(surely_holds(predicate, a, b, unit) for predicate in SIGNS),
            *(possibly_holds(predicate, a, b, unit) for predicate in SIGNS),
        ]
        for unit, intervals in ROWS.items()
        for (i, a), (k, b) in product(enumerate(intervals), repeat=2)
    }


def _rows() -> list[tuple[object, ...]]:
    return [
        (unit.value, number, *(getattr(interval, bound) for bound in BOUNDS))
        for unit, intervals in ROWS.items()
        for number, interval in enumerate(intervals)
    ]


FIELDS = ", ".join(f"{bound} date" for bound in BOUNDS)
SCHEMA = f"unit string, number int, {FIELDS}"
UNKNOWN_SCHEMA = f"number int, a struct<{FIELDS.replace(' date', ': date')}>"


@pytest.mark.spark
@pytest.mark.parametrize("unit", list(Unit))
def test_spark_columns_agree_with_python(spark: SparkSession, by_python: Answers, unit: Unit) -> None:
    df = spark.createDataFrame([row for row in _rows() if row[0] == unit], SCHEMA)
    a, b = IntervalColumns.from_struct("a"), IntervalColumns.from_struct("b")
    asked = [
        *(allen_spark.surely_holds(predicate, a, b, unit) for predicate in SIGNS),
        *(allen_spark.possibly_holds(predicate, a, b, unit) for predicate in SIGNS),
    ]
    numbers = (F.col(f"{name}.number").alias(name) for name in "ab")
    rows = df.alias("a").crossJoin(df.alias("b")).select(*numbers, F.array(*asked)).collect()
    expected = {pair[1:]: answers for pair, answers in by_python.items() if pair[0] == unit}
    assert {(row[0], row[1]): row[2] for row in rows} == expected


@pytest.mark.spark
def test_spark_columns_take_null_as_unknown(spark: SparkSession) -> None:
    df = spark.createDataFrame([(number, bounds) for number, (bounds, _) in enumerate(UNKNOWN)], UNKNOWN_SCHEMA)
    rows = df.select("number", *IntervalColumns.from_struct("a").take_null_as_unknown()).orderBy("number").collect()
    assert [Interval(*row[1:]) for row in rows] == [interval for _, interval in UNKNOWN]


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_macros(connection)
    return connection


def test_duckdb_macros_agree_with_python(connection: duckdb.DuckDBPyConnection, by_python: Answers) -> None:
    connection.execute(f"CREATE TABLE intervals ({SCHEMA})")
    connection.executemany(f"INSERT INTO intervals VALUES ({', '.join('?' * 6)})", _rows())
    asked = [f"{modality}_{each}(a, b, unit := a.unit)" for modality in ("surely", "possibly") for each in SIGNS]
    rows = connection.execute(f"""
        SELECT a.unit, a.number, b.number, [{", ".join(asked)}]
        FROM intervals a JOIN intervals b USING (unit)
    """).fetchall()
    assert {row[:3]: row[3] for row in rows} == by_python


def test_duckdb_takes_null_as_unknown(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(f"CREATE TABLE unknown ({FIELDS})")
    connection.executemany("INSERT INTO unknown VALUES (?, ?, ?, ?)", [bounds for bounds, _ in UNKNOWN])
    rows = connection.execute("SELECT unnest(take_null_as_unknown(unknown)) FROM unknown ORDER BY rowid").fetchall()
    assert [Interval(*row) for row in rows] == [interval for _, interval in UNKNOWN]


def test_duckdb_names_a_unit_that_it_does_not_know(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="the unit is day, month or year, not week"):
        connection.execute("""
            SELECT surely_before(a, a, unit := 'week')
            FROM (SELECT exact_interval(DATE '2000-01-01', NULL) AS a)
        """).fetchall()
