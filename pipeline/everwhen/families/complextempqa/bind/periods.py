"""The windows of counting questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.config import read_settings

LENGTHS = (4, 6, 8, 10, 12, 15, 20, 25, 30)
"""Years from the first of a window to its last, as people name them: from 1990 to 2000, from 1984 to 2004."""

LOOKED_AT = 48
"""In how many windows a thing is counted; of those with the same answer few are asked."""

ROUND = 5
"""The first or the last year of a window is divisible by this."""


def list_windows(start: int, end: int) -> list[tuple[int, int]]:
    """List the windows within some years: their first and last year."""
    every = chain.from_iterable(((year, year + length) for length in LENGTHS) for year in range(start, end))
    return [(a, b) for a, b in every if b <= end and 0 in (a % ROUND, b % ROUND)]


def with_windows(world: World, ranges: DataFrame, keys: Sequence[str]) -> DataFrame:
    """Give each thing that is counted its windows, by hash.

    Args:
        world: The world.
        ranges: Columns since, until (years): a window of the thing lies within one such range; and those of `keys`.
        keys: What tells things apart. A thing may have several ranges.

    Returns:
        The columns of `ranges`, first, last: days, both included; when: the words, "from 1990 to 2006". At most
        LOOKED_AT rows a thing.
    """
    bounds = ranges.agg(F.min("since"), F.max("until")).first()
    start, end = bounds if bounds is not None and bounds[0] is not None else (1, 0)
    windows = world.spark.createDataFrame(list_windows(start, end), "from_year int, to_year int")
    chance = world.hash_of("windows", *(F.coalesce(F.col(key).cast("string"), F.lit("")) for key in keys), "from_year")
    order = Window.partitionBy(*keys).orderBy(F.xxhash64(chance, "to_year"), "from_year", "to_year")
    chosen = (
        ranges.join(
            F.broadcast(windows),
            on=(F.col("from_year") >= F.col("since")) & (F.col("to_year") <= F.col("until")),
            how="inner",
        )
        .dropDuplicates([*keys, "from_year", "to_year"])
        .withColumn("place", F.row_number().over(order))
        .where(F.col("place") <= LOOKED_AT)
    )
    return chosen.select(
        *ranges.columns,
        F.make_date("from_year", F.lit(1), F.lit(1)).alias("first"),
        F.make_date("to_year", F.lit(12), F.lit(31)).alias("last"),
        F.format_string("from %d to %d", "from_year", "to_year").alias("when"),
    )


def few_of_each_answer(world: World, counted: DataFrame, keys: Sequence[str], when: str = "when") -> DataFrame:
    """Keep, of the windows in which a thing is counted, few with the same answer, by hash.

    Args:
        world: The world.
        counted: Columns reason, n (the answer), and those of `keys`. Windows without a question are few, too.
        keys: What tells things apart.
        when: The column that tells windows of a thing apart.
    """
    chance = world.hash_of("window", *(F.coalesce(F.col(key).cast("string"), F.lit("")) for key in keys), when)
    order = Window.partitionBy(*keys, "reason", "n").orderBy(chance, when)
    return (
        counted.withColumn("place", F.row_number().over(order))
        .where(F.col("place") <= read_settings(world.config).windows_per_answer)
        .drop("place")
    )


def overlaps() -> Column:
    """Whether the days from first_day to last_day may fall into the period."""
    return (F.col("first_day") <= F.col("last")) & (F.col("last_day") >= F.col("first"))


def inside() -> Column:
    """Whether the days from first_day to last_day surely fall into the period."""
    return (F.col("first_day") >= F.col("first")) & (F.col("last_day") <= F.col("last"))
