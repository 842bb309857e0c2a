"""Record counts of the dump: lines and statements in, kept, rejected by reason."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.facts.items import redirect_text
from everwhen.tables.record_counts import record_counts

EXAMPLES = 10


def dump_accounts(rows: DataFrame, superseded: DataFrame, followed: DataFrame, lines: int) -> DataFrame:
    """Count lines and statements.

    Lines come in where Spark reads them, statements where an entity line is parsed, before any of them is looked at.
    Statements of lines that are rejected whole, or out of scope, are not counted.

    Args:
        rows: The columns of `DUMP_ROWS`.
        superseded: The result of `superseded_lines`.
        followed: The result of `follow_redirects`.
        lines: The lines of the files, as `read_dump` has observed them.

    Returns:
        The columns of `record_counts`.
    """
    lost = superseded.withColumnRenamed("reason", "lost")
    read = rows.join(lost, on=["file", "place"], how="left")
    redirects = followed.select(
        F.lit("line").alias("record_type"),
        "reason",
        F.lit(1).cast("bigint").alias("records"),
        redirect_text().alias("sample"),
    )
    settled = (
        read.where(F.col("kind") != "redirect")
        .select(
            F.col("level").alias("record_type"),
            F.coalesce("reason", "lost").alias("reason"),
            F.col("units").alias("records"),
            F.coalesce("sample", "statement_id", F.concat(F.lit("Q"), F.col("item"))).alias("sample"),
        )
        .unionByName(redirects)
    )
    counted = settled.groupBy("record_type", "reason").agg(
        F.sum("records").alias("records"), F.min_by("sample", "sample", EXAMPLES).alias("least")
    )
    kept = F.col("reason").isNull()
    nothing = F.array().cast("array<string>")
    outcomes = counted.select(
        "record_type",
        F.when(kept, F.lit("kept")).otherwise(F.lit("rejected")).alias("status"),
        F.coalesce("reason", F.lit("")).alias("reason"),
        "records",
        F.when(kept, nothing).otherwise(F.array_distinct("least")).alias("examples"),
    )
    return record_counts("facts").select(outcomes.unionByName(_entered(rows, lines, nothing)))


def _entered(rows: DataFrame, lines: int, nothing: Column) -> DataFrame:
    """The rows of status input."""
    held = rows.where(F.col("kind") == "entity").agg(F.coalesce(F.sum("statements"), F.lit(0)).alias("records"))
    entered = held.select(F.lit("statement").alias("record_type"), "records").unionByName(
        held.sparkSession.range(1).select(
            F.lit("line").alias("record_type"), F.lit(lines).cast("bigint").alias("records")
        )
    )
    return entered.select(
        "record_type", F.lit("input").alias("status"), F.lit("").alias("reason"), "records", nothing.alias("examples")
    )
