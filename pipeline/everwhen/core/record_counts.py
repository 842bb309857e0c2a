"""Record counts of a stage: how many records it took in, kept, and rejected for each reason."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

EXAMPLES = 10


def count_input(df: DataFrame, record_type: str) -> DataFrame:
    """Count the records of one type where they enter: one row of the table `record_counts`, status input."""
    return df.agg(F.count(F.lit(1)).alias("records")).select(
        F.lit(record_type).alias("record_type"),
        F.lit("input").alias("status"),
        F.lit("").alias("reason"),
        F.col("records"),
        F.array().cast("array<string>").alias("examples"),
    )


def count_outcomes(df: DataFrame, record_type: str | Column, reason: Column, example: Column) -> DataFrame:
    """Count what became of records: rows of `record_counts`, one of status kept, one of status rejected a reason.

    Args:
        df: One row a record.
        record_type: What a row is; a column where one table has records of several types.
        reason: Why it is rejected; null where it is kept.
        example: A text that shows the record; the ten least of each reason are kept, each cut at 200 characters.
    """
    text = F.substring(F.coalesce(example.cast("string"), F.lit("?")), 1, 200)
    grouped = (
        df.select(
            (F.lit(record_type) if isinstance(record_type, str) else record_type).alias("record_type"),
            F.coalesce(reason, F.lit("")).alias("reason"),
            text.alias("example"),
        )
        .groupBy("record_type", "reason")
        .agg(F.count(F.lit(1)).alias("records"), F.min_by("example", "example", EXAMPLES).alias("examples"))
    )
    kept = F.col("reason") == ""
    return grouped.select(
        F.col("record_type"),
        F.when(kept, "kept").otherwise("rejected").alias("status"),
        F.col("reason"),
        F.col("records"),
        F.when(kept, F.array().cast("array<string>")).otherwise(F.col("examples")).alias("examples"),
    )


def sum_counts(parts: list[DataFrame]) -> DataFrame:
    """Add up record counts of the same type, status and reason from several readers."""
    together = reduce(DataFrame.unionByName, parts)
    return together.groupBy("record_type", "status", "reason").agg(
        F.sum("records").alias("records"),
        F.slice(F.array_sort(F.flatten(F.collect_list("examples"))), 1, EXAMPLES).alias("examples"),
    )
