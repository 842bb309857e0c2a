"""Finds what a question names: the event and the given values, which it puts out of the way of a reader of times."""

from __future__ import annotations

import re
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
        The rest of the question, and the columns with their values; None where one of them is not named, or is named
        with two values.
    """
    event = scope.join.event if scope.join else ()
    found: Pairs = frozenset()
    if event:
        question, named = _mask(question, {text.casefold(): pairs for text, pairs in candidates.events.items()}, EVENT)
        question = re.sub(r"(?i)(?<!\w)the event(?!\w)", EVENT, question)
        found |= named
    question, named = _mask(question, _list_values(declaration, scope.given, candidates.values), VALUE)
    found |= named
    is_complete = sorted(column for column, _ in found) == sorted({*scope.given, *event})
    return (question, found) if is_complete else None


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


def _mask(question: str, meanings: Mapping[str, Pairs], mark: str) -> tuple[str, Pairs]:
    """Replace whole texts by a mark, the longest first; return what they mean."""
    if not meanings:
        return question, frozenset()
    longest = sorted(meanings, key=lambda text: (-len(text), text))
    pattern = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
    found = [meanings.get(match[0].casefold(), frozenset()) for match in pattern.finditer(question)]
    return pattern.sub(mark, question), frozenset().union(*found)
