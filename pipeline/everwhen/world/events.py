"""Dated events of the window: what year pages link to, and the members of event lists."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.config import Window
from everwhen.core.reasons import RejectReason
from everwhen.temporal.precision import Precision
from everwhen.world.members import CANDIDATE


def resolve_links(year_page_events: DataFrame, entities: DataFrame, redirects: DataFrame) -> DataFrame:
    """Resolve the links of year-page bullets to items, through redirects and sitelinks.

    Returns:
        One row a link: year, bullet, bullet_first, bullet_last, title, entity (null where no item has the article).
    """
    links = year_page_events.withColumnsRenamed({"first_day": "bullet_first", "last_day": "bullet_last"}).select(
        "year", "bullet", "bullet_first", "bullet_last", F.explode("titles").alias("title")
    )
    moved = redirects.where("kind = 'title'").select(F.col("source").alias("title"), "target")
    # Two items cannot share an article; dumps of different days may say they do: then the link is not resolved.
    articles = (
        entities.where(F.col("title").isNotNull())
        .groupBy(F.col("title").alias("target"))
        .agg(F.min("item").alias("entity"), F.count(F.lit(1)).alias("claimants"))
        .where("claimants = 1")
        .drop("claimants")
    )
    return (
        links.join(moved, on="title", how="left")
        .withColumn("target", F.coalesce("target", "title"))
        .join(articles, on="target", how="left")
        .select("year", "bullet", "bullet_first", "bullet_last", "title", "entity")
    )


def judge_links(links: DataFrame, occurrences: DataFrame) -> DataFrame:
    """Say of each link whether it leads to an event of the bullet's date, or why not.

    Args:
        links: As `resolve_links` returns them.
        occurrences: Rows of the table `members` of the list of occurrences.

    Returns:
        The links with a column reason, null where the link counts.
    """
    times = occurrences.select("entity", "first_day", "last_day", F.col("reason").alias("time_reason"))
    disagrees = (F.col("last_day") < F.col("bullet_first")) | (F.col("bullet_last") < F.col("first_day"))
    reason = (
        F.when(F.col("entity").isNull(), RejectReason.NO_ITEM_FOR_ARTICLE)
        .when(F.col("occurrence").isNull(), RejectReason.NOT_AN_OCCURRENCE)
        .when(F.col("time_reason").isNotNull(), F.col("time_reason"))
        .when(disagrees, RejectReason.DATE_DISAGREES)
    )
    return links.join(times.withColumn("occurrence", F.lit(True)), on="entity", how="left").select(
        *links.columns, reason.alias("reason")
    )


def derive_event_candidates(members: DataFrame, linked: DataFrame, primary: DataFrame, window: Window) -> DataFrame:
    """Derive every member of an event list, with the reason why nobody can ask about it.

    Args:
        linked: Column entity: what a year page links to with an agreeing date.
        primary: Columns entity, list, linked, named, place_reason: the list that counts for each event.
        window: The days asked about.

    Returns:
        Columns entity, list, the times and countries of `members`, source, reason.
    """
    start, end = F.lit(window.start), F.lit(window.end)
    # A bound that is wholly in the window puts the event there (the issue of dates at its edge is thereby decided).
    begins = (F.col("first_day") >= start) & (F.col("start_last") <= end)
    ends = (F.col("last_day") >= start) & (F.col("last_day") <= end)
    from_page = F.col("from_page").isNotNull()
    reason = (
        F.when(F.col("reason").isNotNull(), F.col("reason"))
        .when(F.col("precision") < Precision.YEAR, RejectReason.COARSER_THAN_YEAR)
        .when(~(begins | ends), RejectReason.OUTSIDE_WINDOW)
        .when(F.col("linked") & ~from_page, RejectReason.NO_YEAR_PAGE_LINKS)
        .when(~F.col("named"), RejectReason.NO_NAME)
        .otherwise(F.col("place_reason"))
    )
    source = F.when(F.col("linked"), "year page").when(from_page, "year page and list").otherwise("list")
    return (
        members.join(primary, on=["entity", "list"], how="inner")
        .join(linked.select("entity").distinct().withColumn("from_page", F.lit(True)), on="entity", how="left")
        .select(*CANDIDATE, source.alias("source"), reason.alias("reason"))
    )
