"""Durations in calendar units, measured between days and added to them."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple


class Duration(NamedTuple):
    """A length of time in calendar units, which do not convert: a month has no certain number of days."""

    years: int = 0
    months: int = 0
    days: int = 0


def add_months(day: date, months: int) -> date:
    """Move a day by months: to the same day of the month, or to the last day of a month that is shorter.

    >>> print(add_months(date(2024, 1, 31), 1), add_months(date(2024, 2, 29), -12))
    2024-02-29 2023-02-28

    Raises:
        ValueError: The day is outside the years 1 to 9999.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    return first.replace(day=min(day.day, monthrange(year, month + 1)[1]))


def add_duration(day: date, duration: Duration, sign: int = 1) -> date:
    """Move a day by a duration, later or (sign -1) earlier: by its months first, then by its days.

    Raises:
        ValueError: The day is outside the years 1 to 9999.
        OverflowError: The same, by its days.
    """
    moved = add_months(day, sign * (12 * duration.years + duration.months))
    return moved + timedelta(days=sign * duration.days)


def measure_duration(first: date, last: date) -> Duration:
    """Measure how long it is from a day to a later one: whole years, then whole months, then days.

    They are counted from the earlier day, as `add_months` moves it.

    >>> measure_duration(date(2024, 1, 31), date(2025, 3, 1))
    Duration(years=1, months=1, days=1)

    Raises:
        ValueError: The later day is the first one.
    """
    if last < first:
        raise ValueError(f"{last} is before {first}")
    months = (last.year - first.year) * 12 + last.month - first.month
    months -= add_months(first, months) > last
    return Duration(months // 12, months % 12, (last - add_months(first, months)).days)
