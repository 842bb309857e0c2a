"""Redirects: conflicts among them, and where those of the dump end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.core.session import checkpoint
from everwhen.facts.chains import resolve_chains
from everwhen.tables.redirects import REDIRECTS

EDGES = pa.schema([("source", pa.int64()), ("target", pa.int64())])
ENDS = "source bigint, end bigint, is_circular boolean"


def find_conflict(several: str, order: Sequence[str]) -> Column:
    """Return why a redirect is rejected for what else its source has; null where it is not.

    Args:
        several: The reason where the source has several targets: then all are rejected.
        order: Columns that order repetitions; the first of them stays.
    """
    same = Window.partitionBy("source")
    has_several = F.min("target").over(same) != F.max("target").over(same)
    return F.when(has_several, F.lit(several)).when(
        F.row_number().over(same.orderBy(*order)) > 1, F.lit(RejectReason.REPEATED_REDIRECT)
    )


def follow_redirects(rows: DataFrame) -> DataFrame:
    """Decide on every redirect line and follow it to its end.

    All redirects go through one task: Wikidata's few million fit into a few hundred megabytes of arrays and are
    followed there in seconds.

    Args:
        rows: The columns of `DUMP_ROWS`.

    Returns:
        A row for each redirect line, a checkpoint: file, place, source, target (both item ids without
        Q; target is the end) and reason, which is null where the redirect is kept. Rejected are redirects of one item
        to several, repetitions (the least file and place stays) and what runs into a circle.
    """
    lines = rows.where(F.col("kind") == "redirect").select("file", "place", F.col("item").alias("source"), "target")
    judged = lines.withColumn("reason", find_conflict(RejectReason.SPLIT_ITEM_REDIRECT, ("file", "place"))).transform(
        checkpoint
    )
    ends = judged.where(F.col("reason").isNull()).select("source", "target").coalesce(1).mapInArrow(_find_ends, ENDS)
    return (
        judged.join(ends, on="source", how="left")
        .select(
            "file",
            "place",
            "source",
            F.coalesce("end", "target").alias("target"),
            F.coalesce("reason", F.when(F.col("is_circular"), F.lit(RejectReason.CIRCULAR_REDIRECT))).alias("reason"),
        )
        .transform(checkpoint)
    )


def select_item_redirects(followed: DataFrame) -> DataFrame:
    """Select the kept redirects of `follow_redirects`, as rows of `REDIRECTS`."""
    return REDIRECTS.select(
        followed.where(F.col("reason").isNull()).select(
            F.lit("item").alias("kind"),
            F.concat(F.lit("Q"), F.col("source")).alias("source"),
            F.concat(F.lit("Q"), F.col("target")).alias("target"),
        )
    )


def _find_ends(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Follow batches of (source, target), each source once: batches of `ENDS`."""
    edges = pa.Table.from_batches(batches, schema=EDGES)
    source = edges["source"].to_numpy()
    ends, is_circular = resolve_chains(source, edges["target"].to_numpy())
    size = 1 << 16
    for start in range(0, len(source), size):
        part = slice(start, start + size)
        yield pa.record_batch({"source": source[part], "end": ends[part], "is_circular": is_circular[part]})
