"""Relations of awards received: who, when, how often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa.bind.common import NO_COUNTRY, build_year_span, with_metadata
from everwhen.families.complextempqa.bind.declared import COUNTED_KNOWN, with_ranges
from everwhen.families.complextempqa.bind.periods import is_inside, keep_few_of_each_answer, may_be_inside, with_windows
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.temporal.precision import Precision


def select_receipts(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Who received an award once, at a known time.

    Args:
        world: The world.
        params: None.

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

    Args:
        world: The world.
        params: None.

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
    rows = _add_metadata(world, years, build_year_span(F.col("year"), F.col("year")), F.col("award_popular"), reason)
    # When the recipient won is asked in the recipient's split; the same fact must not be asked in another.
    return rows.withColumn("split", assign_split(F.col("recipient"), world.config))


def count_receipts(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How often somebody who received an award received it in a window.

    Only of those who received it more than once: of others nobody asks how often. Only windows within the recipient's
    life.

    Args:
        world: The world.
        params: None.

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
        F.year("subject.earliest_start").alias("begun"),
        F.year("subject.latest_end").alias("ended"),
    )
    alive = (
        ranged.join(lives, on="recipient", how="inner")
        .withColumn("since", F.greatest("since", "begun"))
        .withColumn("until", F.least("until", "ended"))
        .select(*ranged.columns)
    )
    windows = with_windows(world, alive, ["award", "recipient"])
    same = [F.col("w.award") == F.col("x.award"), F.col("w.recipient") == F.col("x.recipient")]
    groups = (
        windows.alias("w")
        .join(world.awards.alias("x"), on=[*same, may_be_inside() | _is_for_year_of_window()], how="left")
        .select("w.*", "statement_id", "first_day", "last_day")
        .groupBy(*windows.columns)
        .agg(
            F.count_if(is_inside()).alias("count"),
            F.count_if(_is_for_year_of_window()).alias("for_years"),
            F.count_if(~is_inside() & may_be_inside()).alias("undecided"),
        )
    )
    rows = world.subjects.join(groups, on=F.col("subject.entity") == F.col("recipient"), how="inner")
    counted = with_metadata(rows, ["subject"], _reject_counts_of_receipts(), F.lit(False))
    spanned = counted.withColumn("span", F.struct(F.col("first").alias("start"), F.col("last").alias("end")))
    return keep_few_of_each_answer(world, spanned, ["award", "recipient"])


def _reject_counts_of_receipts() -> Column:
    """Give the reason why there is no question about how often somebody received an award; null where there is."""
    return (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(~F.col("dated"), BindingReason.UNDATED_RECEIPT)
        .when(~F.col("apart"), BindingReason.REPEATED_RECEIPT)
        .when(F.col("undecided") > 0, BindingReason.AWARD_AT_EDGE)
        .when(F.col("count") == 0, BindingReason.NONE_IN_PERIOD)
        .when(F.col("award_label").isNull(), BindingReason.NAMELESS_AWARD)
        .when(_is_disputed(), BindingReason.CEREMONY_AT_EDGE)
    )


def count_recipients(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How many received an award in a window; only awards all of whose recipients have a usable time.

    Where the award is not declared complete, a year without a known recipient may be one that the facts do not hold: no
    question. Nor is there one where the recipients are as many as the years: nobody counts what goes to one a year.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns award, award_label, when, count, counted_over, and the metadata; the asked entity is the award.
    """
    given = world.awards.where("complete")
    awards = given.groupBy("award", "award_label").agg(_has_ceremonies().alias("ceremonies"))
    windows = with_windows(world, with_ranges(world, awards, "award", "award"), ["award"])
    groups = (
        given.drop("award_label")
        .join(
            F.broadcast(windows.withColumnRenamed("award", "asked")),
            on=(may_be_inside() | _is_for_year_of_window()) & F.expr("award = asked"),
            how="inner",
        )
        .groupBy("award", "award_label", "first", "last", "when", "until", "ceremonies", "counted_over", "range_reason")
        .agg(
            F.count_distinct(F.when(is_inside(), F.col("recipient"))).alias("count"),
            F.count_distinct(F.when(_is_for_year_of_window(), F.col("recipient"))).alias("for_years"),
            F.count_if(~is_inside() & may_be_inside()).alias("undecided"),
            F.count_distinct(F.when(is_inside(), F.year("first_day"))).alias("years"),
        )
    )
    is_open = F.col("counted_over") == COUNTED_KNOWN
    reason = (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(F.col("undecided") > 0, BindingReason.AWARD_AT_EDGE)
        .when(is_open & (F.col("years") <= F.year("last") - F.year("first")), BindingReason.YEAR_WITHOUT_RECIPIENT)
        .when(F.col("count") == F.year("last") - F.year("first") + 1, BindingReason.ONE_A_YEAR)
        .when(F.col("award_label").isNull(), BindingReason.NAMELESS_AWARD)
        .when(_is_disputed(), BindingReason.CEREMONY_AT_EDGE)
    )
    span = F.struct(F.col("first").alias("start"), F.col("last").alias("end"))
    return keep_few_of_each_answer(world, _add_metadata(world, groups, span, F.lit(False), reason), ["award"])


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


def _add_metadata(world: WorldTables, rows: DataFrame, span: Column, popular: Column, reason: Column) -> DataFrame:
    """What a question about an award carries."""
    topic = next(e.topic for e in world.lists if e.id == "award_ceremonies")
    return rows.select(
        *rows.columns,
        popular.alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        span.alias("span"),
        F.lit(topic).alias("topic"),
        assign_split(F.col("award"), world.config).alias("split"),
        F.col("award").alias("head"),
        reason.alias("reason"),
    )
