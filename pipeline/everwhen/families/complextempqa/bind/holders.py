"""Relations of counting questions: how many people held a position in a window, and how often it changed hands.

That a holder may or may not have held it in the window makes the count undecided: no question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.common import fill_open_end, with_item_metadata
from everwhen.families.complextempqa.bind.declared import COUNTED_KNOWN, with_ranges
from everwhen.families.complextempqa.bind.office import NAMELESS_POSITION
from everwhen.families.complextempqa.bind.periods import (
    build_window_span,
    group_by_windows,
    keep_few_of_each_answer,
    with_windows,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason

MAX_VACANT_DAYS = 92
"""Days for which a position may be vacant without a doubt that the facts contain all its holders."""

MAX_DAYS_BETWEEN = 7
"""Days between two holders of a position; who acted in it for longer might be counted, too."""


def count_holders(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Count the people who held a position on some day of a window.

    Where the position is not declared complete, one that nobody is known to have held for longer than MAX_VACANT_DAYS,
    or at either end of the window, may have had holders that the facts do not hold: no question. Every term of the
    position needs a usable start and end.

    Returns:
        Columns position, when, count, counted_over, and the metadata.
    """
    surely = (F.col("latest_start") <= F.col("last")) & (
        F.col("earliest_end").isNull() | (F.col("earliest_end") >= F.col("first"))
    )
    terms = _order_terms(world).withColumn("vacant", F.datediff("earliest_start", "filled_to") > MAX_VACANT_DAYS)
    counts = (
        F.count_distinct("holder").alias("count"),
        F.count_if(~surely).alias("undecided"),
        F.count_if(F.col("vacant") & (F.col("earliest_start") > F.col("first"))).alias("vacancies"),
    )
    is_open = F.col("counted_over") == COUNTED_KNOWN
    reason = (
        F.when(F.col("undecided") > 0, BindingReason.TERM_AT_EDGE)
        .when(is_open & (F.col("known_from") > F.col("first")), BindingReason.NO_HOLDER_AT_START)
        .when(is_open & (F.col("known_to") < F.col("last")), BindingReason.NO_HOLDER_AT_END)
        .when(is_open & (F.col("vacancies") > 0), BindingReason.VACANCY)
    )
    return _count_in_windows(world, terms, F.col("earliest_start"), counts, reason)


def count_handovers(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How many times in a window somebody took over a position from somebody else.

    Both the end of the one and the start of the other surely lie after the first day of the window and before its last;
    a handover that touches either day can be disputed, and so can one with more than MAX_DAYS_BETWEEN between.

    Returns:
        Columns position, when, count, counted_over, and the metadata.
    """
    # Least and greatest leave out what is not known: the end of a term that continues, and the term before the first.
    begin, end = F.least("earliest_start", "before.earliest_end"), F.greatest("latest_start", "before.latest_end")
    surely_in = (begin > F.col("first")) & (end < F.col("last"))
    surely_out = (end < F.col("first")) | (begin > F.col("last"))
    new = F.col("before.holder") != F.col("holder")
    handed_over = (
        (F.datediff("earliest_start", "filled_to") <= MAX_DAYS_BETWEEN)
        & (F.col("filled_to") <= F.col("latest_start"))
        & (F.col("before.latest_start") < F.col("earliest_start"))
    )
    counts = (
        F.count_if(new & surely_in).alias("count"),
        F.count_if(new & ~surely_in & ~surely_out).alias("at_edge"),
        F.count_if(~surely_out & ~F.coalesce(handed_over, F.lit(True))).alias("vacancies"),
    )
    reason = (
        F.when(F.col("known_from") >= F.col("first"), BindingReason.NO_HOLDER_AT_START)
        .when(F.col("known_to") < F.col("last"), BindingReason.NO_HOLDER_AT_END)
        .when(F.col("vacancies") > 0, BindingReason.VACANT_BETWEEN)
        .when(F.col("at_edge") > 0, BindingReason.HANDOVER_AT_EDGE)
    )
    return _count_in_windows(world, _order_terms(world), begin, counts, reason)


def _order_terms(world: WorldTables) -> DataFrame:
    """Terms of positions all of whose terms are usable, with before: the term before, and filled_to: the last day on
    which one of those before ends; null for the first."""
    order = Window.partitionBy("position").orderBy("earliest_start", "statement_id")
    earlier = order.rowsBetween(Window.unboundedPreceding, -1)
    return (
        world.terms.where("complete")
        .withColumn("filled_to", F.max(fill_open_end("latest_end")).over(earlier))
        .withColumn("before", F.lag(F.struct("holder", "latest_start", "earliest_end", "latest_end")).over(order))
    )


def _count_in_windows(
    world: WorldTables, terms: DataFrame, begin: Column, counts: Sequence[Column], reason: Column
) -> DataFrame:
    """Count in windows of each position the terms that touch them, each from its begin.

    The reason reads the counts, and known_from and known_to: the days from which and to which somebody surely held it.
    """
    touches = (begin <= F.col("last")) & (F.col("latest_end").isNull() | (F.col("latest_end") >= F.col("first")))
    ranged = with_ranges(world, terms.select("position", "position_label").distinct(), "position", "position")
    windows = F.broadcast(with_windows(world, ranged, ["position"]))
    groups = group_by_windows(windows, terms, ["position"], touches, "inner").agg(
        F.min("latest_start").alias("known_from"),
        F.max(F.coalesce("earliest_end", F.col("last"))).alias("known_to"),
        *counts,
    )
    nameless = F.when(F.col("position_label").isNull(), F.lit(NAMELESS_POSITION))
    reason = F.coalesce("range_reason", reason, nameless)
    counted = with_item_metadata(world, groups, "position", "heads_of_state", reason, build_window_span())
    return keep_few_of_each_answer(world, counted, ["position"])
