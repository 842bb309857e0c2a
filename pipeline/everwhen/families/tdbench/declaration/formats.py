"""Formats of dates as a declaration gives them, with the directives of `strptime`: "%d/%m/%Y"."""

from __future__ import annotations

import re
from functools import cache

from everwhen.temporal.phrases import MONTHS

MONTH_NAMES = {
    **{name.lower(): number for number, name in enumerate(MONTHS, 1)},
    **{name[:3].lower(): number for number, name in enumerate(MONTHS, 1)},
    "sept": 9,
}
"""The number of each month, by its English name and its abbreviation, in lower case."""

_NAME = f"(?P<name>{'|'.join(sorted(MONTH_NAMES, key=len, reverse=True))})"
DIRECTIVES = {
    "d": "(?P<day>[0-9]{1,2})",
    "m": "(?P<month>[0-9]{1,2})",
    "Y": "(?P<year>[0-9]{4})",
    "b": _NAME,
    "B": _NAME,
    **dict.fromkeys("HIMS", "[0-9]{1,2}"),
    "f": "[0-9]+",
    "p": "[ap]m",
    "%": "%",
}
"""By letter, what a directive stands for; of the time of the day nothing is kept."""


@cache
def compile_format(form: str) -> re.Pattern[str]:
    """Compile a format to a pattern of texts in lower case, with the groups day, month or name, and year.

    >>> compile_format("%d.%m.%Y").fullmatch("31.5.2010").groupdict()
    {'day': '31', 'month': '5', 'year': '2010'}

    Raises:
        ValueError: A directive is unknown or given twice, or the format says no date.
    """
    pieces = re.split(r"%(.?)", " ".join(form.split()))
    pattern = ""
    for place, piece in enumerate(pieces):
        pattern += _expand_directive(piece, form) if place % 2 else re.escape(piece.lower())
    try:
        compiled = re.compile(pattern)
    except re.error:
        raise ValueError(f"{form}: a directive is given twice") from None
    names = set(compiled.groupindex)
    if "year" not in names or {"month", "name"} <= names or ("day" in names and not names & {"month", "name"}):
        raise ValueError(f"{form}: a year is expected (%Y), or a month and a year, or a day, a month and a year")
    return compiled


def _expand_directive(letter: str, form: str) -> str:
    """Write the pattern that a directive of a format stands for.

    Raises:
        ValueError: There is no such directive.
    """
    if letter == "y":
        raise ValueError(f"{form}: %y, a year of two digits, says no century; only %Y is read")
    if letter not in DIRECTIVES:
        known = ", ".join(f"%{each}" for each in DIRECTIVES)
        raise ValueError(f"{form}: %{letter} is unknown; there are {known}")
    return DIRECTIVES[letter]


def normalize_word(text: str) -> str:
    """Write a word as it is compared with others: without regard to case, and with single spaces."""
    return " ".join(text.split()).casefold()
