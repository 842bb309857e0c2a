"""Relations of positions (P39): terms, the holder in a year (`reign`) or during an event (`during`), neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa.bind.common import NO_COUNTRY, build_year_span, fill_open_end, with_metadata
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.temporal.precision import Precision

TERM = (
    *("statement_id", "earliest_start", "latest_start", "start_precision", "start_calendar"),
    *("earliest_end", "latest_end", "end_precision", "end_calendar"),
)

NAMELESS_POSITION = BindingReason.NAMELESS.with_detail(what="position")


def select_terms(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Select each holder's term of a position; a holder of several terms gets a reject reason.

    Args:
        params: closed (whether the end of the term must be known).

    Returns:
        Columns subject (the holder), position, term, and the metadata.
    """
    return world.compute_once("terms of holders", lambda: _join_holders(world)).where(
        F.col("term.latest_end").isNotNull() if params["closed"] else F.lit(True)
    )


def _join_holders(world: WorldTables) -> DataFrame:
    # One row for each holder and position. If there are several terms, any may be kept: they give no question.
    terms = world.terms.groupBy("position", "position_label", "position_popular", "holder", "is_only_term").agg(
        F.min(F.struct(*TERM)).alias("term")
    )
    terms = world.subjects.join(terms, on=F.col("subject.entity") == F.col("holder"), how="inner").select(
        "subject", "position", "position_label", "position_popular", "is_only_term", "term"
    )
    reason = F.when(~F.col("is_only_term"), BindingReason.SEVERAL_TERMS).when(
        F.col("position_label").isNull(), NAMELESS_POSITION
    )
    return with_metadata(terms, ["subject"], reason, F.col("position_popular"))


def find_sole_holders(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Find the years in which one person held a position on every day, and nobody else on any day.

    Only complete timelines and years of the window are used.

    Returns:
        Columns position, year, holder, and the metadata. The asked entity is the position; the split is the holder's.
    """
    start, end = world.config.window.start.year, world.config.window.end.year
    last = F.coalesce(F.year("latest_end"), F.lit(end))
    spanned = world.terms.where("complete").where((F.year("earliest_start") <= end) & (last >= start))
    years = spanned.withColumn(
        "year",
        F.explode(F.sequence(F.greatest(F.year("earliest_start"), F.lit(start)), F.least(last, F.lit(end)))),
    )
    span = build_year_span("year")
    in_year = years.groupBy("position", "position_label", "position_popular", "year").agg(
        F.count_distinct("holder").alias("holders"),
        F.bool_or(_is_in_office(span["start"], span["end"])).alias("is_complete"),
        F.min("holder").alias("holder"),
    )
    holders = world.subjects.select(
        F.col("subject.entity").alias("holder"), F.col("subject.topic").alias("topic"), F.lit(True).alias("asked_about")
    )
    reason = (
        F.when(F.col("holders") > 1, BindingReason.SEVERAL_HOLDERS_IN_YEAR)
        .when(~F.col("is_complete"), BindingReason.NOT_IN_OFFICE_ALL_YEAR)
        .when(F.col("position_label").isNull(), NAMELESS_POSITION)
        .when(F.col("asked_about").isNull(), BindingReason.HOLDER_NOT_LISTED)
    )
    return in_year.join(holders, on="holder", how="left").select(
        "position",
        "year",
        "holder",
        F.col("position_popular").alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        span.alias("span"),
        F.coalesce("topic", F.lit("")).alias("topic"),
        # Other questions ask in the holder's split when the holder took office: one fact must not be in two splits.
        assign_split(F.col("holder"), world.config).alias("split"),
        F.col("position").alias("head"),
        reason.alias("reason"),
    )


def find_neighbours(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Find the predecessor, or successor, of each holder of a position.

    Start dates give the order of terms. A term follows another one under three conditions:

    - It surely starts later, and no other term may have started between the two.
    - The first term ended a day before the second began, or later.
    - The first term did not surely end after the second began: they share one day at most.

    Only complete timelines are used. A handover between holders of different splits gives no question: other questions
    ask in the split of each holder when that holder took office.

    Args:
        params: side (before or after).

    Returns:
        Columns subject (the holder), position, neighbour, and the metadata.
    """
    before = params["side"] == "before"
    order = Window.partitionBy("position").orderBy("earliest_start", "statement_id")
    # Every other term must surely have started before the first of the two terms, or after the second.
    earlier = order.rowsBetween(Window.unboundedPreceding, -2 if before else -1)
    with_neighbours = (
        world.terms.where("complete")
        .withColumn("term", F.struct(*TERM))
        .withColumn("next", (F.lag if before else F.lead)(F.struct("holder", *TERM), 1).over(order))
        .withColumn("earlier", F.max("latest_start").over(earlier))
        .withColumn("later", F.lead("earliest_start", 1 if before else 2).over(order))
    )
    asked = world.subjects.join(with_neighbours, on=F.col("subject.entity") == F.col("holder"), how="inner").select(
        "subject",
        *("position", "position_label", "position_popular", "is_only_term", "term", "next", "earlier", "later"),
    )
    own, other = F.col("term"), F.col("next")
    first, second = (other, own) if before else (own, other)
    is_clear = (F.col("earlier").isNull() | (F.col("earlier") < first["earliest_start"])) & (
        F.col("later").isNull() | (F.col("later") > second["latest_start"])
    )
    in_order = first["latest_start"] < second["earliest_start"]
    handed_over = (first["latest_end"] >= F.date_sub(second["earliest_start"], 1)) & (
        first["earliest_end"] <= second["latest_start"]
    )
    reason = (
        F.when(~F.col("is_only_term"), BindingReason.SEVERAL_TERMS)
        .when(F.col("position_label").isNull(), NAMELESS_POSITION)
        .when(other.isNull(), BindingReason.NO_NEIGHBOUR.with_detail(side=params["side"]))
        .when(~in_order | ~is_clear, BindingReason.UNCLEAR_ORDER)
        .when(~F.coalesce(handed_over, F.lit(False)), BindingReason.NO_HANDOVER)
        .when(
            _are_in_two_splits(world, F.col("subject.entity"), other["holder"]), BindingReason.HOLDER_IN_ANOTHER_SPLIT
        )
    )
    return with_metadata(asked.withColumn("neighbour", other["holder"]), ["subject"], reason, F.col("position_popular"))


def find_holders_during(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Find who held an office of a country throughout an event there, or when an item there began.

    Only complete timelines are used, and only subjects whose days are known. The holder must be in the subject's split:
    other questions ask in the holder's split when the holder took office.

    Args:
        params: kind (event or item), lists (ids of entity lists; without it, all of the kind).

    Returns:
        Columns subject, verbs, position, holder, and the metadata.
    """
    is_event = params["kind"] == "event"
    precision, last = ("precision", "latest_end") if is_event else ("start_precision", "latest_start")
    dated = world.subjects.where(
        (F.col("subject.kind") == params["kind"])
        & (F.col(f"subject.{precision}") == Precision.DAY)
        & (F.size("subject.countries") == 1)
    )
    if "lists" in params:
        dated = dated.where(F.col("subject.list").isin(params["lists"]))
    events = dated.select("subject", F.element_at("subject.countries", 1).alias("jurisdiction"))
    overlaps = (F.col("subject.earliest_start") <= fill_open_end("latest_end")) & (
        F.col(f"subject.{last}") >= F.col("earliest_start")
    )
    terms = world.terms.where("complete AND jurisdiction IS NOT NULL")
    terms = (
        events.join(terms, on="jurisdiction", how="inner")
        .where(overlaps)
        .groupBy("subject.entity", "position", "position_label", "position_popular")
        .agg(
            F.first("subject").alias("subject"),
            F.count_distinct("holder").alias("holders"),
            F.bool_or(_is_in_office(F.col("subject.earliest_start"), F.col(f"subject.{last}"))).alias("is_complete"),
            F.min("holder").alias("holder"),
        )
    )
    reason = (
        F.when(F.col("holders") > 1, BindingReason.SEVERAL_HOLDERS_DURING_EVENT)
        .when(~F.col("is_complete"), BindingReason.NOT_IN_OFFICE_ALL_EVENT)
        .when(F.col("position_label").isNull(), NAMELESS_POSITION)
        .when(
            _are_in_two_splits(world, F.col("subject.entity"), F.col("holder")), BindingReason.HOLDER_IN_ANOTHER_SPLIT
        )
    )
    return with_metadata(world.with_verbs(terms), ["subject"], reason, F.col("position_popular"))


def _is_in_office(first: Column, last: Column) -> Column:
    """Whether a term surely includes all days from the first to the last."""
    return (F.col("latest_start") <= first) & (F.col("earliest_end").isNull() | (F.col("earliest_end") >= last))


def _are_in_two_splits(world: WorldTables, asked: Column, holder: Column) -> Column:
    """Whether a holder and the asked subject are in different splits."""
    return assign_split(asked, world.config) != assign_split(holder, world.config)
