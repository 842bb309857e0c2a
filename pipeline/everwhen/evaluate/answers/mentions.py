"""Times in a text: days, months, years, decades, centuries and runs, each with the days that it leaves open."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from everwhen.evaluate.answers.date_spelling import MONTH
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import read_date

DAY = r"\d{1,2}(?:st|nd|rd|th)?"
YEAR = r"(?:\d{4}|ad \d{1,4}|\d{1,4} (?:ad|ce))"
TO_DAY = r"(?:st|nd|rd|th)?\s?[-–]\s?"
FORMS = (
    (
        "day_range",
        rf"(?P<from>\d{{1,2}}){TO_DAY}(?P<to>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m1>{MONTH}),? (?P<y1>\d{{4}})",
    ),
    ("range_day", rf"(?P<m2>{MONTH}) (?P<from2>\d{{1,2}}){TO_DAY}(?P<to2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{4}})"),
    (
        "words",
        rf"{DAY}(?: day)?(?: of)? {MONTH},? {YEAR}|{MONTH} {DAY}(?:, ?| )(?:of )?{YEAR}|{MONTH},? (?:of )?{YEAR}",
    ),
    ("year_first", rf"(?P<fy>\d{{4}}),? (?P<fm>{MONTH}) (?P<fd>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"),
    ("iso", r"(?P<iy>\d{4})[-/.](?P<im>\d{1,2})[-/.](?P<id>\d{1,2})(?!\d)"),
    ("iso_month", r"\d{4}-(?:0[1-9]|1[0-2])(?![\d-])"),
    ("years", r"(?P<ya>\d{4})\s?[-–/]\s?(?P<yb>\d{2})(?!\d)"),
    ("numeric", r"(?P<na>\d{1,2})[-/.](?P<nb>\d{1,2})[-/.](?P<ny>\d{4})(?!\d)"),
    ("decade", r"(?P<tens>\d{3})0'?s"),
    ("century", r"(?P<hundreds>\d{1,2})(?:st|nd|rd|th)[ -]century"),
    ("no_year", rf"{DAY}(?: of)? {MONTH}|{MONTH} {DAY}(?!\d)"),
    ("year", rf"{YEAR}(?![\d%]|[.,]\d)"),
)
"""The forms of times, in the order in which they are tried."""

MENTION = re.compile("|".join(rf"(?<![\w.])(?P<{name}>{form})" for name, form in FORMS))

WORDED = re.compile("|".join(rf"(?<![\w.])(?:{form})" for name, form in FORMS if name in ("words", "no_year")))
RUN = re.compile(
    rf"(?<![\w.])(?:{DAY} ?(?:[-–]|to|until|through|and) ?{DAY}(?: of)? {MONTH}"
    rf"|{MONTH} {DAY} ?(?:[-–]|to|until|through|and) ?{DAY}(?!\d))(?:,? \d{{4}})?"
)
"""A run of days of one month: from 4 to 15 April 2018."""

DASHED = re.compile(rf"(\d)-({MONTH})-(\d)")

JOINED = re.compile(r"\s*(?:[-–]|to|until|till|through|and|up to)\s*(?:the |in |on )?")
BEFORE_OUR_ERA = re.compile(r"\s?(?:bce?\b|b\. ?c\b)")


class Mention(NamedTuple):
    """A time in a text.

    Attributes:
        start, end: Where it is in the text.
        first, last: The days that it leaves open; both None of what is no date, such as 30 February 1994.
        is_range: Whether it is a run of days or years and no day, month or year.
    """

    start: int
    end: int
    first: date | None
    last: date | None
    is_range: bool = False


def blank_dates(text: str) -> str:
    """Remove dates in words from a text in lower case, which may have other numbers."""
    return WORDED.sub(" ", RUN.sub(" ", text))


def scan_times(plain: str, year: int | None = None) -> list[Mention]:
    """Find all times in a text in lower case with single spaces; `year` is that of a day without one."""
    found = []
    for match in MENTION.finditer(plain):
        start, end = match.span()
        spans = [NO_DATE] if BEFORE_OUR_ERA.match(plain, end) else _read(match, year)
        places = [(start, end)] if len(spans) == 1 else [(start, start + 4), (end - 2, end)]
        found += [Mention(*place, *span[:2], span[2]) for place, span in zip(places, spans, strict=True)]
    return found


ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
Span = tuple[date | None, date | None, bool]
NO_DATE: Span = (None, None, False)


def _read(match: re.Match[str], year: int | None) -> list[Span]:
    """Read a mention as runs of days: two of a range of years, else one."""
    text = ORDINAL.sub("", match.group())
    if match["words"] or match["iso_month"] or match["year"]:
        return [_span(read_date(text.replace(" day of", " of").replace(". ", " ").replace(" of ad", " ad")))]
    if match["year_first"]:
        return [_span(read_date(f"{match['fd']} {match['fm'].rstrip('.')} {match['fy']}"))]
    if match["iso"]:
        return [_day(match["iy"], match["im"], match["id"])]
    if match["numeric"]:
        return [_read_numeric(int(match["na"]), int(match["nb"]), int(match["ny"]))]
    if match["no_year"]:
        return [_span(read_date(f"{text.rstrip('.')} {year:04d}".replace(". ", " ")))] if year else [NO_DATE]
    if match["years"]:
        return [_span(read_date(y)) for y in (match["ya"], match["ya"][:2] + match["yb"])]
    return [_read_range(match)]


def _read_range(match: re.Match[str]) -> Span:
    """Read a decade, a century, or a run of days."""
    if match["decade"]:
        first = int(match["tens"]) * 10
        return (date(first, 1, 1), date(first + 9, 12, 31), True) if first else NO_DATE
    if match["century"]:
        century = int(match["hundreds"])
        return (date(century * 100 - 99, 1, 1), date(century * 100, 12, 31), True) if 0 < century < 100 else NO_DATE
    groups = ("from", "to", "m1", "y1") if match["day_range"] else ("from2", "to2", "m2", "y2")
    first_day, last_day, month, year = (match[name] for name in groups)
    start, end = (read_date(f"{day} {month.rstrip('.')} {year}") for day in (first_day, last_day))
    return (start.first, end.last, True) if start and end else NO_DATE


def _read_numeric(a: int, b: int, year: int) -> Span:
    """Read 26/01/2025; where nothing distinguishes day and month, the year alone is certain."""
    if a <= 12 and b <= 12 and a != b:
        return _span(read_date(f"{year:04d}"))
    day, month = (a, b) if a > 12 or a == b else (b, a)
    return _day(year, month, day)


def _day(year: int | str, month: int | str, day: int | str) -> Span:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return NO_DATE
    return found, found, False


def _span(time: TimeValue | None) -> Span:
    return (time.first, time.last, False) if time else NO_DATE
