"""Durations in an answer, such as "6 years 5 months 13 days", beside those that are right."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from everwhen.evaluate.answers.claims import ASIDE, clean
from everwhen.evaluate.outcome import Outcome
from everwhen.temporal.durations import Duration
from everwhen.temporal.phrases import SMALL_NUMBERS, read_duration

MANY = 10_000
"""Texts that are read once: golds and short responses repeat."""

_NUMBER = rf"(?:\d+|an?|{'|'.join(sorted(SMALL_NUMBERS, key=len, reverse=True))})"
_PART = rf"\b{_NUMBER}[ -](?:years?|months?|weeks?|days?)\b"
DURATION = re.compile(rf"{_PART}(?:(?:,? and |,? ){_PART})*")
PART = re.compile(_PART)


@lru_cache(maxsize=MANY)
def read_durations(text: str) -> tuple[Duration, ...]:
    """Read the durations of a text, each once; those in parentheses only where there are no others.

    >>> read_durations("6 years 5 months 13 days"), read_durations("two years (730 days)")
    ((Duration(years=6, months=5, days=13),), (Duration(years=2, months=0, days=0),))
    """
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", _fold(text))
    for each in (ASIDE.sub("", plain), plain):
        found = [duration for match in DURATION.finditer(each) if (duration := _sum_parts(match.group()))]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def _sum_parts(text: str) -> Duration | None:
    """Sum the parts of a duration; None of a number that is too long."""
    parts = [read_duration(part.replace("-", " ")) for part in PART.findall(text)]
    known = [part for part in parts if part is not None]
    return Duration(*map(sum, zip(*known, strict=True))) if len(known) == len(parts) else None


def is_duration(text: str) -> bool:
    """Tell whether a text is a duration and nothing else."""
    return DURATION.fullmatch(_fold(text)) is not None


def judge_durations(given: Collection[Duration], right: Collection[Duration]) -> Outcome:
    """Judge durations: right where there is one and it is right; coarse where it leaves out days, or months and days.

    Twelve months are a year; months and days do not convert.
    """
    if len(given) != 1:
        return Outcome.WRONG
    (one,) = map(_count, given)
    counts = {_count(each) for each in right}
    if one in counts:
        return Outcome.RIGHT
    coarser = {(cut, 0) for months, _ in counts for cut in (months, months - months % 12) if cut}
    return Outcome.COARSE if one in coarser else Outcome.WRONG


def _count(duration: Duration) -> tuple[int, int]:
    """Count months and days."""
    return 12 * duration.years + duration.months, duration.days


def _fold(text: str) -> str:
    """Fold a text to lower case, single spaces and plain marks."""
    return " ".join(clean(text).lower().split())
