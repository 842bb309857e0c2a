"""Relations of awards received: who, when, how often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa.bind.common import build_year_span, with_item_metadata, with_metadata
from everwhen.families.complextempqa.bind.declared import COUNTED_KNOWN, with_ranges
from everwhen.families.complextempqa.bind.periods import (
    build_window_span,
    cut_to_lives,
    group_by_windows,
    is_inside,
    keep_few_of_each_answer,
    may_be_inside,
    with_windows,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.temporal.precision import Precision


def select_receipts(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Who received an award once, at a known time.

    Returns:
        Columns subject (the recipient), award, award_label, receipt (first_day, precision, calendar), and the metadata.
    """
    received = world.awards.groupBy("award", "award_label", "award_popular", "recipient", "once").agg(
        F.min(F.struct("first_day", "precision", "calendar")).alias("receipt")
    )
    rows = world.subjects.join(received, on=F.col("subject.entity") == F.col("recipient"), how="inner").select(
        "subject", "award", "award_label", "award_popular", "once", "receipt"
    )
    reason = (
        F.when(~F.col("once"), BindingReason.SEVERAL_RECEIPTS)
        .when(F.col("receipt.first_day").isNull(), BindingReason.NO_USABLE_TIME)
        .when(F.col("award_label").isNull(), BindingReason.NAMELESS_AWARD)
    )
    return with_metadata(rows, ["subject"], reason, F.col("award_popular"))


def find_sole_recipients(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Years in which an award went to one recipient; only awards all of whose recipients have a usable time.

    Returns:
        Columns award, award_label, year, recipient, and the metadata; the asked entity is the award, and the split the
        recipient's.
    """
    window = world.config.window
    given = world.awards.where("complete").withColumn("year", F.year("first_day"))
    years = (
        given.where(F.col("year").between(window.start.year, window.end.year))
        .groupBy("award", "award_label", "award_popular", "year")
        .agg(F.count_distinct("recipient").alias("recipients"), F.min("recipient").alias("recipient"))
    )
    reason = F.when(F.col("recipients") > 1, BindingReason.SEVERAL_RECIPIENTS).when(
        F.col("award_label").isNull(), BindingReason.NAMELESS_AWARD
    )
    rows = with_item_metadata(world, years, "award", "award_ceremonies", reason, build_year_span("year"))
    # When the recipient won is asked in the recipient's split; the same fact must not be asked in another.
    split = assign_split(F.col("recipient"), world.config)
    return rows.withColumns({"popular": F.col("award_popular"), "split": split})


def count_receipts(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How often somebody who received an award received it in a window.

    Only of those who received it more than once: of others nobody asks how often. Only windows within the recipient's
    life.

    Returns:
        Columns subject (the recipient), award, award_label, when, count, counted_over, and the metadata.
    """
    pairs = world.awards.groupBy("award", "award_label", "recipient").agg(
        F.bool_and(F.col("first_day").isNotNull()).alias("dated"),
        (F.count(F.lit(1)) == F.count_distinct("first_day", "last_day")).alias("apart"),
        F.count(F.lit(1)).alias("times"),
        _has_ceremonies().alias("ceremonies"),
    )
    ranged = with_ranges(world, pairs.where("times > 1"), "award", "award")
    lives = world.subjects.select(
        F.col("subject.entity").alias("recipient"),
        F.col("subject.earliest_start").alias("first_day"),
        F.col("subject.latest_end").alias("last_day"),
    )
    pair = ["award", "recipient"]
    windows = with_windows(world, cut_to_lives(ranged, lives, "recipient", "inner"), pair)
    groups = group_by_windows(windows, world.awards, pair, may_be_inside() | _is_for_year_of_window()).agg(
        F.count_if(is_inside()).alias("count"),
        F.count_if(_is_for_year_of_window()).alias("for_years"),
        F.count_if(~is_inside() & may_be_inside()).alias("undecided"),
    )
    rows = world.subjects.join(groups, on=F.col("subject.entity") == F.col("recipient"), how="inner")
    counted = with_metadata(rows, ["subject"], _reject_counts_of_receipts(), F.lit(False), build_window_span())
    return keep_few_of_each_answer(world, counted, pair)


def _reject_counts_of_receipts() -> Column:
    """Give the reason why there is no question about how often somebody received an award; null where there is."""
    reason = (
        F.when(~F.col("dated"), BindingReason.UNDATED_RECEIPT)
        .when(~F.col("apart"), BindingReason.REPEATED_RECEIPT)
        .when(F.col("undecided") > 0, BindingReason.AWARD_AT_EDGE)
        .when(F.col("count") == 0, BindingReason.NONE_IN_PERIOD)
        .when(F.col("award_label").isNull(), BindingReason.NAMELESS_AWARD)
        .when(_is_disputed(), BindingReason.CEREMONY_AT_EDGE)
    )
    return F.coalesce("range_reason", reason)


def count_recipients(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How many received an award in a window; only awards all of whose recipients have a usable time.

    Where the award is not declared complete, a year without a known recipient may be one that the facts do not hold: no
    question. Nor is there one where the recipients are as many as the years: nobody counts what goes to one a year.

    Returns:
        Columns award, award_label, when, count, counted_over, and the metadata; the asked entity is the award.
    """
    given = world.awards.where("complete")
    awards = given.groupBy("award", "award_label").agg(_has_ceremonies().alias("ceremonies"))
    windows = with_windows(world, with_ranges(world, awards, "award", "award"), ["award"])
    may_fall = may_be_inside() | _is_for_year_of_window()
    groups = group_by_windows(F.broadcast(windows), given, ["award"], may_fall, "inner").agg(
        F.count_distinct(F.when(is_inside(), F.col("recipient"))).alias("count"),
        F.count_distinct(F.when(_is_for_year_of_window(), F.col("recipient"))).alias("for_years"),
        F.count_if(~is_inside() & may_be_inside()).alias("undecided"),
        F.count_distinct(F.when(is_inside(), F.year("first_day"))).alias("years"),
    )
    is_open = F.col("counted_over") == COUNTED_KNOWN
    reason = (
        F.when(F.col("undecided") > 0, BindingReason.AWARD_AT_EDGE)
        .when(is_open & (F.col("years") <= F.year("last") - F.year("first")), BindingReason.YEAR_WITHOUT_RECIPIENT)
        .when(F.col("count") == F.year("last") - F.year("first") + 1, BindingReason.ONE_A_YEAR)
        .when(F.col("award_label").isNull(), BindingReason.NAMELESS_AWARD)
        .when(_is_disputed(), BindingReason.CEREMONY_AT_EDGE)
    )
    reason = F.coalesce("range_reason", reason)
    counted = with_item_metadata(world, groups, "award", "award_ceremonies", reason, build_window_span())
    return keep_few_of_each_answer(world, counted, ["award"])


def _has_ceremonies() -> Column:
    """Whether an award is given on known days, at ceremonies: many people give it the year before, that it is for."""
    return F.bool_and(F.coalesce(F.col("precision") == Precision.DAY, F.lit(False)))


def _is_for_year_of_window() -> Column:
    """Whether an award is for a year of the window, given the year after."""
    first, last = F.add_months("first", 12), F.add_months("last", 12)
    return (F.col("first_day") >= first) & (F.col("last_day") <= last)


def _is_disputed() -> Column:
    """Whether a count would be another one, or is not known, by the years that awards are for."""
    return F.col("ceremonies") & ((F.col("for_years") != F.col("count")) | (F.year("last") >= F.col("until")))
