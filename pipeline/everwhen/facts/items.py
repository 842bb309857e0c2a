"""Entities and statements out of the parsed dump, one revision an item, redirects resolved, and counted."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import count_input, count_outcomes, state_input
from everwhen.core.session import checkpoint
from everwhen.tables.facts import ENTITIES, REJECTS, STATEMENTS
from everwhen.tables.record_counts import record_counts


def find_superseded_lines(rows: DataFrame, followed: DataFrame) -> DataFrame:
    """Find the entity lines that do not count, because another line says more about the item.

    A redirect wins over an entity. Among entities the greatest revision wins (an unknown one is -1), then the one
    with more statements, then the one with the greater hash; identical lines by file and place.

    Args:
        rows: The columns of `DUMP_ROWS`.
        followed: The result of `follow_redirects`.

    Returns:
        file and place of each such line, and the reason; a checkpoint.
    """
    order = (F.desc("revision"), F.desc("statements"), F.desc("line_hash"), F.asc("file"), F.asc("place"))
    number = F.row_number().over(Window.partitionBy("item").orderBy(*order))
    redirected = followed.where("reason IS NULL").select(F.col("source").alias("item"), F.lit(True).alias("redirected"))
    reason = F.when(F.col("redirected"), RejectReason.REDIRECTED).otherwise(RejectReason.OLDER_REVISION)
    return (
        rows.where("kind = 'entity'")
        .withColumn("number", number)
        .join(redirected, on="item", how="left")
        .where("number > 1 OR redirected")
        .select("file", "place", reason.alias("reason"))
        .transform(checkpoint)
    )


def select_entities(rows: DataFrame, superseded: DataFrame) -> DataFrame:
    """Select the items, each in the line that counts.

    Args:
        rows: The columns of `DUMP_ROWS`.
        superseded: The result of `find_superseded_lines`.
    """
    return ENTITIES.select(rows.where("kind = 'entity'").join(superseded, on=["file", "place"], how="left_anti"))


def select_statements(rows: DataFrame, superseded: DataFrame, followed: DataFrame) -> DataFrame:
    """Select the statements of the items; a value that is a redirected item becomes the item at its end.

    Rejected statements are among them, with the snak type unreadable, unless they are deprecated or of no known
    property: they count for the best rank, and for how many values there are.

    Statement ids are unique: an id names its item, an item has one line, and the reader rejects a second statement
    of the same id in a line.

    Args:
        rows: The columns of `DUMP_ROWS`.
        superseded: The result of `find_superseded_lines`.
        followed: The result of `follow_redirects`.
    """
    ends = followed.where("reason IS NULL").select(F.col("source").alias("value_item"), F.col("target").alias("end"))
    unreadable = "snak = 'unreadable' AND rank != 'deprecated' AND property IS NOT NULL"
    kept = (
        rows.where(f"kind = 'statement' OR {unreadable}")
        .withColumnRenamed("item", "subject")
        .join(superseded, on=["file", "place"], how="left_anti")
        # Without the hint all statements would be sorted by value, and a few classes are the value of most of them.
        .join(F.broadcast(ends), on="value_item", how="left")
        .withColumn("value_item", F.coalesce("end", "value_item"))
    )
    return STATEMENTS.select(kept)


def collect_rejects(rows: DataFrame, followed: DataFrame) -> DataFrame:
    """Collect malformed lines and statements, and redirects without an end, as rows of `REJECTS`.

    Args:
        rows: The columns of `DUMP_ROWS`.
        followed: The result of `follow_redirects`.
    """
    malformed = rows.where("kind = 'reject'").select(
        F.col("level").alias("record_type"),
        "file",
        F.concat_ws(", ", "place", "statement_id").alias("place"),
        "reason",
        "sample",
    )
    endless = followed.where("reason IS NOT NULL").select(
        F.lit("line").alias("record_type"), "file", "place", "reason", describe_redirect().alias("sample")
    )
    return REJECTS.select(malformed.unionByName(endless))


def describe_redirect() -> Column:
    """Write a redirect of `follow_redirects` in words."""
    return F.concat(F.lit("Q"), F.col("source"), F.lit(" to Q"), F.col("target"))


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
    read = rows.where("kind != 'redirect'").join(lost, on=["file", "place"], how="left")
    shown = F.coalesce("sample", "statement_id", F.concat(F.lit("Q"), F.col("item")))
    decided = read.select("level", F.coalesce("reason", "lost").alias("reason"), shown.alias("example"), "units")
    redirects = followed.select(
        F.lit("line").alias("level"),
        "reason",
        describe_redirect().alias("example"),
        F.lit(1).cast("bigint").alias("units"),
    )
    columns = (F.col(name) for name in ("level", "reason", "example", "units"))
    inputs = state_input(rows.sparkSession, {"line": lines}).unionByName(
        count_input(rows.where("kind = 'entity'"), "statement", F.col("statements"))
    )
    outcomes = count_outcomes(decided.unionByName(redirects), *columns)
    return record_counts("facts").select(inputs.unionByName(outcomes))
