"""Redirects followed to their ends: of items in the dump, and of the article titles that events link to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.core.session import checkpoint
from everwhen.facts.files import collect_malformed, locate_line
from everwhen.tables.facts import REDIRECTS


def resolve_chains(source: NDArray[Any], target: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Follow redirects of any length to their ends.

    Each round doubles the length of the way that is covered, so that millions of redirects take a second or two.

    >>> ends, is_circular = resolve_chains(np.array([1, 2, 5, 6, 8]), np.array([2, 3, 6, 5, 8]))
    >>> ends.tolist(), is_circular.tolist()
    ([3, 3, 6, 5, 8], [False, False, True, True, True])

    Args:
        source: What is redirected, each once; numbers, or texts as objects.
        target: Where each leads.

    Returns:
        The end of each redirect, and whether it is or leads into a circle; its end is then its own target.
    """
    if not len(source):
        return target.copy(), np.zeros(0, dtype=np.bool_)
    order = np.argsort(source, kind="stable")
    number = np.minimum(np.searchsorted(source[order], target), len(source) - 1)
    following = order[number]
    goes_on = source[following] == target
    last = np.where(goes_on, following, np.arange(len(source)))
    open_ones = np.flatnonzero(goes_on & goes_on[last])
    # A chain without a circle has at most as many redirects as there are.
    for _ in range(len(source).bit_length()):
        last[open_ones] = last[last[open_ones]]
        open_ones = open_ones[goes_on[last[open_ones]]]
    return np.where(goes_on[last], target, target[last]), goes_on[last]


EDGES = pa.schema([("source", pa.int64()), ("target", pa.int64())])
CHAIN_ENDS_COLUMNS = "source bigint, end bigint, is_circular boolean"


def find_conflict(several: str, order: Sequence[str]) -> Column:
    """Return why a redirect is rejected for what else its source has; null where it is not.

    Args:
        several: The reason where the source has several targets: then all are rejected.
        order: Columns that order repetitions; the first of them stays.
    """
    same = Window.partitionBy("source")
    has_several = F.min("target").over(same) != F.max("target").over(same)
    is_repeated = F.row_number().over(same.orderBy(*order)) > 1
    return F.when(has_several, several).when(is_repeated, RejectReason.REPEATED_REDIRECT)


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
    conflict = find_conflict(RejectReason.SPLIT_ITEM_REDIRECT, ("file", "place"))
    judged = lines.withColumn("reason", conflict).transform(checkpoint)
    ends = (
        judged.where("reason IS NULL").select("source", "target").coalesce(1).mapInArrow(_find_ends, CHAIN_ENDS_COLUMNS)
    )
    circular = F.when(F.col("is_circular"), RejectReason.CIRCULAR_REDIRECT)
    target, reason = F.coalesce("end", "target").alias("target"), F.coalesce("reason", circular).alias("reason")
    decided = judged.join(ends, on="source", how="left").select("file", "place", "source", target, reason)
    return decided.transform(checkpoint)


def select_item_redirects(followed: DataFrame) -> DataFrame:
    """Select the kept redirects of `follow_redirects`, as rows of `REDIRECTS`."""
    return REDIRECTS.select(
        followed.where("reason IS NULL").select(
            F.lit("item").alias("kind"),
            F.concat(F.lit("Q"), F.col("source")).alias("source"),
            F.concat(F.lit("Q"), F.col("target")).alias("target"),
        )
    )


def _find_ends(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Follow batches of (source, target), each source once: batches of `CHAIN_ENDS_COLUMNS`."""
    edges = pa.Table.from_batches(batches, schema=EDGES)
    source = edges["source"].to_numpy()
    ends, is_circular = resolve_chains(source, edges["target"].to_numpy())
    size = 1 << 16
    for start in range(0, len(source), size):
        part = slice(start, start + size)
        yield pa.record_batch({"source": source[part], "end": ends[part], "is_circular": is_circular[part]})


MAX_REDIRECTS = 10
"""Rounds of following. MediaWiki itself follows one redirect; its users keep chains short."""

MALFORMED = (RejectReason.BAD_REDIRECT, RejectReason.SPLIT_TITLE_REDIRECT, RejectReason.CIRCULAR_REDIRECT)


@dataclass(frozen=True)
class FollowedTitles:
    """What came of the redirects.

    Attributes:
        kept: The columns of `REDIRECTS`.
        rejects: The columns of `REJECTS`: malformed ones.
        decided: All of them, with reason (null: kept) and line.
    """

    kept: DataFrame
    rejects: DataFrame
    decided: DataFrame


def read_title_redirects(spark: SparkSession, files: list[str], pages: DataFrame) -> DataFrame:
    """Read all redirects of `redirects.jsonl` files and of pages: file, place, line, source, target."""
    from_pages = pages.where("redirect IS NOT NULL AND reason IS NULL").select(
        "file",
        F.lit("page").alias("place"),
        F.concat_ws(" -> ", "title", "redirect").alias("line"),
        F.col("title").alias("source"),
        F.col("redirect").alias("target"),
    )
    if not files:
        return from_pages
    pair = F.from_json(F.try_validate_utf8("value"), "source string, target string")
    from_files = (
        spark.read.text(files)
        .select(*locate_line(), F.make_valid_utf8("value").alias("line"), pair.alias("pair"))
        .select("file", "place", "line", "pair.source", "pair.target")
    )
    return from_pages.unionByName(from_files)


def follow_titles(redirects: DataFrame, linked: DataFrame) -> FollowedTitles:
    """Follow the redirects of the titles that are linked to.

    Args:
        redirects: file, place, line, source, target.
        linked: title, each once.
    """
    spark = redirects.sparkSession
    judged = _screen_redirects(redirects)
    edges = judged.where("reason IS NULL").select("source", "target")
    ends = spark.createDataFrame(_resolve_chains(linked, edges), "source string, end string")
    unfit = F.when(F.col("linked").isNull(), RejectReason.UNUSED_REDIRECT)
    unfit = unfit.when(F.col("end").isNull(), RejectReason.CIRCULAR_REDIRECT)
    decided = (
        judged.join(F.broadcast(ends.withColumn("linked", F.lit(True))), on="source", how="left")
        .withColumn("reason", F.coalesce("reason", unfit))
        .transform(checkpoint)
    )
    kept = decided.where("reason IS NULL").select(F.lit("title").alias("kind"), "source", F.col("end").alias("target"))
    malformed = decided.where(F.col("reason").isin(*MALFORMED))
    return FollowedTitles(
        kept=REDIRECTS.select(kept),
        rejects=collect_malformed(malformed, "redirect"),
        decided=decided,
    )


def _screen_redirects(redirects: DataFrame) -> DataFrame:
    broken = (F.coalesce("source", F.lit("")) == "") | (F.coalesce("target", F.lit("")) == "")
    conflict = find_conflict(RejectReason.SPLIT_TITLE_REDIRECT, ("file", "place", "line"))
    return redirects.withColumn("reason", F.when(broken, RejectReason.BAD_REDIRECT).otherwise(conflict))


def _resolve_chains(linked: DataFrame, edges: DataFrame) -> list[tuple[str, str | None]]:
    """Resolve where each linked title's chain ends; None where it runs in a circle.

    All redirects of a wiki are millions; those that a few dozen pages link to are collected round by round.
    """
    ways: dict[str, str] = {}
    sources: set[str] = set()
    asked = linked.select(F.col("title").alias("source"))
    for _ in range(MAX_REDIRECTS):
        found: dict[str, str] = dict(edges.join(F.broadcast(asked), on="source", how="left_semi").collect())
        ways |= found
        sources = sources or set(ways)
        onward = sorted({*found.values()} - ways.keys())
        if not onward:
            break
        asked = linked.sparkSession.createDataFrame([(title,) for title in onward], "source string")
    source, target = (np.array(list(titles), dtype=object) for titles in (ways, ways.values()))
    chains = zip(ways, *(each.tolist() for each in resolve_chains(source, target)), strict=True)
    return sorted((source, None if circular else end) for source, end, circular in chains if source in sources)
