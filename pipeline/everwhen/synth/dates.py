"""Times with the days that they mean, decided before they are written."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from everwhen.sample.rdf import convert_julian_day
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.temporal.precision import Precision

JULIAN_LAG = timedelta(days=13)
"""By which the Julian calendar was behind from March 1900 on."""


@dataclass(frozen=True)
class When:
    """A time: how the sample's compact form writes it, the days that it means, and Wikidata's precision."""

    text: str
    first: date
    last: date
    precision: int


def on_day(day: date) -> When:
    """A day."""
    return When(day.isoformat(), day, day, Precision.DAY)


def to_julian(day: date) -> When:
    """A day, written in the Julian calendar.

    Args:
        day: The Gregorian day, from 1901 to 2099: there the calendars are always 13 days apart.
    """
    return When(f"{(day - JULIAN_LAG).isoformat()} julian", day, day, Precision.DAY)


def read_as_julian(when: When) -> When:
    """The day, month or year of the Julian calendar that is written as `when` is.

    A century year is a leap year there: its February is that of the year after 28 days, with one more.
    """
    first, last = when.first, when.last
    is_long = when.precision == Precision.MONTH and last.month == 2 and last.year % 4 == 0
    begin = convert_julian_day(first.year, first.month, first.day)
    end = convert_julian_day(last.year, last.month, 29 if is_long else last.day)
    return When(f"{when.text} julian", begin, end, when.precision)


def in_month(day: date) -> When:
    """The month of a day."""
    last = day.replace(day=monthrange(day.year, day.month)[1])
    return When(f"{day:%Y-%m}", day.replace(day=1), last, Precision.MONTH)


def in_year(year: int) -> When:
    """A year."""
    return When(f"{year:04d}", date(year, 1, 1), date(year, 12, 31), Precision.YEAR)


def in_decade(year: int) -> When:
    """The decade of a year."""
    first = year // 10 * 10
    return When(f"{first:04d} decade", date(first, 1, 1), date(first + 9, 12, 31), Precision.DECADE)


def in_century(year: int) -> When:
    """The century of a year: the 20th is 1901 to 2000."""
    first = (year - 1) // 100 * 100 + 1
    return When(f"{first:04d} century", date(first, 1, 1), date(first + 99, 12, 31), Precision.CENTURY)


def choose_day(rng: KeyedRandom, first: date, last: date, what: str) -> date:
    """A day, both ends included."""
    return first + timedelta(days=rng.sample_below((last - first).days + 1, what))


def coarsen_day(rng: KeyedRandom, day: date, what: str, coarse: float = 0.0) -> When:
    """A day as it is known: mostly as such, sometimes by month or year, in a share of `coarse` by decade."""
    at = rng.sample_unit(f"precision of {what}")
    if at < coarse:
        return in_decade(day.year)
    if at < coarse + 0.06:
        return in_year(day.year)
    if at < coarse + 0.11:
        return in_month(day)
    return on_day(day)
