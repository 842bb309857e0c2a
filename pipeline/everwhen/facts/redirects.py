"""Redirects between items, followed to their ends."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.session import held
from everwhen.tables.redirects import REDIRECTS


def follow_redirects(rows: DataFrame) -> DataFrame:
    """Decide on every redirect line and follow it to its end.

    Args:
        rows: The columns of `DUMP_ROWS`.

    Returns:
        A row for each redirect line, held by a checkpoint: file, place, source, target (both item ids without
        Q; target is the end) and reason, which is null where the redirect is kept. Rejected are redirects of one item
        to several, repetitions (the least file and place stays) and what runs into a cycle.
    """
    lines = rows.where(F.col("kind") == "redirect").select("file", "place", F.col("item").alias("source"), "target")
    same_source = Window.partitionBy("source")
    several = F.min("target").over(same_source) != F.max("target").over(same_source)
    number = F.row_number().over(same_source.orderBy("file", "place"))
    reason = F.when(several, F.lit("redirect of one item to several"))
    judged = lines.withColumn("reason", reason.when(number > 1, F.lit("redirect occurs before"))).transform(held)
    ends = _ends(judged.where(F.col("reason").isNull()).select("source", "target"))
    kept = F.col("reason").isNull()
    return (
        judged.join(ends, on="source", how="left")
        .select(
            "file",
            "place",
            "source",
            F.coalesce("end", "target").alias("target"),
            F.when(kept & F.col("cyclic"), F.lit("redirect runs in a circle"))
            .otherwise(F.col("reason"))
            .alias("reason"),
        )
        .transform(held)
    )


def item_redirects(followed: DataFrame) -> DataFrame:
    """The kept redirects of `follow_redirects`, as rows of `REDIRECTS`."""
    return REDIRECTS.select(
        followed.where(F.col("reason").isNull()).select(
            F.lit("item").alias("kind"),
            F.concat(F.lit("Q"), F.col("source")).alias("source"),
            F.concat(F.lit("Q"), F.col("target")).alias("target"),
        )
    )


def _ends(edges: DataFrame) -> DataFrame:
    """The end of each edge (source, target): source, end and cyclic.

    Each round doubles the length of the way that is covered. An edge whose target still has an edge is open; as long
    as an open edge has an end, each round closes at least one. What is open when a round closes none, runs in a circle.
    """
    hops = edges.select("source", F.col("target").alias("end")).transform(held)
    still_open = -1
    while True:
        onward = hops.select(F.col("source").alias("end"), F.col("end").alias("next"))
        ways = hops.join(onward, on="end", how="left")
        now_open = ways.where(F.col("next").isNotNull()).count()
        if now_open in (0, still_open):
            return ways.select("source", "end", F.col("next").isNotNull().alias("cyclic"))
        still_open = now_open
        hops = ways.select("source", F.coalesce("next", "end").alias("end")).transform(held)
