"""Wikibase time values as runs of days.

Sources: the Wikibase JSON specification (`time`, `precision`, `calendarmodel`,
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html) and its data model's list of precisions.
A time string is written in the calendar that the value names; the year has four digits today, up to eleven in dumps
of 2014 and before.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache, partial
from typing import NamedTuple

from everwhen.core.reasons import RejectReason
from everwhen.temporal.calendars import Calendar
from everwhen.temporal.interval import YearMonthDay, find_date_range
from everwhen.temporal.precision import Precision
from everwhen.wikidata.malformed import Malformed

_ITEMS = {Calendar.GREGORIAN: "Q1985727", Calendar.JULIAN: "Q1985786"}
CALENDARS = {
    f"{scheme}://www.wikidata.org/entity/{item}": calendar
    for scheme in ("http", "https")
    for calendar, item in _ITEMS.items()
}

_GREGORIAN_URI = f"http://www.wikidata.org/entity/{_ITEMS[Calendar.GREGORIAN]}"
_USUAL_LENGTH = len("+1952-03-11T00:00:00Z")
_PATTERN = re.compile(r"([+-])(\d{1,16})-(\d\d)-(\d\d)T\d\d:\d\d:\d\dZ", re.ASCII)


class StatedTime(NamedTuple):
    """A time as Wikibase states it: any or all of the days from `first` to `last`, and its own calendar."""

    first: date
    last: date
    precision: int
    calendar: Calendar


@lru_cache(maxsize=1 << 16, typed=True)
def read_time(time: str, precision: int, calendar: str, before: int = 0, after: int = 0) -> StatedTime:
    """Read which days a Wikibase time value covers.

    A year is the whole year in its own calendar: Julian ends are converted one by one. A decade is the years with
    the same tens (1990 to 1999); centuries and millennia begin with the year 1 (1901 to 2000). `before` and `after`
    widen them by units of the precision: 1710, five years before, is any time from 1705 to 1710.

    >>> value = read_time("+1993-04-00T00:00:00Z", 10, "http://www.wikidata.org/entity/Q1985727")
    >>> print(value.first, value.last)
    1993-04-01 1993-04-30

    Args:
        time: As written, for example "+1952-03-11T00:00:00Z", "+2001-00-00T00:00:00Z" or, in 2014,
            "+00000001952-03-11T00:00:00Z".
        precision: Wikidata's precision, 0 to 14.
        calendar: URI of the calendar model.
        before: How many units before the time it may have been.
        after: How many units after the time it may have been.

    Raises:
        Malformed: It is no such value, is coarser than a millennium, or has days outside the years 1 to 9999.
    """
    is_wide = not (type(before) is type(after) is int and before == after == 0)
    if not is_wide and type(precision) is int and precision == Precision.DAY and calendar == _GREGORIAN_URI:
        usual = _parse_usual_day(time)
        if usual is not None:
            return StatedTime(usual, usual, precision, Calendar.GREGORIAN)
    match = _PATTERN.fullmatch(time) if isinstance(time, str) else None
    if match is None:
        raise Malformed(RejectReason.BAD_TIME)
    _check_precision(precision)
    known = _find_calendar(calendar)
    julian = known == Calendar.JULIAN
    stated = YearMonthDay(*map(int, match.groups()[1:]))
    _check_year(stated.year, match[1])
    _check_month_and_day(*stated, julian)
    first, last = _find_days(stated, precision, julian)
    if is_wide:
        first, last = _widen(stated, precision, julian, before, after)
    return StatedTime(first, last, min(precision, Precision.DAY.value), known)


def _find_days(stated: YearMonthDay, precision: int, julian: bool) -> tuple[date, date]:
    """Find the first and the last day of a checked date."""
    _, month, day = stated
    if precision > Precision.YEAR and month == 0:
        raise Malformed(RejectReason.WITHOUT_MONTH.with_detail(precision=precision))
    if precision > Precision.MONTH and day == 0:
        raise Malformed(RejectReason.WITHOUT_DAY.with_detail(precision=precision))
    first, last = find_date_range(stated, precision, partial(_count_days_in_month, julian=julian))
    return _to_gregorian(*first, julian), _to_gregorian(*last, julian)


def _widen(stated: YearMonthDay, precision: int, julian: bool, before: int, after: int) -> tuple[date, date]:
    """Find the days of a date that may be units of its precision earlier or later, in its own calendar."""
    if type(before) is not int or type(after) is not int or before < 0 or after < 0:
        raise Malformed(RejectReason.BAD_TOLERANCE)
    first, _ = _find_days(_move(stated, precision, -before), precision, julian)
    _, last = _find_days(_move(stated, precision, after), precision, julian)
    if precision < Precision.DAY:
        return first, last
    return _find_day(first.toordinal() - before), _find_day(last.toordinal() + after)


def _move(stated: YearMonthDay, precision: int, units: int) -> YearMonthDay:
    """Move a date by units of a month or more; a finer one stays."""
    if precision > Precision.MONTH:
        return stated
    if precision == Precision.MONTH:
        months = 12 * stated.year + stated.month - 1 + units
        return YearMonthDay(months // 12, months % 12 + 1, 1)
    return stated._replace(year=stated.year + units * 10 ** (Precision.YEAR - precision))


def _parse_usual_day(time: str) -> date | None:
    """Parse the day of "+1952-03-11T00:00:00Z", half of all times in a dump; None for any other text."""
    if not isinstance(time, str) or len(time) != _USUAL_LENGTH or time[11:] != "T00:00:00Z":
        return None
    if time[0] != "+" or time[5] != "-" or time[8] != "-":
        return None
    try:
        return date.fromisoformat(time[1:11])
    except ValueError:
        return None


def _check_precision(precision: int) -> None:
    is_number = isinstance(precision, int) and not isinstance(precision, bool)
    if not is_number or not 0 <= precision <= Precision.SECOND:
        raise Malformed(RejectReason.BAD_PRECISION)
    if precision < Precision.MILLENNIUM:
        raise Malformed(RejectReason.TOO_COARSE.with_detail(precision=precision))


def _check_year(year: int, sign: str) -> None:
    if year == 0:
        raise Malformed(RejectReason.YEAR_ZERO)
    if sign == "-":
        raise Malformed(RejectReason.YEAR_BCE)
    if year > 9999:
        raise Malformed(RejectReason.YEAR_BEYOND_9999)


def _find_calendar(calendar: str) -> Calendar:
    known = CALENDARS.get(calendar)
    if known is None:
        raise Malformed(RejectReason.BAD_CALENDAR)
    return known


def _check_month_and_day(year: int, month: int, day: int, julian: bool) -> None:
    """Zero means not stated; anything else must exist, whatever the precision."""
    if month > 12:
        raise Malformed(RejectReason.NO_SUCH_MONTH.with_detail(month=month))
    if month == 0 and day > 0:
        raise Malformed(RejectReason.DAY_WITHOUT_MONTH)
    if month > 0 and day > _count_days_in_month(year, month, julian):
        raise Malformed(RejectReason.NO_SUCH_DAY_OF_MONTH.with_detail(day=day, month=month))


def _count_days_in_month(year: int, month: int, julian: bool) -> int:
    if julian and month == 2:
        return 29 if year % 4 == 0 else 28
    return monthrange(year, month)[1]


def _to_gregorian(year: int, month: int, day: int, julian: bool) -> date:
    """The Gregorian day of a date in its calendar.

    Raises:
        Malformed: It is outside the years 1 to 9999, the range of a date column.
    """
    if year < 1:
        raise Malformed(RejectReason.DAYS_BEFORE_YEAR_1)
    if year > 9999:
        raise Malformed(RejectReason.DAYS_BEYOND_9999)
    if not julian:
        return date(year, month, day)
    before = sum(_count_days_in_month(year, m, julian=True) for m in range(1, month))
    # 1 January of the year 1 (Julian) is two days before 1 January of the year 1 (Gregorian), which has ordinal 1.
    return _find_day(365 * (year - 1) + (year - 1) // 4 + before + day - 2)


def _find_day(ordinal: int) -> date:
    if ordinal < 1:
        raise Malformed(RejectReason.DAYS_BEFORE_YEAR_1)
    if ordinal > date.max.toordinal():
        raise Malformed(RejectReason.DAYS_BEYOND_9999)
    return date.fromordinal(ordinal)
