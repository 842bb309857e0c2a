"""Intervals of days whose bounds may be uncertain.

An interval is closed: it lasts from its start to its end, both days included. Where a day is not known exactly, an
earliest and a latest day bound it. These four bounds are EDTF's uncertain and open ends (ISO 8601-2:2019, levels 1
and 2) and the four properties of a time-span in CIDOC CRM (P82a earliest_start, P81a latest_start, P81b earliest_end,
P82b latest_end).
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from everwhen.temporal.precision import Precision

BEFORE_EVERY_DAY, AFTER_EVERY_DAY = -10_000_000, 10_000_000
"""Positions of an open start and of an open end, in any unit."""

Positions = tuple[int, int, int, int]
"""The four bounds of an interval, counted in a unit; only differences between positions mean something."""


class Unit(StrEnum):
    """What endpoints are compared in: two days of one month are one position in months."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class YearMonthDay(NamedTuple):
    """A day in whichever calendar it was written."""

    year: int
    month: int
    day: int


class TimeValue(NamedTuple):
    """A stated time: any or all of the days from `first` to `last`, in the proleptic Gregorian calendar.

    `precision` is Wikibase's (`everwhen.temporal.precision.Precision`); what is finer than a day counts as a day.
    """

    first: date
    last: date
    precision: int

    @classmethod
    def from_day(cls, day: date, precision: int) -> TimeValue:
        """Widen a day to what its precision leaves open.

        >>> april = TimeValue.from_day(date(1993, 4, 28), Precision.MONTH)
        >>> print(april.first, april.last)
        1993-04-01 1993-04-30

        Raises:
            ValueError: The precision is coarser than a millennium, or days are outside the years 1 to 9999.
        """
        first, last = find_date_range(YearMonthDay(day.year, day.month, day.day), precision, _count_days_in_month)
        return cls(date(*first), date(*last), min(precision, Precision.DAY.value))


def find_date_range(
    day: YearMonthDay, precision: int, days_in_month: Callable[[int, int], int]
) -> tuple[YearMonthDay, YearMonthDay]:
    """Find the first and the last day that a date of this precision may mean, in the date's own calendar.

    A decade is the years with the same tens (1990 to 1999); a century begins with its year 1 (1901 to 2000), as does a
    millennium.

    >>> first, last = find_date_range(YearMonthDay(1956, 2, 7), Precision.CENTURY, _count_days_in_month)
    >>> print(*first, "to", *last)
    1901 1 1 to 2000 12 31

    Args:
        day: The date; month and day count only where the precision reaches them.
        precision: Wikibase's precision, millennium or finer.
        days_in_month: Length of a month (year, month) in the calendar.

    Raises:
        ValueError: The precision is coarser than a millennium.
    """
    if precision < Precision.MILLENNIUM:
        raise ValueError(f"precision {int(precision)} is coarser than a millennium")
    if precision >= Precision.DAY:
        return day, day
    if precision == Precision.MONTH:
        return day._replace(day=1), day._replace(day=days_in_month(day.year, day.month))
    first, last = _find_year_range(day.year, precision)
    return YearMonthDay(first, 1, 1), YearMonthDay(last, 12, 31)


def _find_year_range(year: int, precision: int) -> tuple[int, int]:
    """Find first and last year of the year itself, or of its decade, century or millennium."""
    if precision == Precision.YEAR:
        return year, year
    if precision == Precision.DECADE:
        first = year - year % 10
        return first, first + 9
    width = 100 if precision == Precision.CENTURY else 1000
    first = (year - 1) // width * width + 1
    return first, first + width - 1


def _count_days_in_month(year: int, month: int) -> int:
    return monthrange(year, month)[1]


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval of days, each end known exactly or between two bounds.

    None is no missing value but a position in time: as a bound of the start it is before every day, as a bound of the
    end after every day. So each case differs from the others:

    | case | earliest_start | latest_start | earliest_end | latest_end |
    |---|---|---|---|---|
    | end known | … | … | a day | a day |
    | end not known | … | … | the earliest day it may be, at least earliest_start | None |
    | open: it has no end yet | … | … | None | None |
    | start not known | None | the latest day it may be, at most latest_end | … | … |
    | open: it has always been | None | None | … | … |

    Where nothing at all is known, the latest start is `date.max` and the earliest end `date.min`. Bounds are drawn
    together: no interval starts after its latest end or ends before its earliest start.

    Attributes:
        earliest_start: The first day on which it may start.
        latest_start: The last day on which it may start.
        earliest_end: The first day that may be its last.
        latest_end: The last day that may be its last.

    Raises:
        ValueError: No interval is within the bounds.
    """

    earliest_start: date | None
    latest_start: date | None
    earliest_end: date | None
    latest_end: date | None

    def __post_init__(self) -> None:
        """Draw the bounds together, and refuse those that leave no interval."""
        start, latest_start, earliest_end, end = self.count_positions(Unit.DAY)
        if start > latest_start or earliest_end > end or start > end:
            raise ValueError(f"no interval is within the bounds {self}")
        if latest_start > end:
            object.__setattr__(self, "latest_start", self.latest_end)
        if earliest_end < start:
            object.__setattr__(self, "earliest_end", self.earliest_start)

    @classmethod
    def from_ends(cls, start: date | None, end: date | None) -> Interval:
        """Make an interval of known ends; None is an open one.

        >>> Interval.from_ends(date(1993, 4, 28), None).is_exact
        True
        """
        return cls(start, start, end, end)

    @classmethod
    def from_times(cls, start: TimeValue | None, end: TimeValue | None) -> Interval:
        """Make an interval that starts and ends at stated times; None where a time is not known.

        >>> term = Interval.from_times(TimeValue.from_day(date(1993, 1, 1), Precision.YEAR), None)
        >>> print(term.earliest_start, term.latest_start, term.earliest_end, term.latest_end)
        1993-01-01 1993-12-31 1993-01-01 None
        """
        return cls(
            start.first if start else None,
            start.last if start else end.last if end else date.max,
            end.first if end else start.first if start else date.min,
            end.last if end else None,
        )

    @property
    def is_exact(self) -> bool:
        """Whether both ends are known, or open."""
        return self.earliest_start == self.latest_start and self.earliest_end == self.latest_end

    def count_positions(self, unit: Unit = Unit.DAY) -> Positions:
        """Count the four bounds in a unit, in their order.

        >>> year = Interval.from_ends(date(1993, 1, 1), date(1993, 12, 31))
        >>> year.count_positions(Unit.YEAR)
        (1993, 1993, 1993, 1993)
        """
        return (
            _count(self.earliest_start, unit, BEFORE_EVERY_DAY),
            _count(self.latest_start, unit, BEFORE_EVERY_DAY),
            _count(self.earliest_end, unit, AFTER_EVERY_DAY),
            _count(self.latest_end, unit, AFTER_EVERY_DAY),
        )


def _count(day: date | None, unit: Unit, beyond: int) -> int:
    if day is None:
        return beyond
    if unit == Unit.DAY:
        return day.toordinal()
    return day.year * 12 + day.month if unit == Unit.MONTH else day.year
