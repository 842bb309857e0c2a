"""The columns that every relation ends with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa.bind.world import WorldTables

NO_COUNTRY = "array<bigint>"

FOREVER = "9999-12-31"
"""The last day of what has no known end."""


def fill_open_end(end: str) -> Column:
    """A last day, FOREVER where it is open or not known."""
    return F.coalesce(end, F.lit(FOREVER).cast("date"))


def with_metadata(
    df: DataFrame,
    subjects: Sequence[str],
    reason: Column | None = None,
    also_popular: Column | None = None,
    span: Column | None = None,
) -> DataFrame:
    """Add popular, countries, span, topic, split, head and reason from the subjects asked about.

    Args:
        df: Rows with struct columns of subjects. If they have a column reason, it is replaced.
        subjects: The names of those columns, the first asked one first.
        reason: Why there is no question; null by default.
        also_popular: Whether all else that is asked about, a position or a country, is popular.
        span: The days that the question is about; by default those of the first subject, a bound that is open or not
            known being null.
    """
    first = subjects[0]
    popular = [F.col(f"{t}.popular") for t in subjects] + ([] if also_popular is None else [also_popular])
    own_span = F.struct(F.col(f"{first}.earliest_start").alias("start"), F.col(f"{first}.latest_end").alias("end"))
    return df.select(
        *(name for name in df.columns if name != "reason"),
        reduce(lambda a, b: a & b, popular).alias("popular"),
        F.sort_array(F.array_distinct(F.concat(*(F.col(f"{t}.countries") for t in subjects)))).alias("countries"),
        (own_span if span is None else span).alias("span"),
        F.col(f"{first}.topic").alias("topic"),
        F.col(f"{first}.split").alias("split"),
        F.col(f"{first}.entity").alias("head"),
        (F.lit(None).cast("string") if reason is None else reason.cast("string")).alias("reason"),
    )


def with_item_metadata(
    world: WorldTables, rows: DataFrame, item: str, of_list: str, reason: Column, span: Column
) -> DataFrame:
    """Add popular (false), countries (none), span, topic, split, head and reason from an item that is no subject.

    Args:
        rows: Rows about an award or a position.
        item: The column of its id.
        of_list: The entity list whose topic it has.
        reason: Why there is no question.
        span: The days that the question is about.
    """
    return rows.select(
        *rows.columns,
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        span.alias("span"),
        F.lit(next(e.topic for e in world.lists if e.id == of_list)).alias("topic"),
        assign_split(F.col(item), world.config).alias("split"),
        F.col(item).alias("head"),
        reason.alias("reason"),
    )


def build_year_span(year: str) -> Column:
    """The span from the first day of a year to its last."""
    first, last = F.make_date(year, F.lit(1), F.lit(1)), F.make_date(year, F.lit(12), F.lit(31))
    return F.struct(first.alias("start"), last.alias("end"))
