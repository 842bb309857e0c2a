"""Keeps the wordings of a model that ask what the query asks: by the reader that reads our own wordings, and no other.

A model makes errors that a reader of the question alone cannot see: a nationality for a country, a month for a day, a
date that it calculated (TDBench, appendix B.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from everwhen.evaluate.messages import Message
from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.scopes import Join, Kind, Scope
from everwhen.families.tdbench.texts.clauses import Choice
from everwhen.families.tdbench.texts.conditions import Conditions, state_conditions
from everwhen.families.tdbench.texts.mentions import Candidates, mask_mentions
from everwhen.families.tdbench.texts.read import find_dates, read_conditions
from everwhen.families.tdbench.texts.times import MARK
from everwhen.families.tdbench.texts.voices import build_event, choose_voice
from everwhen.language.lint import find_lint_error, tokenize

PHRASINGS = 3
"""Phrasings that a model is asked for; the paper asks for as many."""

INSTRUCTION = """\
Rewrite a question in three other ways.

- Ask for the same thing, in correct and natural English.
- Repeat every name, date, number and length of time exactly as it is written. Calculate nothing and add no other date.
- Keep each comparison: whether it is about the start or the end, and whether it is before, on, after or beyond a date.
- Begin each version on a line of its own with "Q:" and end it with a question mark. Write nothing else."""

KINDS: Mapping[str, Kind] = {
    "alignment": "tfd",
    "reasoning": "tfd",
    "sets": "set",
    "counting": "count",
    "implicit": "join",
    "multi_hop": "derived",
}
"""The kind of the scope that asks each task."""

_LINE = re.compile(r"(?m)^\s*(?:[-*]\s*|\d+[.)]\s*)?Q\d*\s*[:.]\s*(.+?)\s*$")


class PhrasingReason(StrEnum):
    """Why a phrasing is not kept."""

    NOT_WRITTEN = "the model wrote no phrasing"
    VALUE_MISSING = "a value or the event is missing"
    DATE_MISSING = "a date is missing, or written more or less exactly"
    OTHER_DATE = "another date is in it"
    NOT_READ = "the reader cannot read it for certain"
    OTHER_CONDITIONS = "the reader reads other conditions"
    LINT = "it reads wrong, or gives the answer away"
    REPEATED = "it repeats another wording"


@dataclass(frozen=True)
class Asked:
    """An item with what its question must say.

    Attributes:
        item: The row of `everwhen.families.tdbench.tables.items.ITEMS`.
        declaration: Its declaration.
        scope: Its scope, as far as the question depends on it.
        conditions: Its conditions.
        candidates: The values and the event that the question must name.
        is_choice: Whether it names the answers to choose from.
    """

    item: Mapping[str, Any]
    declaration: Declaration
    scope: Scope
    conditions: Conditions
    candidates: Candidates
    is_choice: bool


def describe_item(item: Mapping[str, Any], declaration: Declaration, other: Declaration | None) -> Asked:
    """Describe what an item's question must say.

    Args:
        item: A row of `everwhen.families.tdbench.tables.items.ITEMS`.
        declaration: Its declaration.
        other: The declaration of the event that it names, if it names one.
    """
    pairs = [(each["column"], each["value"]) for each in item["given"]]
    named = _count_event_columns(pairs, item["event"], other) if other is not None else 0
    columns = [column for column, _ in pairs]
    join = Join(other.name, (), (), tuple(columns[:named])) if other is not None else None
    asked = tuple(item["asked"])
    scope = Scope("", declaration.name, KINDS[item["task"]], tuple(columns[named:]), asked, join)
    candidates = Candidates(
        {column: [value] for column, value in pairs[named:]},
        {item["event"]: frozenset(pairs[:named])} if named else {},
    )
    is_choice = isinstance(choose_voice(declaration, scope, other), Choice)
    return Asked(item, declaration, scope, state_conditions(item, declaration, scope, other), candidates, is_choice)


def _count_event_columns(pairs: Sequence[tuple[str, str]], event: str, other: Declaration) -> int:
    """Count the first columns that name the event: those of which its phrase is made."""
    for count in range(1, len(pairs) + 1):
        phrase = build_event(other, [column for column, _ in pairs[:count]]).split(MARK)
        values = dict(pairs[:count])
        pieces = [
            re.escape(piece) if place % 2 == 0 else _write_pattern(piece, values, other)
            for place, piece in enumerate(phrase)
        ]
        if re.fullmatch("".join(pieces), event):
            return count
    return 0


def _write_pattern(slot: str, values: Mapping[str, str], other: Declaration) -> str:
    """Write the pattern of a slot: the value, in words where it has some, or with the letters of an ordinal."""
    kind, _, column = slot.partition(":")
    value = values[column]
    worded = other.words.values.get(column, {}).get(value, value)
    return f"{re.escape(value)}(?:st|nd|rd|th)?" if kind == "ordinal" else re.escape(worded)


def is_readable(asked: Asked) -> bool:
    """Whether the reader reads the grammar's own question, so that it can read another."""
    return _read(asked, asked.item["question"]) == asked.conditions


def build_prompt(asked: Asked) -> list[Message]:
    """Build the prompt that asks a model for phrasings."""
    return [{"role": "user", "content": f"{INSTRUCTION}\n\nQuestion: {asked.item['question']}"}]


def split_phrasings(response: str | None) -> list[str]:
    """Split a response into phrasings: its lines that begin with Q, three at most.

    >>> split_phrasings("Q: Who is it?\\n\\nQ2: Who was it?\\nThat is all.")
    ['Who is it?', 'Who was it?']
    """
    return [" ".join(line.split()).strip('"*') for line in _LINE.findall(response or "")][:PHRASINGS]


def judge_phrasings(asked: Asked, phrasings: Sequence[str]) -> Iterator[tuple[str, PhrasingReason | None]]:
    """Judge phrasings: each with the reason why it is not kept, or None."""
    seen = {tokenize(asked.item["question"])}
    for phrasing in phrasings:
        reason = find_reason(asked, phrasing)
        if reason is None and tokenize(phrasing) in seen:
            reason = PhrasingReason.REPEATED
        seen.add(tokenize(phrasing))
        yield phrasing, reason


def find_reason(asked: Asked, phrasing: str) -> PhrasingReason | None:
    """Find the reason why a phrasing is not kept; None where it asks what the query asks."""
    masked = mask_mentions(phrasing, asked.declaration, asked.scope, asked.candidates)
    if masked is None:
        return PhrasingReason.VALUE_MISSING
    original = mask_mentions(asked.item["question"], asked.declaration, asked.scope, asked.candidates)
    wanted, found = find_dates(original[0] if original else ""), find_dates(masked[0])
    if wanted - found:
        return PhrasingReason.DATE_MISSING
    if found - wanted:
        return PhrasingReason.OTHER_DATE
    conditions = _read(asked, phrasing)
    if conditions is None:
        return PhrasingReason.NOT_READ
    if conditions != asked.conditions:
        return PhrasingReason.OTHER_CONDITIONS
    answers = [part for answer in asked.item["answer"] for part in answer.split(SEPARATOR)]
    if find_lint_error(phrasing, answers, choice=asked.is_choice, comparison=False):
        return PhrasingReason.LINT
    return None


def _read(asked: Asked, question: str) -> Conditions | None:
    return read_conditions(question, asked.declaration, asked.scope, asked.candidates)
