"""Allen's relations between intervals, and other predicates, in columns: Spark expressions."""

from __future__ import annotations

from datetime import date
from functools import reduce
from operator import and_
from typing import NamedTuple

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.allen import BOUNDS, Modality, Predicate, Relation, state_comparisons
from everwhen.temporal.interval import AFTER_EVERY_DAY, BEFORE_EVERY_DAY, Unit

PositionColumns = tuple[Column, Column, Column, Column]
"""Columns of `everwhen.temporal.interval.Positions`."""


class IntervalColumns(NamedTuple):
    """Four columns of dates, meant as in `everwhen.temporal.interval.Interval`: null in them is an open bound.

    They must leave an interval; a row without one gets an answer that means nothing.
    """

    earliest_start: Column
    latest_start: Column
    earliest_end: Column
    latest_end: Column

    @classmethod
    def from_ends(cls, start: str | Column, end: str | Column) -> IntervalColumns:
        """Take intervals of known ends from two columns."""
        first, last = _to_column(start), _to_column(end)
        return cls(first, first, last, last)

    @classmethod
    def from_struct(cls, struct: str | Column) -> IntervalColumns:
        """Take intervals from the fields earliest_start … latest_end of a struct, or of a table's alias."""
        if isinstance(struct, str):
            return cls(*(F.col(f"{struct}.{bound}") for bound in BOUNDS))
        return cls(*(struct[bound] for bound in BOUNDS))

    def take_null_as_unknown(self) -> IntervalColumns:
        """Take a start or an end without any bound as one that is not known, where null would say that it is open."""
        return self._replace(
            latest_start=F.coalesce(self.latest_start, self.latest_end, F.lit(date.max.isoformat()).cast("date")),
            earliest_end=F.coalesce(self.earliest_end, self.earliest_start, F.lit(date.min.isoformat()).cast("date")),
        )

    def count_positions(self, unit: Unit) -> PositionColumns:
        """Count the four bounds in a unit and draw them together."""
        earliest_start = F.coalesce(_count(self.earliest_start, unit), F.lit(BEFORE_EVERY_DAY))
        latest_start = F.coalesce(_count(self.latest_start, unit), F.lit(BEFORE_EVERY_DAY))
        earliest_end = F.coalesce(_count(self.earliest_end, unit), F.lit(AFTER_EVERY_DAY))
        latest_end = F.coalesce(_count(self.latest_end, unit), F.lit(AFTER_EVERY_DAY))
        return (
            earliest_start,
            F.least(latest_start, latest_end),
            F.greatest(earliest_end, earliest_start),
            latest_end,
        )


def surely_holds(
    predicate: Relation | Predicate, a: IntervalColumns, b: IntervalColumns, unit: Unit = Unit.DAY
) -> Column:
    """Whether a predicate is true for every choice of days within the bounds of a and b; never null."""
    return compare_positions(predicate, "surely", a.count_positions(unit), b.count_positions(unit))


def possibly_holds(
    predicate: Relation | Predicate, a: IntervalColumns, b: IntervalColumns, unit: Unit = Unit.DAY
) -> Column:
    """Whether a predicate is true for some choice of days within the bounds of a and b; never null."""
    return compare_positions(predicate, "possibly", a.count_positions(unit), b.count_positions(unit))


def compare_positions(
    predicate: Relation | Predicate, modality: Modality, a: PositionColumns, b: PositionColumns
) -> Column:
    """Whether a predicate is surely, or possibly, true of the intervals with these bounds."""
    positions = {"a": a, "b": b}
    return reduce(
        and_,
        (
            positions[left.interval][left.number] + F.lit(gap) <= positions[right.interval][right.number]
            for left, gap, right in state_comparisons(predicate, modality)
        ),
    )


def _to_column(name: str | Column) -> Column:
    return F.col(name) if isinstance(name, str) else name


def _count(day: Column, unit: Unit) -> Column:
    if unit == Unit.DAY:
        return F.unix_date(day)
    return F.year(day) * 12 + F.month(day) if unit == Unit.MONTH else F.year(day)
