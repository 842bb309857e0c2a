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

from everwhen.core.reasons import RejectReason
from everwhen.temporal.interval import TimeValue, YearMonthDay, find_date_range
from everwhen.temporal.precision import Precision
from everwhen.wikidata.malformed import Malformed

GREGORIAN, JULIAN = "Q1985727", "Q1985786"
CALENDARS = {
    f"{scheme}://www.wikidata.org/entity/{calendar}": calendar
    for scheme in ("http", "https")
    for calendar in (GREGORIAN, JULIAN)
}

_GREGORIAN_URI = f"http://www.wikidata.org/entity/{GREGORIAN}"
_USUAL_LENGTH = len("+1952-03-11T00:00:00Z")
_PATTERN = re.compile(r"([+-])(\d{1,16})-(\d\d)-(\d\d)T\d\d:\d\d:\d\dZ", re.ASCII)


@lru_cache(maxsize=1 << 16, typed=True)
def read_time(time: str, precision: int, calendar: str) -> TimeValue:
    """Read which days a Wikibase time value covers.

    A year is the whole year in its own calendar: Julian ends are converted one by one. A decade is the years with
    the same tens (1990 to 1999); centuries and millennia begin with the year 1 (1901 to 2000).

    >>> value = read_time("+1993-04-00T00:00:00Z", 10, "http://www.wikidata.org/entity/Q1985727")
    >>> print(value.first, value.last)
    1993-04-01 1993-04-30

    Args:
        time: As written, for example "+1952-03-11T00:00:00Z", "+2001-00-00T00:00:00Z" or, in 2014,
            "+00000001952-03-11T00:00:00Z".
        precision: Wikidata's precision, 0 to 14.
        calendar: URI of the calendar model.

    Raises:
        Malformed: It is no such value, is coarser than a millennium, or has days outside the years 1 to 9999.
    """
    if type(precision) is int and precision == Precision.DAY and calendar == _GREGORIAN_URI:
        usual = _parse_usual_day(time)
        if usual is not None:
            return TimeValue(usual, usual, precision)
    match = _PATTERN.fullmatch(time) if isinstance(time, str) else None
    if match is None:
        raise Malformed(RejectReason.BAD_TIME)
    _check_precision(precision)
    julian = _is_julian(calendar)
    year, month, day = int(match[2]), int(match[3]), int(match[4])
    if year == 0:
        raise Malformed(RejectReason.YEAR_ZERO)
    if match[1] == "-":
        raise Malformed(RejectReason.YEAR_BCE)
    if year > 9999:
        raise Malformed(RejectReason.YEAR_BEYOND_9999)
    _check_month_and_day(year, month, day, julian)
    return _find_days(year, month, day, precision, julian)


def _find_days(year: int, month: int, day: int, precision: int, julian: bool) -> TimeValue:
    """Find the days of a checked date."""
    if precision > Precision.YEAR and month == 0:
        raise Malformed(RejectReason.WITHOUT_MONTH.with_detail(precision=precision))
    if precision > Precision.MONTH and day == 0:
        raise Malformed(RejectReason.WITHOUT_DAY.with_detail(precision=precision))
    first, last = find_date_range(
        YearMonthDay(year, month, day), precision, partial(_count_days_in_month, julian=julian)
    )
    return TimeValue(_to_gregorian(*first, julian), _to_gregorian(*last, julian), min(precision, Precision.DAY.value))


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


def _is_julian(calendar: str) -> bool:
    known = CALENDARS.get(calendar)
    if known is None:
        raise Malformed(RejectReason.BAD_CALENDAR)
    return known == JULIAN


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
    ordinal = 365 * (year - 1) + (year - 1) // 4 + before + day - 2
    if ordinal < 1:
        raise Malformed(RejectReason.DAYS_BEFORE_YEAR_1)
    if ordinal > date.max.toordinal():
        raise Malformed(RejectReason.DAYS_BEYOND_9999)
    return date.fromordinal(ordinal)
