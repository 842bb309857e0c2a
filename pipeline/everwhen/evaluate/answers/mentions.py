"""Times in a text: days, months, years, decades, centuries and runs, each with the days that it leaves open."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from everwhen.evaluate.answers.number_words import write_years
from everwhen.evaluate.items import GoldItem
from everwhen.temporal.phrases import MONTHS, ORDINALS, SMALL_NUMBERS, read_date

MANY_DATES = 50_000
"""Texts of dates that are read once: responses to one dataset give the same ones over and over."""

MONTH = rf"(?:{'|'.join(MONTHS).lower()}|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
YEAR = r"(?:\d{4}|ad \d{1,4}|\d{1,4} (?:ad|ce))"
OF = r",? (?:(?:of|in)(?: the year)? )?"
TO_DAY = r"(?:st|nd|rd|th)?\s?[-–]\s?"
FORMS = (
    (
        "day_range",
        rf"(?P<from>\d{{1,2}}){TO_DAY}(?P<to>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m1>{MONTH}),? (?P<y1>\d{{4}})",
    ),
    ("range_day", rf"(?P<m2>{MONTH}) (?P<from2>\d{{1,2}}){TO_DAY}(?P<to2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{4}})"),
    (
        "words",
        rf"{DAY}(?: day)?(?: of)? {MONTH}{OF}{YEAR}|{MONTH} {DAY}(?:, ?|{OF}){YEAR}|{MONTH}{OF}{YEAR}",
    ),
    ("year_aside", rf"(?P<ya_year>\d{{4}}) \((?P<ya_day>{DAY} {MONTH}|{MONTH} {DAY})(?=\))"),
    ("year_first", rf"(?P<fy>\d{{4}}),? (?P<fm>{MONTH}) (?P<fd>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"),
    ("iso", r"(?P<iy>\d{4})[-/.](?P<im>\d{1,2})[-/.](?P<id>\d{1,2})(?!\d)"),
    ("iso_month", r"\d{4}-(?:0[1-9]|1[0-2])(?![\d-])"),
    ("years", r"(?P<ya>\d{4})\s?[-–/]\s?(?P<yb>\d{2})(?!\d)"),
    ("numeric", r"(?P<na>\d{1,2})[-/.](?P<nb>\d{1,2})[-/.](?P<ny>\d{4})(?!\d)"),
    ("decade", r"(?P<tens>\d{3})0'?s"),
    ("short_decade", r"(?<!his )(?<!her )(?<!their )(?:the )?'?(?P<ten>[2-9])0'?s"),
    ("century", r"(?P<hundreds>\d{1,2})(?:st|nd|rd|th)[ -]century"),
    ("no_year", rf"{DAY}(?: of)? {MONTH}|{MONTH} {DAY}(?!\d)"),
    ("year", rf"{YEAR}(?![\d%]|[.,]\d)"),
)
"""The forms of times, in the order in which they are tried."""

MENTION = re.compile("|".join(rf"(?<![\w.])(?P<{name}>{form})" for name, form in FORMS))

YEAR_ASIDE = re.compile(dict(FORMS)["year_aside"], re.IGNORECASE)
WORDED = re.compile("|".join(rf"(?<![\w.])(?:{form})" for name, form in FORMS if name in ("words", "no_year")))
RUN = re.compile(
    rf"(?<![\w.])(?:{DAY} ?(?:[-–]|to|until|through|and) ?{DAY}(?: of)? {MONTH}"
    rf"|{MONTH} {DAY} ?(?:[-–]|to|until|through|and) ?{DAY}(?!\d))(?:,? \d{{4}})?"
)
"""A run of days of one month: from 4 to 15 April 2018."""

_FOREIGN = """
gennaio enero januar janvier|febbraio febrero februar février|marzo märz mars|aprile abril avril|maggio mayo mai
giugno junio juni juin|luglio julio juli juillet|agosto août|settembre septiembre septembre
ottobre octubre oktober octobre|novembre noviembre|dicembre diciembre dezember décembre
"""
FOREIGN = {
    word: month
    for month, words in zip(MONTHS, _FOREIGN.strip().replace("\n", "|").split("|"), strict=True)
    for word in words.split()
}
"""Months by their names in Italian, Spanish, German and French."""
FOREIGN_MONTH = re.compile(rf"(?<=\d)\.? (?:de )?(?P<month>{'|'.join(FOREIGN)})(?: del?)? (?=\d{{3}})", re.IGNORECASE)

DASHED = re.compile(rf"(\d)-({MONTH})-(\d)")

ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
OF_YEAR = re.compile(r",? (?:of|in)(?: the year)? (?=ad\b|\d)")
JOINED = re.compile(r"\s*(?:[-–]|to|until|till|through|and|up to)\s*(?:the |in |on )?")
BETWEEN = re.compile(r"\bbetween(?: the)? (?:years )?$")
BEFORE_OUR_ERA = re.compile(r"\s?(?:bce?\b|b\. ?c\b)")

DOTTED_DAY = re.compile(rf"\b(\d{{1,2}})\. ?(?={MONTH})", re.IGNORECASE)
WHOLE = re.compile(r"\b(\d{4})\.0+\b")
CLOCK = re.compile(
    r"(?:,?\s*(?:at |around |t)|,\s*|\s+)"
    r"(?:\d{1,2}(?::\d{2}){1,2}(?:\.\d+)?\s?(?:[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?)"
    r"(?:\s?\(?(?:local time|utc|gmt|z|[a-z]{1,3}[sd]?t)\b(?:\s?[+-]\d{1,2}(?::?\d{2})?)?\)?)?",
    re.IGNORECASE,
)
"""A time of day behind a date."""
EARLY = re.compile(
    rf"(?P<before>^\W*|[;\n]\s*|\b(?:in|of|year|about|is|was|be|c\.|from|to|till|until|and|{MONTH}) |, "
    r"|(?<=\d{3})\s?[-–]\s?(?=\d{3}\b))(?P<year>\d{2,3}|(?:(?<!.)|(?<=; )|(?<=\bin )|(?<=\byear ))\d)"
    r"(?=\W*(?:$|[.;\n]\s|ad\b|ce\b)|[;\n]| (?:to|till|until|and)\b|\s?[-–]\s?\d{3}\b|(?<=\d{3})-\d\d\b)",
    re.IGNORECASE,
)
"""A year before 1000, where one is asked for: alone, behind such words, in a list or in a range."""


ROCKET = re.compile(r"\bLong March \d\w?\b")
"""What reads as a day and is none."""
NUMBERS = {word: number for number, word in enumerate((*ORDINALS, "eleventh", "twelfth"), 1)}
NUMBERS |= {f"{SMALL_NUMBERS[number]}th": number for number in range(13, 20)} | {"twentieth": 20, "twenty-first": 21}
NUMBERS |= {f"twenty-{word}": number for number, word in enumerate(ORDINALS[1:9], 22)}
NUMBERS |= {"thirtieth": 30, "thirty-first": 31}
IN_WORDS = re.compile(
    rf"\b(?:{'|'.join(sorted(NUMBERS, key=len, reverse=True))})(?=[ -]century|(?: day)? of {MONTH}| {MONTH})",
    re.IGNORECASE,
)
"""A century or a day whose number is an ordinal in words."""
LISTED = re.compile(r"^\W*1[.)]\s+(?=\d)")
"""The mark of a list of one; by itself it reads as the year 1."""


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


def write_plainly(text: str, item: GoldItem) -> str:
    """Write dates as the forms expect them: without time of day, years in digits, those before 1000 in four.

    >>> item = GoldItem(1, "When was the treaty signed?", ("0843-08-10",), ((),), "date")
    >>> write_plainly("10. August 843, at 9:15 pm CET", item)
    '10 August 0843'
    """
    text = IN_WORDS.sub(lambda found: f"{NUMBERS[found[0].lower()]}th", ROCKET.sub("", text))
    if re.search(r"\d[:.]|\d ?[ap]\.?m\b", text, re.IGNORECASE):
        text = WHOLE.sub(r"\1", DOTTED_DAY.sub(r"\1 ", CLOCK.sub("", text)))
    text = write_years(FOREIGN_MONTH.sub(lambda found: f" {FOREIGN[found['month'].lower()]} ", text))
    if any(int(part.split("-")[0]) < 1000 for part in item.answer):
        text = LISTED.sub("", text)
        text = EARLY.sub(lambda found: f"{found['before']}{int(found['year']):04d}", text)
    return text


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


def are_joined(plain: str, first: Mention, second: Mention) -> bool:
    """Whether two times of a text are the ends of a range."""
    between = plain[first.end : second.start]
    if between.strip() == "and":
        return BETWEEN.search(plain[: first.start]) is not None
    return first.end == second.start or JOINED.fullmatch(between) is not None


Span = tuple[date | None, date | None, bool]
NO_DATE: Span = (None, None, False)


def _read(found: re.Match[str], year: int | None) -> list[Span]:
    """Read a mention as runs of days: two of a range of years, else one."""
    text = ORDINAL.sub("", found.group())
    match found.lastgroup:
        case "words" | "iso_month" | "year":
            return [_span(OF_YEAR.sub(" ", text.replace(" day of", " of").replace(". ", " ")))]
        case "year_aside":
            return [_span(f"{ORDINAL.sub('', found['ya_day']).rstrip('.')} {found['ya_year']}".replace(". ", " "))]
        case "year_first":
            return [_span(f"{found['fd']} {found['fm'].rstrip('.')} {found['fy']}")]
        case "iso":
            return [_span(f"{found['iy']}-{found['im']:0>2}-{found['id']:0>2}")]
        case "numeric":
            return [_read_numeric(int(found["na"]), int(found["nb"]), found["ny"])]
        case "no_year":
            return [_span(f"{text.rstrip('.')} {year:04d}".replace(". ", " ")) if year else NO_DATE]
        case "years":
            return [_span(found["ya"]), _span(found["ya"][:2] + found["yb"])]
    return [_read_range(found)]


def _read_range(found: re.Match[str]) -> Span:
    """Read a decade, a century, or a run of days."""
    if found["decade"] or found["short_decade"]:
        return _span_years(int(found["tens"] or f"19{found['ten']}") * 10, 10)
    if found["century"]:
        return _span_years(int(found["hundreds"]) * 100 - 99, 100)
    groups = ("from", "to", "m1", "y1") if found["day_range"] else ("from2", "to2", "m2", "y2")
    first_day, last_day, month, year = (found[name] for name in groups)
    start, end = (read_date(f"{day} {month.rstrip('.')} {year}") for day in (first_day, last_day))
    return (start.first, end.last, True) if start and end else NO_DATE


def _span_years(first: int, count: int) -> Span:
    """Span years from the first of them; there is no year 0."""
    return (date(first, 1, 1), date(first + count - 1, 12, 31), True) if first > 0 else NO_DATE


def _read_numeric(a: int, b: int, year: str) -> Span:
    """Read 26/01/2025; where nothing distinguishes day and month, the year alone is certain."""
    if a <= 12 and b <= 12 and a != b:
        return _span(year)
    return _span(f"{year}-{min(a, b):02d}-{max(a, b):02d}")


@lru_cache(maxsize=MANY_DATES)
def _span(text: str) -> Span:
    time = read_date(text)
    return (time.first, time.last, False) if time else NO_DATE
