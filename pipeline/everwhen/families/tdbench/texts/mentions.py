"""Finds what a question names: the event and the given values, which it puts out of the way of a reader of times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.scopes import Scope

EVENT, VALUE = "<event>", "<value>"
"""What takes the place of an event and of a value."""

Pairs = frozenset[tuple[str, str]]
"""Columns with their values."""


@dataclass(frozen=True)
class Candidates:
    """What a question may name: the values and the event of one item, or those of a whole table.

    Attributes:
        values: Values, by column.
        events: Events in words, each with the columns that name it and their values.
    """

    values: Mapping[str, Collection[str]] = field(default_factory=dict)
    events: Mapping[str, Pairs] = field(default_factory=dict)


def mask_mentions(
    question: str, declaration: Declaration, scope: Scope, candidates: Candidates
) -> tuple[str, Pairs] | None:
    """Replace event and values of a question by marks.

    Returns:
        The rest of the question, and the columns with their values; None where one of them is not named, is named
        with two values, or where a value stands there twice: one of the two may be a word of the sentence.
    """
    event = scope.join.event if scope.join else ()
    found: Pairs = frozenset()
    if event:
        events = {text.casefold(): pairs for text, pairs in candidates.events.items()}
        question, counts = _mask(question, events, EVENT)
        question = re.sub(r"(?i)(?<!\w)the event(?!\w)", EVENT, question)
        found = found.union(*(events[text] for text in counts))
    meanings = _list_values(declaration, scope.given, candidates.values)
    question, counts = _mask(question, meanings, VALUE)
    found = found.union(*(meanings[text] for text in counts))
    is_repeated = any(count > len(meanings[text]) for text, count in counts.items())
    is_complete = sorted(column for column, _ in found) == sorted({*scope.given, *event})
    return (question, found) if is_complete and not is_repeated else None


def _list_values(
    declaration: Declaration, columns: Collection[str], values: Mapping[str, Collection[str]]
) -> dict[str, Pairs]:
    """List the texts that name values, each with what it may mean."""
    meanings: dict[str, Pairs] = {}
    for column in columns:
        worded = declaration.words.values.get(column, {})
        for value in values.get(column, ()):
            for text in {value.casefold(), worded.get(value, value).casefold()}:
                meanings[text] = meanings.get(text, frozenset()) | {(column, value)}
    return meanings


def _mask(question: str, meanings: Mapping[str, Pairs], mark: str) -> tuple[str, Counter[str]]:
    """Replace whole texts by a mark, the longest first; return how often each stood there."""
    if not meanings:
        return question, Counter()
    longest = sorted(meanings, key=lambda text: (-len(text), text))
    pattern = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
    texts = (match[0].casefold() for match in pattern.finditer(question))
    return pattern.sub(mark, question), Counter(text for text in texts if text in meanings)
