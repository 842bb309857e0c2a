"""Redirects of article titles, followed to their ends for the titles that events link to."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from pipeline.accounting import entered, gather, tally
from pipeline.facts.places import file_name, split_place
from pipeline.tables.redirects import REDIRECTS
from pipeline.tables.rejects import REJECTS

LONGEST_CHAIN = 10
"""MediaWiki itself follows one redirect; its users keep chains short."""

BROKEN = 'not a redirect: {"source": title, "target": title}'
SEVERAL = "redirect of one title to several"
CIRCLE = "redirect runs in a circle"
MALFORMED = (BROKEN, SEVERAL, CIRCLE)


@dataclass(frozen=True)
class FollowedTitles:
    """Kept redirects (`REDIRECTS`), malformed ones (`REJECTS`), and the books of the unit redirect (`accounts`)."""

    kept: DataFrame
    rejects: DataFrame
    accounts: DataFrame


def title_redirects(spark: SparkSession, files: list[str], pages: DataFrame) -> DataFrame:
    """All redirects of `redirects.jsonl` files and of pages: file, place, line, source, target; nulls where broken."""
    from_pages = pages.where(F.col("redirect").isNotNull() & F.col("reason").isNull()).select(
        "file",
        F.lit("page").alias("place"),
        F.concat_ws(" -> ", "title", "redirect").alias("line"),
        F.col("title").alias("source"),
        F.col("redirect").alias("target"),
    )
    if not files:
        return from_pages
    pair = F.from_json("value", "source string, target string")
    from_files = (
        spark.read.text(files)
        .select(file_name(F.col("_metadata.file_path")).alias("file"), split_place().alias("place"), "value")
        .select("file", "place", F.col("value").alias("line"), pair.alias("pair"))
        .select("file", "place", "line", "pair.source", "pair.target")
    )
    return from_pages.unionByName(from_files)


def follow_titles(redirects: DataFrame, linked: DataFrame) -> FollowedTitles:
    """Follow the redirects of the titles that are linked to.

    Args:
        redirects: file, place, line, source, target.
        linked: title, each once.
    """
    judged = _judged(redirects)
    edges = judged.where(F.col("reason").isNull()).select("source", "target")
    ends = _ends(linked.select(F.col("title").alias("source")), edges).localCheckpoint()
    decided = (
        judged.join(ends, on="source", how="left")
        .withColumn(
            "reason",
            F.when(F.col("reason").isNotNull(), F.col("reason"))
            .when(F.col("end").isNull(), F.lit("no event links to it"))
            .when(F.col("open"), F.lit(CIRCLE)),
        )
        .localCheckpoint()
    )
    kept = decided.where(F.col("reason").isNull())
    malformed = decided.where(F.col("reason").isin(*MALFORMED))
    return FollowedTitles(
        kept=REDIRECTS.select(kept.select(F.lit("title").alias("kind"), "source", F.col("end").alias("target"))),
        rejects=REJECTS.select(
            malformed.select(
                F.lit("redirect").alias("unit"), "file", "place", "reason", F.substring("line", 1, 200).alias("sample")
            )
        ),
        accounts=gather([entered(redirects, "redirect"), tally(decided, "redirect", F.col("reason"), F.col("line"))]),
    )


def _judged(redirects: DataFrame) -> DataFrame:
    """Give broken lines, contradictions and repetitions their reason."""
    same = Window.partitionBy("source")
    several = F.min("target").over(same) != F.max("target").over(same)
    repeated = F.row_number().over(same.orderBy("file", "place", "line")) > 1
    broken = (F.coalesce("source", F.lit("")) == "") | (F.coalesce("target", F.lit("")) == "")
    return redirects.withColumn(
        "reason",
        F.when(broken, F.lit(BROKEN)).when(several, F.lit(SEVERAL)).when(repeated, F.lit("redirect occurs before")),
    ).localCheckpoint()


def _ends(titles: DataFrame, edges: DataFrame) -> DataFrame:
    """Where each title's chain ends: source, end, and whether it is still open after the longest chain."""
    onward = edges.select(F.col("source").alias("end"), F.col("target").alias("next"))
    ways = titles.join(edges, on="source", how="inner").select("source", F.col("target").alias("end"))
    ways = ways.withColumn("open", F.lit(True))
    for _ in range(LONGEST_CHAIN):
        joined = ways.join(onward, on="end", how="left")
        ways = joined.select(
            "source", F.coalesce("next", "end").alias("end"), F.col("next").isNotNull().alias("open")
        ).localCheckpoint()
        if not ways.where("open").head(1):
            break
    return ways
