from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.quotas import keep_least, rank_in_turns, reject_beyond

pytestmark = pytest.mark.spark

ROWS = [(1, "a", None), (2, "a", "early"), (3, "a", None), (4, "a", None), (5, "b", None), (6, "b", None)]
DDL = "id bigint, kind string, reason string"


def test_the_least_ids_of_each_group_are_kept(spark: SparkSession) -> None:
    limits = spark.createDataFrame([("a", 1)], "kind string, most bigint")
    judged = keep_least(spark.createDataFrame(ROWS, DDL), limits, "id", "too many", F.col("reason").isNull())
    assert judged.columns == ["id", "kind", "reason"]
    reasons = {row.id: row.reason for row in judged.collect()}
    assert reasons == {1: None, 2: "early", 3: "too many", 4: "too many", 5: None, 6: None}


def test_rows_from_an_end_on_get_a_reason(spark: SparkSession) -> None:
    ends = spark.createDataFrame([("a", 2), ("b", 6)], "kind string, beyond bigint")
    judged = reject_beyond(spark.createDataFrame(ROWS, DDL), ends, "id", "over")
    assert {row.id: row.reason for row in judged.collect()} == {
        1: None,
        2: "early",
        3: "over",
        4: "over",
        5: None,
        6: "over",
    }


def test_the_parts_of_a_cell_take_turns(spark: SparkSession) -> None:
    rows = spark.createDataFrame([(n, "a" if n < 5 else "b") for n in range(1, 7)], "id bigint, part string")
    cells = [("part", "id"), ("", "place, part")]
    ranked = rank_in_turns(rows, cells, "place")
    order = [row.id for row in ranked.orderBy("place").collect()]
    assert order == [1, 5, 2, 6, 3, 4]
    assert sorted(row.id for row in rank_in_turns(rows, cells, "place", most=3).collect()) == [1, 2, 5]
