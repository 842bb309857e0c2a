"""Expressions of time with one end or two, such as "from May 1998 to 2001" and "since 1998", in an answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from everwhen.evaluate.answers.claims import ASIDE, clean
from everwhen.evaluate.answers.mentions import Mention, are_joined, scan_times
from everwhen.evaluate.answers.stance import is_denied
from everwhen.evaluate.outcome import Outcome

MANY = 10_000
"""Texts that are read once: golds and short responses repeat."""

Days = tuple[date, date]
"""The first and the last day that a time leaves open."""

SINCE = re.compile(r"\b(?:since|from|after|beginning in|starting in)(?: about| around| the| in| on)* ?$")
ONGOING = re.compile(
    r"^\W*(?:onwards?|(?:to|until|till|through|up to)(?: the)? (?:present|now|today)\b|[-–] ?(?:present|now|today)\b)"
)
UNTIL = re.compile(r"\b(?:until|till|up to|to|through|ending in)(?: about| around| the| in| on)* ?$")
"""In front of, and behind, a time that is one end alone."""

STARTED = re.compile(r"\b(?:started|began|begun|joined)\b")
ENDED = re.compile(r"\b(?:ended|left|stopped|finished|ceased)\b")
"""What says that something started, and what says more than that."""

FILLERS = frozenset("from to since until till through between and in on the of present now today onwards".split())  # noqa: SIM905
"""Words that an expression of time may have beside its times."""


class Span(NamedTuple):
    """An expression of time; without an end it goes on, without a start it is that of all before its end.

    Attributes:
        start: When it starts.
        end: When it ends; a single time is both.
    """

    start: Days | None
    end: Days | None


@lru_cache(maxsize=MANY)
def read_span(text: str, question: str = "") -> Span | None:
    """Read the expression of time that a text gives; None where there is none, or several.

    Times of the question do not count where there are others, nor does what is in parentheses.

    >>> read_span("Since May 1998").start[0].isoformat(), read_span("1998 or 1999")
    ('1998-05-01', None)
    """
    plain = _fold(text)
    asked = {(m.first, m.last) for m in scan_times(_fold(question))}
    for each in dict.fromkeys((ASIDE.sub("", plain), plain)):
        if found := _find_given(each):
            return _read_ends(each, [m for m in found if (m.first, m.last) not in asked] or found)
    return None


def leave_open(span: Span | None, text: str) -> Span | None:
    """Leave the end open where a text says when something started, and nothing else.

    >>> leave_open(read_span("She started in 2014."), "She started in 2014.").end is None
    True
    """
    plain = _fold(text)
    is_start = span is not None and span.start == span.end and STARTED.search(plain) and not ENDED.search(plain)
    return Span(span.start, None) if span and is_start else span


def _find_given(plain: str) -> list[Mention]:
    """Find the times that a text names and does not deny."""
    return [m for m in scan_times(plain) if m.first and m.last and not is_denied(plain, m.start, m.end)]


def _read_ends(plain: str, mentions: Sequence[Mention]) -> Span | None:
    first, last = mentions[0], mentions[-1]
    days = [_list_days(m) for m in (first, last)]
    if len(mentions) == 1:
        if ONGOING.match(plain[first.end :]) or SINCE.search(plain[: first.start]):
            return Span(days[0], None)
        return Span(None, days[0]) if UNTIL.search(plain[: first.start]) else Span(*days)
    return Span(*days) if len(mentions) == 2 and are_joined(plain, first, last) else None


def _list_days(mention: Mention) -> Days:
    return mention.first or date.min, mention.last or date.max


def is_span(text: str) -> bool:
    """Tell whether a text is an expression of time and nothing else; "1998 FIFA World Cup" is a name.

    >>> is_span("From May 1998 to 2001"), is_span("1998 FIFA World Cup")
    (True, False)
    """
    plain = _fold(text)
    mentions = scan_times(plain)
    for mention in reversed(mentions):
        plain = plain[: mention.start] + " " + plain[mention.end :]
    return bool(mentions) and FILLERS.issuperset(re.findall(r"\w+", plain)) and read_span(text) is not None


def judge_span(given: Span | None, right: Collection[Span]) -> Outcome:
    """Judge an expression of time: right where its ends are those that are right or within them, coarse around them."""
    return min((_compare_spans(given, each) for each in right), key=list(Outcome).index, default=Outcome.WRONG)


def _compare_spans(given: Span | None, right: Span) -> Outcome:
    if given is None:
        return Outcome.WRONG
    return max((_compare_days(*pair) for pair in zip(given, right, strict=True)), key=list(Outcome).index)


def _compare_days(given: Days | None, right: Days | None) -> Outcome:
    if given is None or right is None:
        return Outcome.RIGHT if given == right else Outcome.WRONG
    if right[0] <= given[0] and given[1] <= right[1]:
        return Outcome.RIGHT
    return Outcome.COARSE if given[0] <= right[0] and right[1] <= given[1] else Outcome.WRONG


def _fold(text: str) -> str:
    """Fold a text to lower case, single spaces and plain marks."""
    return " ".join(clean(text).lower().split())
