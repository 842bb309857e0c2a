"""Positions: dates as numbers in the unit of a question, as in `everwhen.temporal.allen_spark`."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.allen_spark import IntervalColumns
from everwhen.temporal.interval import AFTER_EVERY_DAY, Unit
from everwhen.temporal.precision import Precision

OPEN_END = AFTER_EVERY_DAY
"""The position of an open end."""

UNBOUNDED = 10 * OPEN_END
"""A bound that leaves every position, also that of an open end."""

MARGINS = {Unit.DAY: 730, Unit.MONTH: 24, Unit.YEAR: 5}
"""How far before and after the span of its key a question's interval may be (two years, or five)."""

NEAR = {Unit.DAY: 1095, Unit.MONTH: 36, Unit.YEAR: 7}
"""How far from its row an interval is that the row is before or after (three years, or seven)."""

PRECISIONS = {Unit.DAY: Precision.DAY.value, Unit.MONTH: Precision.MONTH.value, Unit.YEAR: Precision.YEAR.value}
"""The precision of a time that is exact in a unit."""


def count_positions(bounds: IntervalColumns, is_inclusive: Column) -> Column:
    """Count an interval's bounds in all units: an array of structs of granularity, es, ls, ee and le.

    Args:
        bounds: The columns of a row.
        is_inclusive: Whether its table states last days (months, years). Then ee and le are those of the unit after the
            last one, whatever day of it is the last.
    """
    day = is_inclusive.cast("int")
    last = bounds._replace(
        earliest_end=F.date_sub(bounds.earliest_end, day), latest_end=F.date_sub(bounds.latest_end, day)
    )
    return F.array(*(_count_in_unit(last, unit, day) for unit in Unit))


def _count_in_unit(last: IntervalColumns, unit: Unit, after: Column) -> Column:
    """Count bounds in a unit, and the units after their ends; an open end stays open."""
    es, ls, ee, le = last.count_positions(unit)
    named = {"es": es, "ls": ls, "ee": ee, "le": le}
    for name in ("ee", "le"):
        named[name] = F.when(named[name] == OPEN_END, named[name]).otherwise(named[name] + after)
    positions = (position.cast("int").alias(name) for name, position in named.items())
    return F.struct(F.lit(unit.value).alias("granularity"), *positions)


def count_day(day: str, granularity: str = "granularity") -> str:
    """Write the position of a day in the unit that a column names (Spark SQL)."""
    return (
        f"CASE {granularity} WHEN 'day' THEN unix_date({day}) WHEN 'month' THEN year({day}) * 12 + month({day})"
        f" ELSE year({day}) END"
    )


def find_first_day(position: str, granularity: str = "granularity") -> str:
    """Write the first day of a position in the unit that a column names (Spark SQL)."""
    return (
        f"CASE {granularity} WHEN 'day' THEN date_from_unix_date({position})"
        f" WHEN 'month' THEN make_date(int(({position} - 1) div 12), int(pmod({position} - 1, 12)) + 1, 1)"
        f" ELSE make_date({position}, 1, 1) END"
    )


def look_up(numbers: dict[Unit, int], granularity: str = "granularity") -> str:
    """Write the number that belongs to the unit that a column names (Spark SQL)."""
    cases = " ".join(f"WHEN '{unit.value}' THEN {number}" for unit, number in numbers.items())
    return f"CASE {granularity} {cases} END"
