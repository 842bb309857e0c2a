"""Record counts of the dump: lines and statements in, kept, rejected by reason."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.record_counts import count_input, count_outcomes, state_input
from everwhen.facts.items import describe_redirect
from everwhen.tables.record_counts import record_counts


def count_dump(rows: DataFrame, superseded: DataFrame, followed: DataFrame, lines: int) -> DataFrame:
    """Count lines and statements.

    Lines come in where Spark reads them, statements where an entity line is parsed, before any of them is looked at.
    Statements of lines that are rejected whole, or out of scope, are not counted.

    Args:
        rows: The columns of `DUMP_ROWS`.
        superseded: The result of `find_superseded_lines`.
        followed: The result of `follow_redirects`.
        lines: The lines of the files, as `read_dump` has observed them.

    Returns:
        The columns of `record_counts`.
    """
    lost = superseded.withColumnRenamed("reason", "lost")
    read = rows.where(F.col("kind") != "redirect").join(lost, on=["file", "place"], how="left")
    shown = F.coalesce("sample", "statement_id", F.concat(F.lit("Q"), F.col("item")))
    parts = (
        state_input(rows.sparkSession, {"line": lines}),
        count_input(rows.where(F.col("kind") == "entity"), "statement", F.col("statements")),
        count_outcomes(
            read.select(
                F.col("level").alias("record_type"),
                F.coalesce("reason", "lost").alias("reason"),
                shown.alias("example"),
                "units",
            ).unionByName(
                followed.select(
                    F.lit("line").alias("record_type"),
                    "reason",
                    describe_redirect().alias("example"),
                    F.lit(1).cast("bigint").alias("units"),
                )
            ),
            F.col("record_type"),
            F.col("reason"),
            F.col("example"),
            F.col("units"),
        ),
    )
    counts = parts[0].unionByName(parts[1]).unionByName(parts[2])
    return record_counts("facts").select(counts)
