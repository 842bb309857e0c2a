from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.record_counts import entered, gather, tally
from everwhen.tables.record_counts import accounts

pytestmark = pytest.mark.spark


def test_books_add_up_and_keep_the_ten_least_examples(spark: SparkSession) -> None:
    lines = [(f"line {n:02}", "bad" if n < 25 else None) for n in range(30)] + [("x" * 300, "long"), (None, "nothing")]
    units = spark.createDataFrame(lines, "text string, reason string").repartition(3)
    more = spark.createDataFrame([("line 005", "bad")], "text string, reason string")
    parts = [entered(units, "line"), entered(more, "line")]
    parts += [tally(part, "line", F.col("reason"), F.col("text")) for part in (units, more)]
    books = accounts("facts").select(gather(parts))
    rows = {(row.outcome, row.reason): (row.units, row.examples) for row in books.collect()}
    assert rows == {
        ("in", ""): (33, []),
        ("kept", ""): (5, []),
        ("rejected", "bad"): (26, sorted([*(f"line {n:02}" for n in range(25)), "line 005"])[:10]),
        ("rejected", "long"): (1, ["x" * 200]),
        ("rejected", "nothing"): (1, ["?"]),
    }
    assert sum(count for (outcome, _), (count, _) in rows.items() if outcome != "in") == rows["in", ""][0]


def test_units_are_not_mixed_and_nothing_is_counted_as_nothing(spark: SparkSession) -> None:
    none = spark.createDataFrame([], "text string, reason string")
    some = spark.createDataFrame([("a", None)], "text string, reason string")
    parts = [entered(none, "line"), tally(none, "line", F.col("reason"), F.col("text")), entered(some, "page")]
    assert {(r.unit, r.outcome, r.units) for r in gather(parts).collect()} == {("line", "in", 0), ("page", "in", 1)}
    several = spark.createDataFrame([("line", "x"), ("page", None), ("page", "x")], "unit string, reason string")
    books = tally(several, F.col("unit"), F.col("reason"), F.col("reason")).collect()
    assert {(r.unit, r.outcome, r.units) for r in books} == {
        ("line", "rejected", 1),
        ("page", "rejected", 1),
        ("page", "kept", 1),
    }
