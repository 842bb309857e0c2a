"""The explanation of an answer: its statements, the slots of the text, the rule and its SQL, as data and as text."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

SHOWN = 25
"""Facts of each section that are printed in text; JSON has all."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters of a label that would end a line or control a terminal; they are shown as escapes."""


@dataclass(frozen=True)
class Fact:
    """A statement that an answer is derived from.

    Attributes:
        statement_id: Its id in Wikidata.
        subject: Item id with Q.
        subject_label: The label of that.
        property: Property id with P.
        property_label: Wikidata's English label of that.
        value: The value with its qualifiers, to read.
        rank: preferred or normal.
        url: Where Wikidata shows it.
        statement: The statement as `facts/statements` has it.
    """

    statement_id: str
    subject: str
    subject_label: str | None
    property: str
    property_label: str | None
    value: str
    rank: str
    url: str
    statement: Mapping[str, Any]

    def __str__(self) -> str:
        """One line."""
        named = f"{self.property_label} ({self.property})" if self.property_label else self.property
        subject = self.subject_label or self.subject
        return f"{subject} — {named}: {self.value} · rank {self.rank} · {self.url} · statement {self.statement_id}"


@dataclass(frozen=True)
class FilledSlot:
    """A part of the text that is filled in.

    Attributes:
        slot: Its name in the wording.
        text: Its text.
        meaning: What that is: an entity and how its name is made, a window, a threshold.
    """

    slot: str
    text: str
    meaning: str


@dataclass(frozen=True)
class Note:
    """Something else that the item is derived from, such as a description or a threshold.

    Attributes:
        name: What it is.
        value: How it follows from the facts.
        facts: The statements that it follows from.
    """

    name: str
    value: str
    facts: Sequence[Fact]


@dataclass(frozen=True)
class Disagreement:
    """Something in which the item and the facts disagree.

    Attributes:
        check: The name of the check, as `verify` has it.
        actual: What the item says.
        expected: What the facts give; of answers a list of all that are derived: none, one, or several.
    """

    check: str
    actual: Any
    expected: Any


@dataclass(frozen=True)
class Explanation:
    """An item with what it is derived from.

    Attributes:
        family: Its family.
        item_id: Its id.
        text: The item, to read.
        answer: Its answer.
        derived: What the check derives from the facts: the answer once, if the item is right.
        disagreements: In what the facts disagree with the item.
        item: The item's row, by column; its id is a text.
        metadata: What the row says, in plain words, by name.
        slots: The slots of the text, with their meanings.
        reads_facts: Whether the checks read facts; else the family's own tables.
        facts: The statements that the answer is derived from.
        notes: What else it is derived from.
        group: What the item was made from, such as its template.
        version: The version of that.
        rule: How the answer follows from the facts.
        check: The SQL that derives it.
        views: The definitions that the SQL reads, by name, in order.
    """

    family: str
    item_id: int | str
    text: str
    answer: list[str]
    derived: list[list[str]]
    disagreements: list[Disagreement]
    item: dict[str, Any]
    metadata: dict[str, str]
    slots: list[FilledSlot]
    reads_facts: bool
    facts: list[Fact]
    notes: list[Note]
    group: str
    version: int
    rule: str
    check: str
    views: dict[str, str]

    @property
    def agrees(self) -> bool:
        """Whether the facts give what the item says."""
        return not self.disagreements

    def as_json(self) -> dict[str, Any]:
        """All of it as data; the id is a text, since JSON's numbers have 53 bits for many readers."""
        data = {**asdict(self), "item_id": str(self.item_id), "agrees": self.agrees}
        return {name: to_plain(value) for name, value in data.items()}

    def render(self) -> str:
        """All of it to read."""
        lines = [self.text, f"  {', '.join(self.answer)}  ({self._summarize_answer()})"]
        lines += [
            f"  THE {self._source.upper()} DISAGREE, {d.check}: {d.actual}; they give {d.expected}"
            for d in self.disagreements
            if d.check != "answer"
        ]
        lines += _format_columns("What the text says:", ((slot.text, slot.meaning) for slot in self.slots))
        lines += self._list_facts()
        lines += ["", f"Rule: {self.rule}"]
        lines += _format_columns("The item:", self.metadata.items())
        lines += ["", f"The check of {self.group}, version {self.version}:", *_format_sql(self.check)]
        if self.views:
            over = "facts" if self.reads_facts else self.family
            lines += ["", f"What it reads, defined over the tables of {over}/:"]
            lines += [line for definition in self.views.values() for line in _format_sql(definition)]
        return "\n".join(CONTROL.sub(lambda found: ascii(found.group())[1:-1], line) for line in lines)

    def _list_facts(self) -> Iterator[str]:
        """Yield the statements that the answer is derived from, and what else it is."""
        if self.reads_facts:
            head = f"Facts ({len(self.facts)}):" if self.facts else "Facts: the check names none"
            yield from ("", head, *_shorten(self.facts))
        for note in self.notes:
            yield from ("", f"{note.name}: {note.value}", *_shorten(note.facts))

    @property
    def _source(self) -> str:
        return "facts" if self.reads_facts else "tables"

    def _summarize_answer(self) -> str:
        if all(disagreement.check != "answer" for disagreement in self.disagreements):
            return f"the {self._source} give the same"
        return (
            f"THE {self._source.upper()} GIVE {' OR '.join(', '.join(answer) for answer in self.derived) or 'NOTHING'}"
        )


def to_plain(value: Any) -> Any:
    """Turn a value into what JSON has: days are texts, whole numbers are numbers, other decimals are texts."""
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else f"{value.normalize():f}"
    return value.isoformat() if isinstance(value, dt.date) else value


def _format_columns(title: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Format pairs as two columns below a title; no lines where there are no pairs."""
    rows = list(pairs)
    width = max((len(name) for name, _ in rows), default=0)
    return ["", title, *(f"  {name:<{width}}  {value}" for name, value in rows)] if rows else []


def _shorten(facts: Sequence[Fact]) -> Iterator[str]:
    """Yield the first facts, a line each, and how many more there are."""
    yield from (f"  {fact}" for fact in facts[:SHOWN])
    if len(facts) > SHOWN:
        yield f"  … and {len(facts) - SHOWN} more; --json prints all"


def _format_sql(sql: str) -> list[str]:
    return [f"  {line}" for line in sql.strip().splitlines()]
