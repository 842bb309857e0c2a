"""The windows of counting questions."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, GroupedData, Window
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.common import FOREVER
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.config import read_settings

DECADE = 10
"""Years of the shortest windows: people count over decades, and over longer times."""

MAX_YEARS = 50
"""Years from the first of a window to its last, at most."""

LOOKED_AT = 48
"""In how many windows a subject is counted; of those with the same answer few are asked."""


def list_windows(start: int, end: int, rounded: int) -> list[tuple[int, int]]:
    """List the windows within some years that people name: their first and last year.

    Decades ("in the 1990s"), and times of ten years and more from one round year to another ("from 1980 to 2010").

    Args:
        start: The first year.
        end: The last year.
        rounded: What round years are divisible by.
    """
    decades = [(year, year + DECADE - 1) for year in range(start, end) if year % DECADE == 0]
    rounds = [year for year in range(start, end + 1) if year % rounded == 0]
    longer = [(a, b) for a in rounds for b in rounds if DECADE <= b - a <= MAX_YEARS]
    return sorted(window for window in decades + longer if window[1] <= end)


def with_windows(world: WorldTables, ranges: DataFrame, keys: Sequence[str]) -> DataFrame:
    """Give each subject that is counted its windows, by hash.

    Args:
        ranges: Columns since, until (years): a window of the subject is within one such range; range_reason; and those
            of `keys`.
        keys: The columns that distinguish subjects. A subject may have several ranges.

    Returns:
        The columns of `ranges`, first, last: days, both included; when: the words, "from 1990 to 2010" or "in the
        1990s". At most LOOKED_AT rows a subject.
    """
    # Read twice: for the years, and for the windows.
    ranges = checkpoint(ranges)
    bounds = ranges.agg(F.min("since"), F.max("until")).first()
    start, end = bounds if bounds is not None and bounds[0] is not None else (1, 0)
    named = list_windows(start, end, read_settings(world.config).round_years)
    chosen = (
        ranges.withColumn("window", F.explode(_choose_windows(world, named, keys)))
        .select(*ranges.columns, "window.*")
        .transform(keep_one_range, [*keys, "from_year", "to_year"])
        .withColumn("place", F.row_number().over(Window.partitionBy(*keys).orderBy("chance", "from_year", "to_year")))
        .where(F.col("place") <= LOOKED_AT)
    )
    return chosen.select(
        *ranges.columns,
        F.make_date("from_year", F.lit(1), F.lit(1)).alias("first"),
        F.make_date("to_year", F.lit(12), F.lit(31)).alias("last"),
        F.when(F.col("to_year") - F.col("from_year") < DECADE, F.format_string("in the %ds", "from_year"))
        .otherwise(F.format_string("from %d to %d", "from_year", "to_year"))
        .alias("when"),
    )


def keep_one_range(ranged: DataFrame, keys: Sequence[str]) -> DataFrame:
    """Keep one of several ranges of the same keys: one in which something is counted before others, then the latest.

    Args:
        ranged: Columns since, until, range_reason, and those of `keys`.
        keys: The columns that distinguish what is counted.
    """
    order = Window.partitionBy(*keys).orderBy(
        F.col("range_reason").isNotNull(), F.desc("until"), "since", "range_reason"
    )
    return ranged.withColumn("range", F.row_number().over(order)).where("range = 1").drop("range")


def _choose_windows(world: WorldTables, named: Sequence[tuple[int, int]], keys: Sequence[str]) -> Column:
    """Choose the windows from `since` to `until` of the least hashes: an array of chance, from_year and to_year.

    They are chosen before rows are made of them: of hundreds of windows LOOKED_AT remain, and only these are sorted.
    """
    every = F.from_json(F.lit(json.dumps(named)), "array<array<int>>")
    key = [F.coalesce(F.col(name).cast("string"), F.lit("")) for name in keys]
    within = F.filter(every, lambda window: (window[0] >= F.col("since")) & (window[1] <= F.col("until")))

    def with_chance(window: Column) -> Column:
        chance = F.xxhash64(world.hash_of("windows", *key, window[0]), window[1])
        return F.struct(chance.alias("chance"), window[0].alias("from_year"), window[1].alias("to_year"))

    return F.slice(F.sort_array(F.transform(within, with_chance)), 1, LOOKED_AT)


def cut_to_lives(ranges: DataFrame, lives: DataFrame, key: str, how: str) -> DataFrame:
    """Cut the years in which something is counted to those of its life, as far as start and end are known.

    Args:
        ranges: Columns since, until (years), and `key`.
        lives: Columns first_day, last_day (null where not known), and `key`.
        key: The column that both have.
        how: How they are joined: "inner" leaves out what has no life.
    """
    return (
        ranges.join(lives, on=key, how=how)
        .withColumn("since", F.greatest("since", F.year("first_day")))
        .withColumn("until", F.least("until", F.year("last_day")))
        .select(*ranges.columns)
    )


def group_by_windows(
    windows: DataFrame, counted: DataFrame, keys: Sequence[str], may_fall: Column, how: str = "left"
) -> GroupedData:
    """Group what may fall into windows by these, with all columns of both.

    Args:
        windows: The windows (`with_windows`).
        counted: What is counted: columns of `keys` that say of which subject, and others.
        keys: The columns that distinguish subjects; some may be null.
        may_fall: What may fall into a window of its subject.
        how: How both are joined: "inner" leaves out windows into which nothing may fall.
    """
    same = [F.col(f"w.{key}").eqNullSafe(F.col(f"x.{key}")) for key in keys]
    others = [F.col(f"x.{name}") for name in counted.columns if name not in windows.columns]
    both = windows.alias("w").join(counted.alias("x"), on=[*same, may_fall], how=how)
    return both.select("w.*", *others).groupBy(*windows.columns)


def keep_few_of_each_answer(
    world: WorldTables, counted: DataFrame, keys: Sequence[str], when: str = "when"
) -> DataFrame:
    """Keep, of the windows in which a subject is counted, few with the same answer, by hash.

    Args:
        counted: Columns reason, count (the answer), and those of `keys`. Windows without a question are few, too.
        keys: The columns that distinguish subjects.
        when: The column that distinguishes windows of a subject.
    """
    chance = world.hash_of("window", *(F.coalesce(F.col(key).cast("string"), F.lit("")) for key in keys), when)
    order = Window.partitionBy(*keys, "reason", "count").orderBy(chance, when)
    return (
        counted.withColumn("place", F.row_number().over(order))
        .where(F.col("place") <= read_settings(world.config).windows_per_answer)
        .drop("place")
    )


def build_window_span() -> Column:
    """The days of a window, as the span of a question."""
    return F.struct(F.col("first").alias("start"), F.col("last").alias("end"))


def may_be_inside() -> Column:
    """Whether the days from first_day to last_day may fall into the period."""
    return (F.col("first_day") <= F.col("last")) & (F.col("last_day") >= F.col("first"))


def is_inside() -> Column:
    """Whether the days from first_day to last_day surely fall into the period."""
    return (F.col("first_day") >= F.col("first")) & (F.col("last_day") <= F.col("last"))


def may_be_in_window() -> Column:
    """Whether what begins and ends in the years `begun` and `ended` may fall into the window.

    Windows are of whole years. What is open, or has no known end, is in no window that begins after it did: else every
    later count would be undecided.
    """
    open_before = (F.col("ended") == int(FOREVER[:4])) & (F.col("begun") < F.year("first"))
    return (F.col("begun") <= F.year("last")) & (F.col("ended") >= F.year("first")) & ~open_before


def is_in_window() -> Column:
    """Whether what begins and ends in the years `begun` and `ended` surely falls into the window."""
    return (F.col("begun") >= F.year("first")) & (F.col("ended") <= F.year("last"))


def sum_where(column: str, where: Column | None = None) -> Column:
    """The sum of a column over the rows in which a condition holds; 0 of no rows."""
    return F.coalesce(F.sum(F.col(column) if where is None else F.when(where, F.col(column))), F.lit(0))
