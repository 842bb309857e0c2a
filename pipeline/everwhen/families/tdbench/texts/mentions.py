"""Finds what a question names: the event and the given values, which it puts out of the way of a reader of times."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.words import list_columns, parse_phrase
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.voices import label_column

EVENT, VALUE = "<event>", "<value>"
"""What takes the place of an event and of a value."""

Candidates = Mapping[str, Collection[str]]
"""The values that a question may name, by column."""


def mask_mentions(
    question: str, declaration: Declaration, scope: Scope, candidates: Candidates, other: Declaration | None
) -> tuple[str, frozenset[tuple[str, str]]] | None:
    """Replace event and values of a question by marks.

    Returns:
        The rest of the question, and the columns with their values; None where one of them is not named, or is named
        with two values.
    """
    found: set[tuple[str, str]] = set()
    event = scope.join.event if scope.join else ()
    if other is not None and event:
        masked = _mask_event(question, other, event, candidates)
        if masked is None:
            return None
        question, named = masked
        found |= named
    texts = dict(_list_texts(declaration, scope.given, candidates))
    if texts:
        pattern = _write_choice(texts)
        named = {pair for match in pattern.finditer(question) for pair in texts[match[0].casefold()]}
        question = pattern.sub(VALUE, question)
        found |= named
    return (question, frozenset(found)) if _is_complete(found, (*scope.given, *event)) else None


def _is_complete(found: set[tuple[str, str]], columns: Collection[str]) -> bool:
    """Whether each column is named with one value."""
    return sorted(column for column, _ in found) == sorted(set(columns))


def _list_texts(
    declaration: Declaration, columns: Collection[str], candidates: Candidates
) -> Iterator[tuple[str, set[tuple[str, str]]]]:
    """List the texts that name values, each with what it may mean."""
    meanings: dict[str, set[tuple[str, str]]] = {}
    for column in columns:
        worded = declaration.words.values.get(column, {})
        for value in candidates.get(column, ()):
            for text in {value, worded.get(value, value)}:
                meanings.setdefault(text.casefold(), set()).add((column, value))
    yield from meanings.items()


def _write_choice(texts: Collection[str]) -> re.Pattern[str]:
    """Write a pattern of whole texts, longest first."""
    longest = sorted(texts, key=lambda text: (-len(text), text))
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")


def _mask_event(
    question: str, other: Declaration, columns: Collection[str], candidates: Candidates
) -> tuple[str, set[tuple[str, str]]] | None:
    """Replace an event by a mark; None where none is named, or two are."""
    meanings = {
        column: {
            _write_value(text, is_ordinal=is_ordinal).casefold(): value
            for value in candidates.get(column, ())
            for text in (value, other.words.values.get(column, {}).get(value, value))
            for is_ordinal in (False, True)
        }
        for column in columns
    }
    groups = {
        column: "|".join(map(re.escape, sorted(texts, key=lambda text: (-len(text), text))))
        for column, texts in meanings.items()
    }
    pattern = re.compile(_write_event(other, columns, groups), re.IGNORECASE)
    named = [
        {(column, meanings[column][match[f"c{place}"].casefold()]) for place, column in enumerate(columns)}
        for match in pattern.finditer(question)
    ]
    if not named or any(each != named[0] for each in named):
        return None
    masked = re.sub(r"(?i)(?<!\w)the event(?!\w)", EVENT, pattern.sub(EVENT, question))
    return masked, named[0]


def _write_event(other: Declaration, columns: Collection[str], groups: Mapping[str, str]) -> str:
    """Write the pattern of the phrase that names an event, as `voices.build_event` writes it."""
    numbered = {column: f"(?P<c{place}>{groups[column]})" for place, column in enumerate(columns)}
    phrases = [other.words.event] if other.words.event is not None else []
    for phrase in [*phrases, *other.words.event_by.values()]:
        if set(list_columns(phrase)) == set(columns):
            pieces = parse_phrase(phrase)
            return "".join(numbered[piece.column] if piece.column else re.escape(piece.literal) for piece in pieces)
    named = " (?:and )?".join(f"{re.escape(label_column(other, column))} {numbered[column]},?" for column in columns)
    return f"the event of {re.escape(other.name)} with {named}"


def _write_value(value: str, *, is_ordinal: bool) -> str:
    """Write a value, or a number with the letters of its ordinal."""
    if not is_ordinal or not value.isdecimal():
        return value
    number = int(value)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
