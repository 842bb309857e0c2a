"""The books of a stage: what came in, what was kept, what was rejected and why."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

EXAMPLES = 10


def entered(df: DataFrame, unit: str) -> DataFrame:
    """Count the units where they enter: one row for `accounts`, outcome "in"."""
    return df.agg(F.count(F.lit(1)).alias("units")).select(
        F.lit(unit).alias("unit"),
        F.lit("in").alias("outcome"),
        F.lit("").alias("reason"),
        F.col("units"),
        F.array().cast("array<string>").alias("examples"),
    )


def tally(df: DataFrame, unit: str | Column, reason: Column, example: Column) -> DataFrame:
    """Count outcomes: rows for `accounts`, one of outcome "kept" and one of outcome "rejected" for each reason.

    Args:
        df: One row a unit.
        unit: What a row is; a column where one table has rows of several units.
        reason: Why it is rejected; null where it is kept.
        example: A text that shows the unit; the ten least of each reason are kept, each cut at 200 characters.
    """
    text = F.substring(F.coalesce(example.cast("string"), F.lit("?")), 1, 200)
    grouped = (
        df.select(
            (F.lit(unit) if isinstance(unit, str) else unit).alias("unit"),
            F.coalesce(reason, F.lit("")).alias("reason"),
            text.alias("example"),
        )
        .groupBy("unit", "reason")
        .agg(F.count(F.lit(1)).alias("units"), F.min_by("example", "example", EXAMPLES).alias("examples"))
    )
    kept = F.col("reason") == ""
    return grouped.select(
        F.col("unit"),
        F.when(kept, "kept").otherwise("rejected").alias("outcome"),
        F.col("reason"),
        F.col("units"),
        F.when(kept, F.array().cast("array<string>")).otherwise(F.col("examples")).alias("examples"),
    )


def gather(parts: list[DataFrame]) -> DataFrame:
    """Put books together; the same unit, outcome and reason from several readers add up."""
    together = reduce(DataFrame.unionByName, parts)
    return together.groupBy("unit", "outcome", "reason").agg(
        F.sum("units").alias("units"),
        F.slice(F.array_sort(F.flatten(F.collect_list("examples"))), 1, EXAMPLES).alias("examples"),
    )
