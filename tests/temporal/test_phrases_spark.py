"""Columns write what their Python twins write: one job of Spark over many values."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from everwhen.temporal import durations, phrases, phrases_spark, relative, relative_spark
from everwhen.temporal.durations import Duration
from everwhen.temporal.precision import Precision
from everwhen.temporal.relative import DistanceUnit

pytestmark = pytest.mark.spark

UNITS: list[DistanceUnit] = ["day", "week", "month", "year"]
EDGES = [date(1, 3, 1), date(476, 9, 4), date(999, 12, 31), date(1000, 1, 1), date(2023, 3, 31), date(2024, 2, 29)]
STEPS = [-1096, -366, -365, -61, -31, -30, -29, -28, -14, -8, -7, -1, 0, 1, 2, 7, 8, 21, 28, 29, 30, 31, 62, 366, 1461]
DAYS = [
    *((reference, reference + timedelta(step)) for reference in EDGES[1:] for step in STEPS),
    *((date(2023, 1, 1) + timedelta(step), date(2023, 7, 31)) for step in range(0, 800, 3)),
    *((date(2024, 1, 31), date(2024, 1, 1) + timedelta(step)) for step in range(0, 400, 5)),
    *((day, day) for day in EDGES),
]
"""Days to name and reference days, in this order or the other."""

PRECISIONS = [Precision.YEAR, Precision.MONTH, Precision.DAY, Precision.SECOND]


def _write_by_python(n: int, day: date, reference: date, precision: int) -> dict[str, Any]:
    first, last = sorted((day, reference))
    duration, small = durations.measure_duration(first, last), Duration(n % 3, n % 5, n % 2)
    written: dict[str, Any] = {
        "month": phrases.MONTHS[day.month - 1],
        "weekday": phrases.WEEKDAYS[day.weekday()],
        "date": phrases.write_date(day, precision),
        "month first": phrases.write_date(day, precision, month_first=True),
        "when": phrases.write_when(day, precision),
        "number": phrases.write_number(n),
        "times": phrases.write_times(n),
        "ordinal": phrases.write_ordinal(n),
        "ordinal word": phrases.write_ordinal_word(n),
        "amount": phrases.write_amount(n, "week"),
        "offset": phrases.write_offset(n),
        "measured": tuple(duration),
        "duration": phrases.write_duration(duration),
        "duration in words": phrases.write_duration(small, in_words=True),
        "near weekday": relative.write_near_weekday(day, reference),
        "near day": relative.write_near_day(day, reference),
    }
    for unit in UNITS:
        written[f"count {unit}"] = relative.count_distance(day, reference, unit)
        written[f"spoken {unit}"] = relative.write_distance(day, reference, unit)
        written[f"away {unit}"] = relative.write_distance(day, reference, unit, is_spoken=False, in_words=False)
    return written


def _write_in_columns() -> dict[str, Column]:
    n, day, reference, precision = (F.col(name) for name in ("n", "day", "reference", "precision"))
    first, last = F.least(day, reference), F.greatest(day, reference)
    duration = phrases_spark.measure_duration(first, last)
    small = F.struct((n % 3).alias("years"), (n % 5).alias("months"), (n % 2).alias("days"))
    written = {
        "month": phrases_spark.write_month(day),
        "weekday": phrases_spark.write_weekday(day),
        "date": phrases_spark.write_date(day, precision),
        "month first": phrases_spark.write_date(day, precision, month_first=True),
        "when": phrases_spark.write_when(day, precision),
        "number": phrases_spark.write_number(n),
        "times": phrases_spark.write_times(n),
        "ordinal": phrases_spark.write_ordinal(n),
        "ordinal word": phrases_spark.write_ordinal_word(n),
        "amount": phrases_spark.write_amount(n, "week"),
        "offset": phrases_spark.write_offset(n),
        "measured": duration,
        "duration": phrases_spark.write_duration(duration),
        "duration in words": phrases_spark.write_duration(small, in_words=True),
        "near weekday": relative_spark.write_near_weekday(day, reference),
        "near day": relative_spark.write_near_day(day, reference),
    }
    for unit in UNITS:
        written[f"count {unit}"] = relative_spark.count_distance(day, reference, unit)
        written[f"spoken {unit}"] = relative_spark.write_distance(day, reference, unit)
        written[f"away {unit}"] = relative_spark.write_distance(day, reference, unit, is_spoken=False, in_words=False)
    return written


def test_columns_write_what_python_writes(spark: SparkSession) -> None:
    pairs = [*DAYS, *((reference, day) for day, reference in DAYS)]
    rows = [(n, *pair, int(PRECISIONS[n % len(PRECISIONS)])) for n, pair in enumerate(pairs)]
    frame = spark.createDataFrame(rows, "n int, day date, reference date, precision int").coalesce(1)
    found = frame.select(*(column.alias(name) for name, column in _write_in_columns().items())).collect()
    expected = [_write_by_python(*row) for row in rows]
    for name in expected[0]:
        assert [row[name] for row in found] == [row[name] for row in expected], name


def test_columns_are_null_where_python_refuses(spark: SparkSession) -> None:
    day, none = F.lit(date(1990, 1, 1)), F.lit(None)
    negative = F.struct(F.lit(-1).alias("years"), F.lit(0).alias("months"), F.lit(0).alias("days"))
    (row,) = (
        spark.range(1)
        .select(
            phrases_spark.write_date(day, Precision.DECADE),
            phrases_spark.write_date(none.cast("date")),
            phrases_spark.write_duration(negative),
            phrases_spark.measure_duration(day, F.date_sub(day, 1)),
            phrases_spark.write_times(none.cast("int")),
            relative_spark.write_distance(none.cast("date"), day),
        )
        .collect()
    )
    assert set(row) == {None}


def test_an_ordinal_of_another_text_is_that_text(spark: SparkSession) -> None:
    texts = {"007": "7th", " 3 ": "3rd", "-1": "-1st", "XXX": "XXX", "1.5": "1.5", "99999999999": "99999999999"}
    frame = spark.createDataFrame([(text,) for text in texts], "n string")
    found = frame.select(phrases_spark.write_ordinal(F.col("n"))).collect()
    assert [row[0] for row in found] == list(texts.values())
