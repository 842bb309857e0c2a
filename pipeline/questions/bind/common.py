"""The columns that every relation ends with."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


def with_metadata(df: DataFrame, things: list[str], reason: Column | None = None) -> DataFrame:
    """Add popular, countries, span, topic, split, head and reason from the things asked about.

    The span goes from the earliest start to the latest end; one open end leaves it open.

    Args:
        df: A frame with struct columns of things.
        things: The names of those columns, the first asked one first.
        reason: Why there is no question; null by default.
    """
    first = things[0]
    starts = [F.col(f"{t}.first_day") for t in things]
    ends = [F.col(f"{t}.last_day") for t in things]
    start = reduce(F.least, starts)
    end = F.when(reduce(lambda a, b: a | b, (e.isNull() for e in ends)), None).otherwise(reduce(F.greatest, ends))
    return df.select(
        *df.columns,
        reduce(lambda a, b: a & b, (F.col(f"{t}.popular") for t in things)).alias("popular"),
        F.array_sort(F.array_distinct(F.concat(*(F.col(f"{t}.countries") for t in things)))).alias("countries"),
        F.struct(start.alias("start"), end.alias("end")).alias("span"),
        F.col(f"{first}.topic").alias("topic"),
        F.col(f"{first}.split").alias("split"),
        F.col(f"{first}.entity").alias("head"),
        (F.lit(None).cast("string") if reason is None else reason.cast("string")).alias("reason"),
    )
