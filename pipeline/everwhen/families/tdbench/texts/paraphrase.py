"""Keeps a model's wordings that name what the question names: its values, dates and numbers, and no others.

A model makes errors that a reader of the question alone cannot see: a nationality for a country, a month for a day, a
date that it calculated (TDBench, appendix B.3). How times are compared is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from everwhen.evaluate.answers.mentions import scan_times
from everwhen.evaluate.messages import Message
from everwhen.temporal.phrases import MONTHS, SMALL_NUMBERS

PHRASINGS = 3
"""Phrasings that a model is asked for; the paper asks for as many."""

INSTRUCTION = """\
Rewrite a question in three other ways.

- Ask for the same thing, in correct and natural English.
- Repeat every name, date, number and length of time exactly as it is written. Calculate nothing and add no other date.
- Keep each comparison: whether it is about the start or the end, and whether it is before, on, after or beyond a date.
- Begin each version on a line of its own with "Q:" and end it with a question mark. Write nothing else."""

LINE = re.compile(r"(?m)^\s*(?:[-*]\s*|\d+[.)]\s*)?Q\d*\s*[:.]\s*(.+?)\s*$")

TOKEN = re.compile(r"\w+[^\w\s.,;:?!'’\"”)\]]*")
"""A word with the signs that belong to it: AB+, C#."""

NUMBER = re.compile(
    rf"\b(\d\w*|half|once|twice|{'|'.join((*SMALL_NUMBERS, *MONTHS))})\b(?:(?: a)?[ -](day|week|month|year)s?\b)?",
    re.IGNORECASE,
)
"""A number, with the unit that it counts; or a month that belongs to no date."""


class PhrasingReason(StrEnum):
    """Why a phrasing is not kept."""

    VALUE_MISSING = "a value is missing"
    OTHER_VALUE = "another value is in it"
    DATE_MISSING = "a date is missing, or written more or less exactly"
    OTHER_DATE = "another date is in it"
    OTHER_NUMBER = "a number or a length of time is missing, or another is in it"
    REPEATED = "it repeats another wording"


class Named(NamedTuple):
    """What a text names: values, dates by their first and last days, numbers with their units."""

    values: set[tuple[str, ...]]
    dates: Counter[tuple[object, object]]
    numbers: Counter[tuple[str, str]]


class Names:
    """The values that texts may name."""

    def __init__(self, values: Iterable[str]) -> None:
        """Take the values of a dataset's tables, and their words."""
        self._known = {split_words(value) for value in values} - {()}
        self._longest = max(map(len, self._known), default=0)

    def read(self, text: str) -> Named:
        """Read what a text names."""
        words, lowered = split_words(text), text.lower()
        places = ((at, at + size) for at in range(len(words)) for size in range(1, self._longest + 1))
        values = {words[at:end] for at, end in places if words[at:end] in self._known}
        times = scan_times(lowered)
        for time in reversed(times):
            lowered = f"{lowered[: time.start]};{lowered[time.end :]}"
        return Named(values, Counter((time.first, time.last) for time in times), Counter(NUMBER.findall(lowered)))


def split_words(text: str) -> tuple[str, ...]:
    """Split a text into words in lower case; the article that a name may begin with is none of its words.

    >>> split_words("The Netherlands' blood type AB+?")
    ('netherlands', 'blood', 'type', 'ab+')
    """
    words = TOKEN.findall(text.lower())
    return tuple(words[1:] if words[:1] == ["the"] else words)


def build_prompt(question: str, _: Sequence[str] = ()) -> list[Message]:
    """Build the prompt that asks a model for phrasings; it is asked once."""
    return [{"role": "user", "content": f"{INSTRUCTION}\n\nQuestion: {question}"}]


def split_phrasings(response: str) -> list[str]:
    """Split a response into phrasings: its lines that begin with Q, three at most.

    >>> split_phrasings("Q: Who is it?\\n\\nQ2: Who was it?\\nThat is all.")
    ['Who is it?', 'Who was it?']
    """
    return [" ".join(line.split()).strip('"*') for line in LINE.findall(response)][:PHRASINGS]


def judge_phrasings(question: str, phrasings: Sequence[str], names: Names) -> Iterator[PhrasingReason | None]:
    """Judge phrasings of a question: why each is not kept, or None."""
    seen = {split_words(question)}
    for phrasing in phrasings:
        reason = find_reason(names.read(question), names.read(phrasing))
        yield PhrasingReason.REPEATED if reason is None and split_words(phrasing) in seen else reason
        seen.add(split_words(phrasing))


def find_reason(wanted: Named, found: Named) -> PhrasingReason | None:
    """Find the reason why a phrasing is not kept; None where it names what the question names."""
    tests: Sequence[tuple[Collection[object], PhrasingReason]] = (
        (wanted.values - found.values, PhrasingReason.VALUE_MISSING),
        (found.values - wanted.values, PhrasingReason.OTHER_VALUE),
        (wanted.dates - found.dates, PhrasingReason.DATE_MISSING),
        (found.dates - wanted.dates, PhrasingReason.OTHER_DATE),
        ([] if found.numbers == wanted.numbers else [found], PhrasingReason.OTHER_NUMBER),
    )
    return next((reason for rest, reason in tests if rest), None)
