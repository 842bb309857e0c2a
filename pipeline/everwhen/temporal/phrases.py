"""Dates, durations, numbers and ordinals in English words, written and read back; dates in ISO 8601, too.

Whatever date, duration or ordinal is written here is read back to the same value; `everwhen.temporal.phrases_spark`
writes the same in columns. Reading knows more forms than writing does; what it does not
know for certain, such as 04/05/1993, it does not guess.
"""

from __future__ import annotations

import re
from datetime import date

from everwhen.temporal.durations import Duration
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.precision import Precision

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MONTH_NUMBERS = {
    **{name[:3].lower(): number for number, name in enumerate(MONTHS, 1)},
    **{name.lower(): number for number, name in enumerate(MONTHS, 1)},
    "sept": 9,
}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})(?![a-z])\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?P<suffix>st|nd|rd|th)?"
_YEAR = r"(?:ad (?P<ad>[0-9]{1,4})|(?P<ce>[0-9]{1,4}) (?:ad|ce)|(?P<year>[0-9]{4}))"
_DATES = [
    re.compile(form)
    for form in (
        rf"{_DAY} (?:of )?{_MONTH},? {_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_MONTH},? (?:of )?{_YEAR}",
        _YEAR,
        r"(?P<year>[0-9]{4})-(?P<number>[0-9]{2})(?:-(?P<day>[0-9]{2}))?",
    )
]


def write_date(day: date, precision: int = Precision.DAY, *, month_first: bool = False) -> str:
    """Write a date in words, as far as its precision reaches; years of fewer than four digits are given their era.

    >>> write_date(date(1993, 4, 28)), write_date(date(1993, 4, 1), Precision.MONTH), write_date(date(476, 9, 4))
    ('28 April 1993', 'April 1993', '4 September AD 476')
    >>> write_date(date(1993, 4, 28), month_first=True)
    'April 28, 1993'

    Raises:
        ValueError: The precision is coarser than a year.
    """
    year = str(day.year) if day.year > 999 else f"AD {day.year}"
    month = MONTHS[day.month - 1]
    if precision < Precision.YEAR:
        raise ValueError(f"precision {int(precision)} is coarser than a year, and has no words here")
    if precision == Precision.YEAR:
        return year
    if precision == Precision.MONTH:
        return f"{month} {year}"
    return f"{month} {day.day}, {year}" if month_first else f"{day.day} {month} {year}"


def write_when(day: date, precision: int = Precision.DAY, *, month_first: bool = False) -> str:
    """Write when something was: on a day, in a month or year.

    >>> write_when(date(1993, 4, 28)), write_when(date(1993, 1, 1), Precision.YEAR)
    ('on 28 April 1993', 'in 1993')
    """
    preposition = "on" if precision >= Precision.DAY else "in"
    return f"{preposition} {write_date(day, precision, month_first=month_first)}"


def read_date(text: str) -> TimeValue | None:
    """Read a day, a month or a year from words or from ISO 8601; None where the text is no date, or no certain one.

    >>> read_date("January 26th, 2025") == read_date("26 Jan 2025") == read_date("2025-01-26")
    True
    >>> read_date("30 February 1993") is None, read_date("04/05/1993") is None, read_date("April") is None
    (True, True, True)
    """
    parts = _read_parts(" ".join(text.lower().split()))
    if not parts:
        return None
    year, month, day = (*parts, 1, 1)[:3]
    precision = (Precision.YEAR, Precision.MONTH, Precision.DAY)[len(parts) - 1]
    try:
        return TimeValue.from_day(date(year, month, day), precision)
    except ValueError:
        return None


def _read_parts(plain: str) -> list[int]:
    """Read year, month and day of a date, as far as it names them; none where the text is no date, or says "2th"."""
    found = next((match.groupdict() for pattern in _DATES if (match := pattern.fullmatch(plain))), {})
    year = found.get("ad") or found.get("ce") or found.get("year")
    month = _MONTH_NUMBERS.get(found.get("month", ""), found.get("number"))
    day, suffix = found.get("day"), found.get("suffix")
    if day and suffix not in (None, _find_suffix(int(day))):
        return []
    return [int(part) for part in (year, month, day) if part]


SMALL_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
"""The numbers from 0 to 20 in words."""

_NUMBERS = {"a": 1, "an": 1, **{word: number for number, word in enumerate(SMALL_NUMBERS)}}
_NUMBER = rf"(?P<number>[0-9]{{1,18}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_PART = re.compile(
    rf"(?P<half_a>half a|half)[ -]year"
    rf"|{_NUMBER}(?P<half> and a half|\.5)? (?P<unit>year|month|week|day)s?(?P<half_after> and a half)?"
)
_JOINTS = re.compile(r", and |, | and ")


def write_number(number: int) -> str:
    """Write a number: in words up to twenty, else in digits."""
    return SMALL_NUMBERS[number] if 0 <= number < len(SMALL_NUMBERS) else str(number)


def write_times(number: int) -> str:
    """Write how often something was: once, twice, three times."""
    return {1: "once", 2: "twice"}.get(number, f"{write_number(number)} times")


def write_ordinal(number: int) -> str:
    """Write a number as 1st, 2nd, 3rd, 11th."""
    return f"{number}{_find_suffix(number)}"


def write_ordinal_word(number: int) -> str:
    """Write an ordinal: in words from first to tenth, else as `write_ordinal` does."""
    return ORDINALS[number - 1] if 1 <= number <= len(ORDINALS) else write_ordinal(number)


def read_ordinal(text: str) -> int | None:
    """Read an ordinal in words, first to tenth, or in digits with its letters; None where the text is none.

    >>> read_ordinal("third"), read_ordinal("22nd"), read_ordinal("22th")
    (3, 22, None)
    """
    plain = text.strip().lower()
    if plain in ORDINALS:
        return ORDINALS.index(plain) + 1
    found = re.fullmatch(r"([0-9]{1,18})(?:st|nd|rd|th)", plain)
    return int(found[1]) if found and write_ordinal(int(found[1])) == plain else None


def _find_suffix(number: int) -> str:
    """Find the letters of an ordinal: 1st, 2nd, 3rd, 11th."""
    number = abs(number)
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def write_amount(number: int, unit: str, *, in_words: bool = True) -> str:
    """Write a number of units, given as a noun in the singular.

    >>> write_amount(3, "week"), write_amount(1, "day", in_words=False)
    ('three weeks', '1 day')
    """
    return f"{write_number(number) if in_words else number} {unit}{'' if number == 1 else 's'}"


def write_offset(months: int) -> str:
    """Write a number of months: in years where they are whole ones."""
    return write_amount(months, "month") if months % 12 else write_amount(months // 12, "year")


def write_duration(duration: Duration, *, in_words: bool = False) -> str:
    """Write a duration, leaving out the units whose number is zero; numbers in digits, or in words up to twenty.

    >>> write_duration(Duration(years=2, months=3)), write_duration(Duration(1, 1, 1)), write_duration(Duration())
    ('2 years and 3 months', '1 year, 1 month and 1 day', '0 days')
    >>> write_duration(Duration(years=2, months=3), in_words=True)
    'two years and three months'

    Raises:
        ValueError: A number is negative.
    """
    if min(duration) < 0:
        raise ValueError(f"{duration} has a negative number")
    parts = [
        write_amount(number, unit, in_words=in_words)
        for unit, number in zip(("year", "month", "day"), duration, strict=True)
        if number
    ] or [write_amount(0, "day", in_words=in_words)]
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def read_duration(text: str) -> Duration | None:
    """Read a duration in years, months, weeks and days; None where the text is no duration, or has half a month or day.

    >>> read_duration("half a year"), read_duration("two and a half years")
    (Duration(years=0, months=6, days=0), Duration(years=2, months=6, days=0))
    >>> read_duration("2 years and 3 months"), read_duration("3 weeks"), read_duration("a while")
    (Duration(years=2, months=3, days=0), Duration(years=0, months=0, days=21), None)
    """
    plain, total, at = " ".join(text.lower().split()), Duration(), 0
    units: list[str] = []
    while part := _PART.match(plain, at):
        read = _read_part(part)
        unit = part["unit"] or "half"
        if read is None or unit in units:
            return None
        units.append(unit)
        total = Duration(*(sum(pair) for pair in zip(total, read, strict=True)))
        if part.end() == len(plain):
            return total
        joint = _JOINTS.match(plain, part.end())
        if joint is None:
            return None
        at = joint.end()
    return None


def _read_part(part: re.Match[str]) -> Duration | None:
    """Read one number with its unit."""
    if part["half_a"]:
        return Duration(months=6)
    number = _NUMBERS[part["number"]] if part["number"] in _NUMBERS else int(part["number"])
    half = bool(part["half"] or part["half_after"])
    if part["unit"] == "year":
        return Duration(years=number, months=6 if half else 0)
    if half:
        return None
    return {"month": Duration(months=number), "week": Duration(days=7 * number), "day": Duration(days=number)}[
        part["unit"]
    ]
