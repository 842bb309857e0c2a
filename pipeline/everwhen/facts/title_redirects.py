"""Redirects of article titles, followed to their ends for the titles that events link to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.core.session import checkpoint
from everwhen.facts.chains import resolve_chains
from everwhen.facts.locations import split_location, to_file_name
from everwhen.facts.redirects import find_conflict
from everwhen.tables.redirects import REDIRECTS
from everwhen.tables.rejects import REJECTS

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
    from_pages = pages.where(F.col("redirect").isNotNull() & F.col("reason").isNull()).select(
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
        .select(to_file_name(F.col("_metadata.file_path")).alias("file"), split_location().alias("place"), "value")
        .select("file", "place", F.make_valid_utf8("value").alias("line"), pair.alias("pair"))
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
    edges = judged.where(F.col("reason").isNull()).select("source", "target")
    ends = spark.createDataFrame(_resolve_chains(linked, edges), "source string, end string")
    circle = F.col("end").isNull()
    decided = (
        judged.join(F.broadcast(ends.withColumn("linked", F.lit(True))), on="source", how="left")
        .withColumn(
            "reason",
            F.when(F.col("reason").isNotNull(), F.col("reason"))
            .when(F.col("linked").isNull(), F.lit(RejectReason.UNUSED_REDIRECT))
            .when(circle, F.lit(RejectReason.CIRCULAR_REDIRECT)),
        )
        .transform(checkpoint)
    )
    kept = decided.where(F.col("reason").isNull())
    malformed = decided.where(F.col("reason").isin(*MALFORMED))
    return FollowedTitles(
        kept=REDIRECTS.select(kept.select(F.lit("title").alias("kind"), "source", F.col("end").alias("target"))),
        rejects=REJECTS.select(
            malformed.select(
                F.lit("redirect").alias("record_type"),
                "file",
                "place",
                "reason",
                F.substring("line", 1, 200).alias("sample"),
            )
        ),
        decided=decided,
    )


def _screen_redirects(redirects: DataFrame) -> DataFrame:
    """Give broken lines, contradictions and repetitions their reason."""
    broken = (F.coalesce("source", F.lit("")) == "") | (F.coalesce("target", F.lit("")) == "")
    conflict = find_conflict(RejectReason.SPLIT_TITLE_REDIRECT, ("file", "place", "line"))
    return redirects.withColumn("reason", F.when(broken, F.lit(RejectReason.BAD_REDIRECT)).otherwise(conflict))


def _resolve_chains(linked: DataFrame, edges: DataFrame) -> list[tuple[str, str | None]]:
    """Resolve where each linked title's chain ends; None where it runs in a circle.

    All redirects of a wiki are millions; those that a few dozen pages link to are collected round by round.
    """
    ways: dict[str, str] = {}
    sources: set[str] = set()
    asked = linked.select(F.col("title").alias("source"))
    for _ in range(MAX_REDIRECTS):
        found = edges.join(F.broadcast(asked), on="source", how="left_semi").collect()
        ways.update((row["source"], row["target"]) for row in found)
        sources = sources or set(ways)
        onward = sorted({row["target"] for row in found} - set(ways))
        if not onward:
            break
        asked = linked.sparkSession.createDataFrame([(title,) for title in onward], "source string")
    ends, is_circular = resolve_chains(*(np.array(list(titles), dtype=object) for titles in (ways, ways.values())))
    chains = zip(ways, ends.tolist(), is_circular.tolist(), strict=True)
    return sorted((source, None if circular else end) for source, end, circular in chains if source in sources)
