"""Columns that are computed once."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.columns import add_once

pytestmark = pytest.mark.spark


def test_a_filter_stays_behind_columns_that_are_computed_once(spark: SparkSession) -> None:
    rows = add_once(spark.range(4), (F.col("id") % 2).alias("odd"), F.lit("x").alias("letter")).where("odd = 1")
    assert [tuple(row) for row in rows.collect()] == [(1, 1, "x"), (3, 1, "x")]
    plan = rows._jdf.queryExecution().executedPlan().toString()
    assert plan.index("Filter") < plan.index("Generate"), "the plan is printed from its end"
    assert plan.count("% 2") == 1
