"""Times of declared tables: texts read to days, each form once."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date

import duckdb
import pyarrow as pa

from everwhen.families.tdbench.declaration.formats import MONTH_NAMES, compile_format, normalize_word
from everwhen.families.tdbench.declaration.time import TableTime
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import read_date
from everwhen.temporal.precision import Precision

OPEN, EMPTY = "open", "empty"
"""What a text in a column of times may say instead of a time: that it is open, or nothing."""

OPEN_WORDS = frozenset({"infinity", "+infinity", "present", "now", "ongoing", "current"})
"""Words of an open end, without regard to case."""

EMPTY_WORDS = frozenset(
    {"-", "\u2013", "\u2014", "na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "none", "nil", "\\n"}
)
"""What people and programs write where there is no value, without regard to case."""

READINGS = pa.schema(
    [
        ("text", pa.string()),
        ("day", pa.date32()),
        ("precision", pa.int8()),
        ("state", pa.string()),
        ("problem", pa.string()),
    ]
)
"""A text in a column of times, and what it says; problem is why it says nothing for certain."""

FORMATS_DISAGREE = "two of time.formats read it as different days"
NO_SUCH_DAY = "there is no such day"
NO_CENTURY = "a year of two digits says no century"
DAY_OR_MONTH_FIRST = "time.formats alone says whether the day or the month comes first"
OPEN_WORD = "an open end is no start"
NO_DIGIT = "no date; time.open_words has words for an open end"
NO_KNOWN_FORM = "no date in a known form; time.formats adds one"
"""Why a text is no time for certain."""

CLOCK = re.compile(
    r"(.*[0-9])(?:[T ]| at )(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-6][0-9](?:[.,][0-9]+)?)?(?: ?[AaPp][Mm])?"
    r" ?(?:Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
"""A day with a time of the day, as databases and spreadsheets write it; the day counts as it is written."""

AS_NUMBER = re.compile(r"([0-9]{4}|[0-9]{8})\.0")
"""A date in a column that has become floating-point numbers because values were missing."""

_MONTH = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
FORMS = [
    re.compile(form)
    for form in (
        r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})(?:-(?P<day>[0-9]{1,2}))?",
        r"(?P<year>[0-9]{4})/(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})",
        r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})",
        rf"(?P<day>[0-9]{{1,2}})(?P<separator>[-/])(?P<name>{_MONTH})(?P=separator)(?P<year>[0-9]{{4}})",
        rf"(?P<year>[0-9]{{4}})-(?P<name>{_MONTH})-(?P<day>[0-9]{{1,2}})",
        rf"(?P<name>{_MONTH})-(?P<year>[0-9]{{4}})",
    )
]
"""Forms beside those of `read_date` that leave no doubt: the year has four digits and is first, or the month a name.

No form has a year of two digits. 2010/11 is no month: it may be a season. 201005 is none: it may be 10 May 2020.
"""

DAY_MONTH_YEAR = re.compile(r"[0-9]{1,2}([-/. ])[0-9]{1,2}\1[0-9]{4}")
TWO_DIGIT_YEAR = re.compile(rf"[0-9]{{1,2}}([-/. ])(?:[0-9]{{1,2}}|{_MONTH})\1'?[0-9]{{2}}", re.IGNORECASE)
DAY_OR_MONTH = re.compile(r"(?<![0-9])[0-9]{1,2}(?![0-9])")
"""Parts of dates that are not read, for messages."""


def read_time(text: str, formats: Sequence[str] = ()) -> TimeValue | None:
    """Read a day, a month or a year; None where the text is none for certain.

    >>> read_time("2010-05-31 00:00:00") == read_time("May 31, 2010") == read_time("2010/5/31") == read_time("20100531")
    True
    >>> read_time("2010.0") == read_time("2010"), read_time("31/05/2010"), read_time("2010-13")
    (True, None, None)
    >>> read_time("31/05/2010", ["%d/%m/%Y"]) == read_time("2010-05-31")
    True

    Args:
        text: The text.
        formats: The formats that a declaration gives. A text of the shape of one is read by them alone, and only if
            they agree.
    """
    plain, shaped = " ".join(text.split()), _match_formats(text, formats)
    if shaped:
        read = {_build_time(found) for found in shaped} - {None}
        return read.pop() if len(read) == 1 else None
    if found := CLOCK.fullmatch(plain):
        value = _read_form(found[1])
        return value if value is not None and value.precision == Precision.DAY else None
    found = AS_NUMBER.fullmatch(plain)
    return _read_form(found[1] if found else plain)


def find_problem(text: str, formats: Sequence[str] = ()) -> str:
    """Find why a text that `read_time` does not read is no time, in words for people.

    >>> [find_problem(text) for text in ("05/06/2012", "31-May-10", "2001-02-30")] == [
    ...     DAY_OR_MONTH_FIRST, NO_CENTURY, NO_SUCH_DAY]
    True
    >>> find_problem("05/06/2012", ["%d/%m/%Y", "%m/%d/%Y"]) == FORMATS_DISAGREE
    True
    """
    plain, shaped = " ".join(text.split()), _match_formats(text, formats)
    if shaped:
        return FORMATS_DISAGREE if any(map(_build_time, shaped)) else NO_SUCH_DAY
    if not any(map(str.isdigit, plain)):
        return NO_DIGIT
    found = CLOCK.fullmatch(plain)
    day = found[1] if found else plain
    if TWO_DIGIT_YEAR.fullmatch(day):
        return NO_CENTURY
    if _read_form(day) is None and _has_form(day):
        return NO_SUCH_DAY
    return DAY_OR_MONTH_FIRST if DAY_MONTH_YEAR.fullmatch(day) else NO_KNOWN_FORM


def _match_formats(text: str, formats: Sequence[str]) -> list[re.Match[str]]:
    """Match a text with the formats that a declaration gives, those that it has the shape of."""
    plain = " ".join(text.split()).lower()
    return [found for form in formats if (found := compile_format(form).fullmatch(plain))]


def _has_form(text: str) -> bool:
    """Tell whether a text has the form of a date, whatever its day and month are."""
    return any(form.fullmatch(text.lower()) for form in FORMS) or _read_form(DAY_OR_MONTH.sub("1", text)) is not None


def _read_form(text: str) -> TimeValue | None:
    """Read a date in a form that leaves no doubt."""
    value = read_date(text)
    if value is not None:
        return value
    return next((_build_time(found) for form in FORMS if (found := form.fullmatch(text.lower()))), None)


def _build_time(found: re.Match[str]) -> TimeValue | None:
    """Build the time that the parts of a text say; None where there is no such day."""
    parts = found.groupdict()
    number, name, day = parts.get("month"), parts.get("name"), parts.get("day")
    month = MONTH_NAMES[name] if name else int(number) if number else None
    precision = Precision.DAY if day else Precision.YEAR if month is None else Precision.MONTH
    try:
        return TimeValue.from_day(date(int(parts["year"]), 1 if month is None else month, int(day or 1)), precision)
    except ValueError:
        return None


def find_state(text: str, time: TableTime) -> str | None:
    """Find what a text says instead of a time: `open` or `empty`; None where it says neither."""
    word = normalize_word(text)
    if word in OPEN_WORDS or word in map(normalize_word, time.open_words or ()):
        return OPEN
    return EMPTY if word in EMPTY_WORDS or word in map(normalize_word, time.empty_words or ()) else None


def load_readings(db: duckdb.DuckDBPyConnection, columns: list[str], time: TableTime) -> None:
    """Read every text that the columns of `records` have, once, and keep the result as table `readings`.

    Args:
        db: Has the table `records`; gets `readings`, with the columns of `READINGS`.
        columns: The columns of times.
        time: The declaration's formats and words.
    """
    union = " UNION ".join(f"SELECT DISTINCT {column} AS text FROM records" for column in columns)
    texts = db.execute(f"SELECT text FROM ({union}) WHERE trim(text) <> '' ORDER BY text").fetchall()
    open_dates = {read_time(word, time.formats or ()) for word in time.open_words or ()} - {None}
    read = (_read_text(text, time, open_dates) for (text,) in texts)
    arrow = pa.Table.from_pylist(list(read), READINGS)
    db.register("arrow", arrow)
    db.execute("CREATE OR REPLACE TABLE readings AS SELECT * FROM arrow")
    db.unregister("arrow")


def _read_text(text: str, time: TableTime, open_dates: Collection[TimeValue | None]) -> dict[str, object]:
    """Read what a text in a column of times says, as a row of `READINGS`."""
    value = read_time(text, time.formats or ())
    state = OPEN if value is not None and value in open_dates else find_state(text, time)
    day, precision = (None, None) if value is None else (value.first, value.precision)
    problem = find_problem(text, time.formats or ()) if value is None else None
    problem = OPEN_WORD if state == OPEN else problem
    return {"text": text, "day": day, "precision": precision, "state": state, "problem": problem}
