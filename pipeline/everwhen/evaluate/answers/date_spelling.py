"""Dates in other spellings: with a time of day, years in words, days with a full stop, years before 1000."""

from __future__ import annotations

import re

from everwhen.evaluate.answers.number_words import write_years
from everwhen.evaluate.gold import GoldItem
from everwhen.temporal.phrases import MONTHS

MONTH = rf"(?:{'|'.join(MONTHS).lower()}|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
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


def write_plainly(text: str, item: GoldItem) -> str:
    """Write dates as the forms expect them: without time of day, years in digits, those before 1000 in four.

    >>> item = GoldItem(1, "When was the treaty signed?", ("0843-08-10",), ((),), "date")
    >>> write_plainly("10. August 843, at 9:15 pm CET", item)
    '10 August 0843'
    """
    if re.search(r"\d[:.]|\d ?[ap]\.?m\b", text, re.IGNORECASE):
        text = WHOLE.sub(r"\1", DOTTED_DAY.sub(r"\1 ", CLOCK.sub("", text)))
    plain = write_years(text)
    if any(int(part.split("-")[0]) < 1000 for part in item.answer):
        plain = EARLY.sub(lambda found: f"{found['before']}{int(found['year']):04d}", plain)
    return plain
