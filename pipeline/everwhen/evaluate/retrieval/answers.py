"""Whether the first k passages of a query contain its answer, as open-domain question answering measures retrieval.

Karpukhin et al. 2020 (https://arxiv.org/abs/2004.04906) call it top-k accuracy: an accepted answer is in one of the
passages, as a run of its words and not as a part of one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from everwhen.evaluate.answers.mentions import DASHED, DAY, DOTTED_DAY, MONTH, scan_times
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.answers.numbers import Amount, scan_amounts
from everwhen.evaluate.answers.units import UNITS
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranking, Run
from everwhen.temporal.phrases import read_date

MAX_PIECE_LENGTH = 2000
"""Scans for dates and numbers take longer than a text is longer."""

PIECE = re.compile(
    r".{1,%(longest)d}(?<=[.!?])(?: |$)|.{1,%(longest)d}(?: |$)|.{%(longest)d}" % {"longest": MAX_PIECE_LENGTH}  # noqa: UP031
)


Days = frozenset[tuple[int, int]]
"""Times as the numbers of their first and last day (`date.toordinal`)."""

TO = r" ?(?:[-–—]|to|until|till|through|and) ?"

RUNS = (
    (re.compile(rf"\b({DAY}){TO}({DAY}) (?:of )?({MONTH}),? (\d{{4}})"), r"\1 \3 \4 to \2 \3 \4"),
    (re.compile(rf"\b({MONTH}) ({DAY}){TO}({DAY}),? (\d{{4}})"), r"\1 \2, \4 to \1 \3, \4"),
    (re.compile(rf"\b({DAY} {MONTH})({TO}{DAY} {MONTH},? (\d{{4}}))"), r"\1 \3 to \2"),
    (re.compile(rf"\b({MONTH} {DAY})({TO}{MONTH} {DAY},? (\d{{4}}))"), r"\1, \3 to \2"),
    (re.compile(rf"\b({MONTH})({TO}{MONTH},? (\d{{4}}))"), r"\1 \3 to \2"),
)
"""Runs of days or months of one year, which the text gives once: 4 to 15 April 2018, May 30 – June 3, 1994."""

EARLY = re.compile(
    rf"(?P<before>\b(?:in|since|from|until|by|of|year|about|c\.|{MONTH}) )(?P<year>\d{{2,3}})(?![\w:%]|[.,]\d)"
)
"""A year before 1000. Other numbers look so, too; it is read for answers before 1000 alone."""


class PassageReader:
    """Reads documents of a corpus, title and text, each once."""

    def __init__(self, documents: Documents) -> None:
        """Take the corpus."""
        self._words = cache(lambda doc_id: _pad(fold(documents[doc_id].content)))
        self._pieces = cache(lambda doc_id: split_text(documents[doc_id].content))
        self._days = cache(
            lambda doc_id, is_early: frozenset().union(
                *(scan_days(piece, is_early=is_early) for piece in self._pieces(doc_id))
            )
        )
        self._amounts = cache(lambda doc_id: frozenset().union(*map(scan_amounts, self._pieces(doc_id))))

    def has_part(self, doc_id: str, item: GoldItem, part: int) -> bool:
        """Tell whether a document contains a part of an item's answer.

        A name is there as a run of words, without case, accents and punctuation. A date is there as a day, month or
        year that lies within it, in any form that leaves no doubt. A number is there in digits or words, without a unit
        or in one that gives the same amount.
        """
        texts = (item.answer[part], *item.accepted[part])
        answer_type = item.value_type or item.answer_type
        if answer_type == "date":
            is_early = any(text < "1000" for text in texts)
            days: Days = self._days(doc_id, is_early)
            return any(_covers(text, days) for text in texts)
        if answer_type == "number":
            amounts: frozenset[Amount] = self._amounts(doc_id)
            return any(_measures(amount, Fraction(item.answer[part]), item.unit) for amount in amounts)
        words: str = self._words(doc_id)
        return any(name in words for name in map(_pad, map(fold, texts)) if name.strip())


def split_text(text: str) -> list[str]:
    """Split a text into pieces of at most `MAX_PIECE_LENGTH` characters: at ends of sentences, else between words.

    >>> split_text("On 4 March\\n 1971.")
    ['On 4 March 1971.']
    """
    return PIECE.findall(" ".join(text.split()))


def scan_days(text: str, *, is_early: bool = False) -> Days:
    """Scan a text for days, months and years, in the ways that texts write them; ambiguous ones are passed over.

    Where it is early, numbers of two or three digits may be years.
    """
    plain = DASHED.sub(r"\1 \2 \3", DOTTED_DAY.sub(r"\1 ", " ".join(text.lower().split())))
    for pattern, replacement in RUNS:
        plain = pattern.sub(replacement, plain)
    if is_early:
        plain = EARLY.sub(lambda found: f"{found['before']}{int(found['year']):04d}", plain)
    return frozenset(
        (time.first.toordinal(), time.last.toordinal())
        for time in scan_times(plain)
        if time.first and time.last and not time.is_range and not plain[time.end : time.end + 1].isdigit()
    )


def has_text(item: GoldItem) -> bool:
    """Whether an answer can be looked for: it is not empty, and more than yes or no."""
    return bool(item.answer) and "yes_no" not in (item.answer_type, item.value_type)


def find_depths(
    run: Run, documents: Documents, items: Mapping[str, GoldItem], deepest: int | None = None
) -> dict[str, float]:
    """Find how many documents of each query have to be read until they contain its answer.

    Of several parts each must be in one of the documents, which may be different ones.

    Args:
        run: The run; its documents are in the corpus.
        documents: The corpus.
        items: What is right of each query, by its id.
        deepest: How many documents are read at most; all by default.

    Returns:
        By query a rank from 1, infinite where what is read does not suffice. Queries whose answer cannot be looked for
        (`has_text`) are left out.
    """
    reader = PassageReader(documents)
    asked = {query_id: item for query_id, item in items.items() if has_text(item)}
    return {query_id: _find_depth(run.get(query_id, ())[:deepest], item, reader) for query_id, item in asked.items()}


def _find_depth(ranking: Ranking, item: GoldItem, reader: PassageReader) -> float:
    missing = set(range(len(item.answer)))
    for place, one in enumerate(ranking, 1):
        missing -= {part for part in missing if reader.has_part(one.doc_id, item, part)}
        if not missing:
            return place
    return math.inf


def _pad(words: tuple[str, ...]) -> str:
    return f" {' '.join(words)} "


def _covers(text: str, days: Days) -> bool:
    """Whether one of the days lies within a published date."""
    if not re.fullmatch(r"\d{4}(?:-\d{2}){0,2}", text) or (time := read_date(text)) is None:
        return False
    start, end = time.first.toordinal(), time.last.toordinal()
    return any(start <= first and last <= end for first, last in days)


def _measures(amount: Amount, value: Fraction, unit: str | None) -> bool:
    """Whether an amount is a value: without a unit, or in one that gives the same."""
    if amount.unit is None or unit is None:
        return amount.unit is None and amount.value == value
    asked = UNITS[unit]
    return amount.unit.dimension == asked.dimension and amount.value * amount.unit.factor == value * asked.factor
