"""Wikibase time values as closed intervals of days.

Sources: the Wikibase JSON specification (`time`, `precision`, `calendarmodel`,
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html) and its data model's list of precisions.
A time string is written in the calendar that the value names; the year has four digits today, up to eleven in dumps
of 2014 and before.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache
from typing import NamedTuple

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
_FORM = re.compile(r"([+-])(\d{1,16})-(\d\d)-(\d\d)T\d\d:\d\d:\d\dZ", re.ASCII)


class Interval(NamedTuple):
    """A time: all days from `first` to `last`, both included, in the proleptic Gregorian calendar.

    `precision` is Wikidata's: 6 millennium, 7 century, 8 decade, 9 year, 10 month, 11 day (finer ones count as day).
    """

    first: date
    last: date
    precision: int


@lru_cache(maxsize=1 << 16, typed=True)
def interval(time: str, precision: int, calendar: str) -> Interval:
    """The days that a Wikibase time value covers.

    A year is the whole year in its own calendar: Julian ends are converted one by one. A decade is the years with
    the same tens (1990 to 1999); centuries and millennia begin with the year 1 (1901 to 2000).

    Args:
        time: As written, for example "+1952-03-11T00:00:00Z", "+2001-00-00T00:00:00Z" or, in 2014,
            "+00000001952-03-11T00:00:00Z".
        precision: Wikidata's precision, 0 to 14.
        calendar: URI of the calendar model.

    Raises:
        Malformed: It is no such value, is coarser than a millennium, or has days outside the years 1 to 9999.
    """
    if type(precision) is int and precision == Precision.DAY and calendar == _GREGORIAN_URI:
        usual = _usual_day(time)
        if usual is not None:
            return Interval(usual, usual, Precision.DAY)
    form = _FORM.fullmatch(time) if isinstance(time, str) else None
    if form is None:
        raise Malformed("time is not written as a Wikibase time")
    _check_precision(precision)
    julian = _is_julian(calendar)
    year, month, day = int(form[2]), int(form[3]), int(form[4])
    if year == 0:
        raise Malformed("year zero")
    if form[1] == "-":
        raise Malformed("year BCE")
    if year > 9999:
        raise Malformed("year beyond 9999")
    _check_month_and_day(year, month, day, julian)
    return _span(year, month, day, precision, julian)


def _span(year: int, month: int, day: int, precision: int, julian: bool) -> Interval:
    """The interval of a checked date."""
    if precision <= Precision.YEAR:
        first, last = (year, year) if precision == Precision.YEAR else _span_of_years(year, precision)
        return Interval(_day(first, 1, 1, julian), _day(last, 12, 31, julian), precision)
    if month == 0:
        raise Malformed(f"precision {precision} without a month")
    if precision == Precision.MONTH:
        end = _days_in_month(year, month, julian)
        return Interval(_day(year, month, 1, julian), _day(year, month, end, julian), Precision.MONTH)
    if day == 0:
        raise Malformed(f"precision {precision} without a day")
    exact = _day(year, month, day, julian)
    return Interval(exact, exact, Precision.DAY)


def _usual_day(time: str) -> date | None:
    """The day of "+1952-03-11T00:00:00Z", half of all times in a dump; None where it takes a closer look."""
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
        raise Malformed("precision is not one of 0 to 14")
    if precision < Precision.MILLENNIUM:
        raise Malformed(f"precision {precision} is coarser than a millennium")


def _is_julian(calendar: str) -> bool:
    known = CALENDARS.get(calendar)
    if known is None:
        raise Malformed("calendar is neither Gregorian (Q1985727) nor Julian (Q1985786)")
    return known == JULIAN


def _check_month_and_day(year: int, month: int, day: int, julian: bool) -> None:
    """Zero means not stated; anything else must exist, whatever the precision."""
    if month > 12:
        raise Malformed(f"month {month} does not exist")
    if month == 0 and day > 0:
        raise Malformed("a day without a month")
    if month > 0 and day > _days_in_month(year, month, julian):
        raise Malformed(f"day {day} of month {month} does not exist in that year")


def _span_of_years(year: int, precision: int) -> tuple[int, int]:
    """First and last year of the decade, century or millennium that holds `year`."""
    if precision == Precision.DECADE:
        first = year - year % 10
        return first, first + 9
    width = 100 if precision == Precision.CENTURY else 1000
    first = (year - 1) // width * width + 1
    return first, first + width - 1


def _days_in_month(year: int, month: int, julian: bool) -> int:
    if julian and month == 2:
        return 29 if year % 4 == 0 else 28
    return monthrange(year, month)[1]


def _day(year: int, month: int, day: int, julian: bool) -> date:
    """The Gregorian day of a date in its calendar.

    Raises:
        Malformed: It lies outside the years 1 to 9999, which a date column does not hold.
    """
    if year < 1:
        raise Malformed("days before the year 1")
    if year > 9999:
        raise Malformed("days beyond the year 9999")
    if not julian:
        return date(year, month, day)
    before = sum(_days_in_month(year, m, julian=True) for m in range(1, month))
    # 1 January of the year 1 (Julian) is two days before 1 January of the year 1 (Gregorian), which has ordinal 1.
    ordinal = 365 * (year - 1) + (year - 1) // 4 + before + day - 2
    if ordinal < 1:
        raise Malformed("days before the year 1")
    if ordinal > date.max.toordinal():
        raise Malformed("days beyond the year 9999")
    return date.fromordinal(ordinal)
