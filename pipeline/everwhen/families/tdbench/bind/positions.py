"""Positions: dates as numbers in the unit of a question, as in `everwhen.temporal.allen_spark`."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.allen_spark import IntervalColumns
from everwhen.temporal.interval import AFTER_EVERY_DAY, Unit

OPEN_END = AFTER_EVERY_DAY
"""The position of an open end."""

UNBOUNDED = 10 * OPEN_END
"""A bound that leaves every position, also that of an open end."""


def count_positions(inclusive: str) -> Column:
    """Count a row's bounds in all units: an array of structs of granularity, es, ls, ee and le.

    Args:
        inclusive: The column that says whether the row's table states last days (months, years). Then ee and le are
            those of the unit after the last one, whatever day of it is the last.
    """
    after = F.col(inclusive).cast("int")
    bounds = IntervalColumns(*map(F.col, IntervalColumns._fields))
    ends = {name: F.date_sub(name, after) for name in ("earliest_end", "latest_end")}
    return F.array(*(_count_in_unit(bounds._replace(**ends), unit, after) for unit in Unit))


def _count_in_unit(last: IntervalColumns, unit: Unit, after: Column) -> Column:
    """Count bounds in a unit, and the units after their ends; an open end stays open."""
    es, ls, ee, le = last.count_positions(unit)
    ee, le = (F.when(end == OPEN_END, end).otherwise(end + after) for end in (ee, le))
    named = {"es": es, "ls": ls, "ee": ee, "le": le}
    counted = (position.cast("int").alias(name) for name, position in named.items())
    return F.struct(F.lit(unit.value).alias("granularity"), *counted)
