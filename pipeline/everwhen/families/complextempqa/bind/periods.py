"""The windows of counting questions."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.config import read_settings


def periods(world: World, kinds: Sequence[str]) -> DataFrame:
    """The windows of counting questions.

    Args:
        world: The world.
        kinds: year (each year of the window), window (runs of `window_years` years from its first, the last
            cut off where it would end early), span (all of it).

    Returns:
        Columns first, last: days, both included; when: the words, "in 1994" or "between 1990 and 1994".
    """
    start, end = world.config.window.start.year, world.config.window.end.year
    width = read_settings(world.config).window_years
    runs: list[tuple[int, int]] = []
    if "year" in kinds:
        runs += [(y, y) for y in range(start, end + 1)]
    if "window" in kinds:
        runs += [(y, y + width - 1) for y in range(start, end - width + 2, width)]
    if "span" in kinds:
        runs += [(start, end)]
    rows = [(a, b, f"in {a}" if a == b else f"between {a} and {b}") for a, b in sorted(set(runs))]
    frame = world.spark.createDataFrame(rows, "from_year int, to_year int, when string")
    return frame.select(
        F.make_date("from_year", F.lit(1), F.lit(1)).alias("first"),
        F.make_date("to_year", F.lit(12), F.lit(31)).alias("last"),
        "when",
    )


def overlaps() -> Column:
    """Whether the days from first_day to last_day may fall into the period."""
    return (F.col("first_day") <= F.col("last")) & (F.col("last_day") >= F.col("first"))


def inside() -> Column:
    """Whether the days from first_day to last_day surely fall into the period."""
    return (F.col("first_day") >= F.col("first")) & (F.col("last_day") <= F.col("last"))
