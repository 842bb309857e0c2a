from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.record_counts import count_input, count_outcomes, sum_counts
from everwhen.tables.record_counts import record_counts

pytestmark = pytest.mark.spark


def test_books_add_up_and_keep_the_ten_least_examples(spark: SparkSession) -> None:
    lines = [(f"line {n:02}", "bad" if n < 25 else None) for n in range(30)] + [("x" * 300, "long"), (None, "nothing")]
    records = spark.createDataFrame(lines, "text string, reason string").repartition(3)
    more = spark.createDataFrame([("line 005", "bad")], "text string, reason string")
    parts = [count_input(records, "line"), count_input(more, "line")]
    parts += [count_outcomes(part, "line", F.col("reason"), F.col("text")) for part in (records, more)]
    books = record_counts("facts").select(sum_counts(parts))
    rows = {(row.status, row.reason): (row.records, row.examples) for row in books.collect()}
    assert rows == {
        ("input", ""): (33, []),
        ("kept", ""): (5, []),
        ("rejected", "bad"): (26, sorted([*(f"line {n:02}" for n in range(25)), "line 005"])[:10]),
        ("rejected", "long"): (1, ["x" * 200]),
        ("rejected", "nothing"): (1, ["?"]),
    }
    assert sum(count for (status, _), (count, _) in rows.items() if status != "input") == rows["input", ""][0]


def test_units_are_not_mixed_and_nothing_is_counted_as_nothing(spark: SparkSession) -> None:
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
    books = count_outcomes(several, F.col("record_type"), F.col("reason"), F.col("reason")).collect()
    assert {(r.record_type, r.status, r.records) for r in books} == {
        ("line", "rejected", 1),
        ("page", "rejected", 1),
        ("page", "kept", 1),
    }
