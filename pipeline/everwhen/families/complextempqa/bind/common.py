"""The columns that every relation ends with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

NO_COUNTRY = "array<bigint>"


def with_metadata(
    df: DataFrame, things: Sequence[str], reason: Column | None = None, also_popular: Column | None = None
) -> DataFrame:
    """Add popular, countries, span, topic, split, head and reason from the things asked about.

    The span goes from the earliest start to the latest end; one that is open or not known leaves its bound null.

    Args:
        df: A frame with struct columns of things.
        things: The names of those columns, the first asked one first.
        reason: Why there is no question; null by default.
        also_popular: Whether all else that is asked about, a position or a country, is popular.
    """
    first = things[0]
    starts = [F.col(f"{t}.first_day") for t in things]
    ends = [F.col(f"{t}.last_day") for t in things]
    popular = [F.col(f"{t}.popular") for t in things] + ([] if also_popular is None else [also_popular])
    return df.select(
        *df.columns,
        reduce(lambda a, b: a & b, popular).alias("popular"),
        F.array_sort(F.array_distinct(F.concat(*(F.col(f"{t}.countries") for t in things)))).alias("countries"),
        F.struct(_outer(starts, F.least).alias("start"), _outer(ends, F.greatest).alias("end")).alias("span"),
        F.col(f"{first}.topic").alias("topic"),
        F.col(f"{first}.split").alias("split"),
        F.col(f"{first}.entity").alias("head"),
        (F.lit(None).cast("string") if reason is None else reason.cast("string")).alias("reason"),
    )


def _outer(days: Sequence[Column], outer: object) -> Column:
    """The least or greatest of the days; null if one of them is."""
    if len(days) == 1:
        return days[0]
    unknown = reduce(lambda a, b: a | b, (day.isNull() for day in days))
    return F.when(~unknown, outer(*days))  # type: ignore[operator]


def year_span(from_year: Column, to_year: Column) -> Column:
    """The span from the first day of a year to the last day of another."""
    return F.struct(
        F.make_date(from_year, F.lit(1), F.lit(1)).alias("start"),
        F.make_date(to_year, F.lit(12), F.lit(31)).alias("end"),
    )
