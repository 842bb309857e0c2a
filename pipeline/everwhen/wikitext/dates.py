"""The date at the head of a year page's bullet: a day, a range of days, a month, a range of months."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from dataclasses import dataclass

from everwhen.core.reasons import RejectReason
from everwhen.temporal.phrases import MONTHS

MONTH = "|".join(MONTHS)
DASH = r"[-\u2010-\u2015\u2212\u2043\uFE58\uFE63\uFF0D]"
DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?(?![0-9])"
YEAR = r"(?:,? [0-9]{4}(?![0-9]))?"
END = rf"(?:(?P<md_month>{MONTH})(?: (?P<md_day>{DAY}))?|(?P<dm_day>{DAY}) (?P<dm_month>{MONTH}))(?P<year>{YEAR})"
"""One end of a range: `January 12`, `12 January` or `January`, perhaps with a year."""
ENDPOINT = re.compile(END)
BARE_DAY = re.compile(DAY)
DAY_FIRST_RANGE = re.compile(rf"(?P<first>{DAY})(?P<dash>\s*{DASH}\s*)(?={DAY} (?:{MONTH})\b)")
JOINT = re.compile(rf"\s*(?:{DASH}|/|\bto\b|\buntil\b|\bthrough\b)\s*")
SEVERAL = re.compile(rf"\s*(?:,|&|and|or)\s*(?:{DAY}|(?:{MONTH}) {DAY})(?=\s*(?:{DASH}|:|,|&|and\b|or\b|$))")
SEPARATOR = re.compile(rf"\s*(?:{DASH}|:)\s*|\s*$")
WIDE_SEPARATOR = re.compile(rf"\s+{DASH}\s*|\s*{DASH}\s+|\s*:\s+|\s*$")
SEASON = "spring|summer|autumn|fall|winter"
UNSURE = r"(?:circa|ca?(?:\.|(?![a-z.]))|[~≈]|approx\.|approximately|probably|possibly|presumably|perhaps)"
VAGUE = re.compile(
    rf"(?:in |the )*(?:early|mid|middle of|late|beginning of|end of|around|about|{UNSURE})[- ]*(?:{MONTH}|{SEASON})\b"
    rf"|{UNSURE}[- ]*{DAY}(?:\s*{DASH}\s*{DAY})? (?:{MONTH})\b"
    rf"|(?:{SEASON})(?: of)?(?: [0-9]{{4}})?\s*(?:{DASH}|:)",
    re.IGNORECASE,
)
UNSURE_NEXT = re.compile(
    rf"\s*[(\[]?(?:\?|{UNSURE}[)\]])|\s*(?:{DASH}|/|\bto\b)?\s*{UNSURE}\s*(?:(?:{MONTH})\b|{DAY}(?! \w))", re.IGNORECASE
)
"""What says behind one end of a range that this end, or the other, is not exact."""
ALONE = rf"(?:(?:{MONTH})(?: {DAY})?|{DAY} (?:{MONTH})){YEAR}"
DATE_ALONE = re.compile(
    rf"{ALONE}(?:\s*(?:{DASH}|/|,|&|to|until|through|and|or)\s*(?:{ALONE}|{DAY}{YEAR}))*"
    rf"|{DAY}\s*{DASH}\s*{DAY} (?:{MONTH}){YEAR}"
)
"""A date, a range or several, as the cell of a table may have it."""
HALF_YEAR = 183
"""Days of the longest range that passes the end of a year: a longer one is a slip, and reversed."""


class NoDateError(ValueError):
    """The bullet's head gives no date; the message is the reason for its reject."""


@dataclass(frozen=True)
class Head:
    """The days that a bullet's head gives, both included, where the date ends, and where the text continues."""

    first_day: dt.date
    last_day: dt.date
    date_end: int
    end: int


@dataclass(frozen=True)
class _End:
    """One end as written; no day where only a month is given."""

    month: int
    day: int | None
    year: int | None
    end: int


def read_head(text: str, year: int, dates_linked_to: int) -> Head | None:
    """Read the date at the head of a bullet's plain text.

    "February 13 – 21 commanders are charged" is one day, "February 13–21 – …" is a range: a second end counts only
    where a separator or the end follows, or where a date link contains it.

    Args:
        text: The bullet's text.
        year: The page's year.
        dates_linked_to: Up to where the head is made of links to dates.

    Returns:
        The days; None where the head is no date at all.

    Raises:
        NoDateError: The head is a date that names no days: a day that no month has, a range that ends before it
            starts, another year, several dates, or a vague one.
    """
    if VAGUE.match(text):
        raise NoDateError(RejectReason.NO_EXACT_DATE)
    first = _parse_first_end(text)
    if first is None:
        return None
    _refuse_unsure(text, first.end)
    if first.day is not None and SEVERAL.match(text, first.end):
        raise NoDateError(RejectReason.SEVERAL_DATES)
    last = _parse_second_end(text, first, dates_linked_to) or first
    end = last.end
    separator = SEPARATOR.match(text, end)
    if not separator and (end > dates_linked_to or text[end].isalnum()):
        return None
    first_day, last_day = _order_days(first, last, year)
    _refuse_unsure(text, end)
    return Head(first_day, last_day, end, separator.end() if separator else end)


def _refuse_unsure(text: str, end: int) -> None:
    if UNSURE_NEXT.match(text, end):
        raise NoDateError(RejectReason.NO_EXACT_DATE)


def _parse_first_end(text: str) -> _End | None:
    """Parse the head's first end. In `12–19 January` it borrows the month of the second."""
    if shared := DAY_FIRST_RANGE.match(text):
        second = ENDPOINT.match(text, shared.end())
        assert second
        end, day = _read(second), shared["first"]
        return _End(end.month, _parse_day(day), end.year, len(day))
    found = ENDPOINT.match(text)
    if not found or text[found.end() : found.end() + 1].isalpha():
        return None
    return _read(found)


def _parse_second_end(text: str, first: _End, dates_linked_to: int) -> _End | None:
    """Parse the other end of a range; None where the head is a single date."""
    joint = JOINT.match(text, first.end)
    last = _parse_end_or_day(text, joint.end(), first) if joint else None
    if not joint or not last:
        return None
    is_spaced = joint.group() != joint.group().strip()
    closed = (WIDE_SEPARATOR if is_spaced else SEPARATOR).match(text, last.end)
    is_linked = last.end <= dates_linked_to
    is_tight = not is_spaced and last.day is not None and text[last.end : last.end + 1] in (" ", ",")
    return last if closed or is_linked or is_tight else None


def _parse_end_or_day(text: str, start: int, first: _End) -> _End | None:
    """Parse an end, or a bare day, which is of the first end's month."""
    if found := ENDPOINT.match(text, start):
        return _read(found)
    bare = BARE_DAY.match(text, start)
    if first.day is None or not bare:
        return None
    return _End(first.month, _parse_day(bare.group()), first.year, bare.end())


def _read(found: re.Match[str]) -> _End:
    month = found["md_month"] or found["dm_month"]
    day = found["md_day"] or found["dm_day"]
    year = found["year"].strip(", ")
    return _End(MONTHS.index(month) + 1, _parse_day(day) if day else None, int(year) if year else None, found.end())


def _parse_day(day: str) -> int:
    return int(re.sub(r"\D", "", day))


def _order_days(first: _End, last: _End, year: int) -> tuple[dt.date, dt.date]:
    """Return the closed range of days; a range that passes the year's end continues in the next year."""
    first_year = first.year or min(last.year or year, year)
    last_year = last.year or first_year
    first_day = _build_date(first_year, first.month, first.day, 1)
    last_day = _build_date(last_year, last.month, last.day, calendar.monthrange(last_year, last.month)[1])
    if last_day < first_day and not last.year:
        next_year = _build_date(last_year + 1, last.month, last_day.day)
        last_day = next_year if (next_year - first_day).days < HALF_YEAR else last_day
    if last_day < first_day:
        raise NoDateError(RejectReason.REVERSED_RANGE)
    if not first_day.year <= year <= last_day.year:
        raise NoDateError(RejectReason.DATE_IN_OTHER_YEAR)
    return first_day, last_day


def _build_date(year: int, month: int, day: int | None, default: int = 1) -> dt.date:
    try:
        return dt.date(year, month, default if day is None else day)
    except ValueError:
        raise NoDateError(RejectReason.NO_SUCH_DAY) from None
