from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.record_counts import (
    RecordCounts,
    count_input,
    count_outcomes,
    count_records,
    state_input,
    sum_counts,
)
from everwhen.tables.record_counts import record_counts


@pytest.mark.spark
def test_record_counts_add_up_and_keep_the_ten_least_examples(spark: SparkSession) -> None:
    lines = [(f"line {n:02}", "bad" if n < 25 else None) for n in range(30)] + [("x" * 300, "long"), (None, "nothing")]
    records = spark.createDataFrame(lines, "text string, reason string").repartition(3)
    more = spark.createDataFrame([("line 005", "bad")], "text string, reason string")
    parts = [count_records(part, "line", F.col("text")) for part in (records, more)]
    counts = record_counts("facts").select(sum_counts(parts))
    rows = {(row.status, row.reason): (row.records, row.examples) for row in counts.collect()}
    assert rows == {
        ("input", ""): (33, []),
        ("kept", ""): (5, []),
        ("rejected", "bad"): (26, sorted([*(f"line {n:02}" for n in range(25)), "line 005"])[:10]),
        ("rejected", "long"): (1, ["x" * 200]),
        ("rejected", "nothing"): (1, ["?"]),
    }
    assert sum(count for (status, _), (count, _) in rows.items() if status != "input") == rows["input", ""][0]


@pytest.mark.spark
def test_record_types_are_counted_apart(spark: SparkSession) -> None:
    none = spark.createDataFrame([], "text string, reason string")
    some = spark.createDataFrame([("a", None)], "text string, reason string")
    parts = [
        count_input(none, "line"),
        count_outcomes(none, "line", F.col("reason"), F.col("text")),
        count_input(some, "page"),
    ]
    assert {(r.record_type, r.status, r.records) for r in sum_counts(parts).collect()} == {
        ("line", "input", 0),
        ("page", "input", 1),
    }
    several = spark.createDataFrame([("line", "x"), ("page", None), ("page", "x")], "record_type string, reason string")
    counts = count_outcomes(several, F.col("record_type"), F.col("reason"), F.col("reason")).collect()
    assert {(r.record_type, r.status, r.records) for r in counts} == {
        ("line", "rejected", 1),
        ("page", "rejected", 1),
        ("page", "kept", 1),
    }


@pytest.mark.spark
def test_what_entered_and_was_lost_on_the_way_does_not_add_up(spark: SparkSession) -> None:
    entered = spark.createDataFrame([("a", None), ("b", None)], "text string, reason string")
    counts = count_records(entered.where("text = 'a'"), "line", F.col("text"), entered=entered)
    assert {(row.status, row.records) for row in counts.collect()} == {("input", 2), ("kept", 1)}


@pytest.mark.spark
def test_a_row_may_stand_for_many_records(spark: SparkSession) -> None:
    rows = [("a", None, 5), ("b", "bad", 7), ("b", "bad", 2), ("c", "bad", 1)]
    df = spark.createDataFrame(rows, "text string, reason string, number int")
    number = F.col("number")
    parts = [
        count_input(df, "line", number),
        count_input(df.where("false"), "page", number),
        state_input(spark, {"line": 0, "bullet": 3}),
        count_outcomes(df, "line", F.col("reason"), F.col("text"), number),
    ]
    counts = record_counts("facts").select(sum_counts(parts))
    assert sorted(tuple(row) for row in counts.collect()) == [
        ("bullet", "input", "", 3, []),
        ("line", "input", "", 15, []),
        ("line", "kept", "", 5, []),
        ("line", "rejected", "bad", 10, ["b", "c"]),
        ("page", "input", "", 0, []),
    ]


def test_counts_in_python_add_up_and_keep_the_ten_least_examples() -> None:
    parts = [RecordCounts(), RecordCounts()]
    for start, counts in zip((30, 0), parts, strict=True):
        counts.reject("line", "odd", 30, [f"text {n:02d}" for n in range(start, start + 30)])
        counts.reject("page", "odd", 2, ["x" * 300])
        counts.keep("line", 4)
        counts.decide("page", None)
        counts.decide("page", "odd")
        counts.reject("page", "none of these", 0)
    parts[0].merge(parts[1])
    assert [tuple(row.values()) for row in parts[0].list_rows()] == [
        ("line", "input", "", 68, []),
        ("line", "kept", "", 8, []),
        ("line", "rejected", "odd", 60, [f"text {n:02d}" for n in range(10)]),
        ("page", "input", "", 8, []),
        ("page", "kept", "", 2, []),
        ("page", "rejected", "odd", 6, ["x" * 200]),
    ]
