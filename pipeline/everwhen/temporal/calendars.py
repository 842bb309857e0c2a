"""The two calendars in which Wikibase states times, and a day's date in either.

Days are kept in the proleptic Gregorian calendar, by which they compare. A date of the Julian calendar is written as it
is stated: Shakespeare died on 23 April 1616, which is kept as 3 May.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from everwhen.temporal.interval import YearMonthDay

FROM_MARCH_4801_BCE = 1_753_507
"""Days from 1 March 4801 BCE (Julian) to the ordinal 0 of `date`: in years from March on, the leap day is the last."""


class Calendar(StrEnum):
    """A calendar model of Wikibase: proleptic Gregorian (Q1985727) or proleptic Julian (Q1985786)."""

    GREGORIAN = "gregorian"
    JULIAN = "julian"


def find_julian_date(day: date) -> YearMonthDay:
    """Find the Julian date of a day of the proleptic Gregorian calendar.

    Source: E. G. Richards, Calendars, in the Explanatory Supplement to the Astronomical Almanac (2013), chapter 15.

    >>> find_julian_date(date(1616, 5, 3))
    YearMonthDay(year=1616, month=4, day=23)
    """
    days = day.toordinal() + FROM_MARCH_4801_BCE
    year = (4 * days + 3) // 1461
    of_year = days - 1461 * year // 4
    month = (5 * of_year + 2) // 153
    return YearMonthDay(year - 4800 + month // 10, month + 3 - 12 * (month // 10), of_year - (153 * month + 2) // 5 + 1)
