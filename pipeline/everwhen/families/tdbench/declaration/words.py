"""The words of a declaration: phrases in which its table is asked about, with columns as slots.

A slot is a column in braces, `{Role}`, or `{Game_edition:ordinal}` for 24th. In a phrase with a verb the answer is the
subject: "became {Role} of {Country}" continues "who". Without words, questions name the columns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, model_validator

from everwhen.core.models import StrictModel

_SLOT = re.compile(r"\{(?P<column>[^{}:]+)(?::(?P<format>[^{}]*))?\}")


class Piece(NamedTuple):
    """A part of a phrase: a literal text, or a column with the format of its value.

    Attributes:
        literal: The text; empty where the piece is a column.
        column: The column; None where the piece is a text.
        format: `ordinal`, where a number is written as 24th; None where a value is written as it is.
    """

    literal: str = ""
    column: str | None = None
    format: Literal["ordinal"] | None = None


def parse_phrase(phrase: str) -> tuple[Piece, ...]:
    """Split a phrase into texts and columns.

    >>> [piece.column or piece.literal for piece in parse_phrase("the {Game_edition:ordinal} {Season} Olympics")]
    ['the ', 'Game_edition', ' ', 'Season', ' Olympics']

    Raises:
        ValueError: A brace belongs to no slot, or a format is not `ordinal`.
    """
    pieces, at = [], 0
    for slot in _SLOT.finditer(phrase):
        if slot["format"] not in (None, "ordinal"):
            raise ValueError(f"{slot[0]}: the only format is ordinal, as in {{{slot['column']}:ordinal}}")
        pieces.append(Piece(literal=phrase[at : slot.start()]))
        pieces.append(Piece(column=slot["column"], format="ordinal" if slot["format"] else None))
        at = slot.end()
    pieces.append(Piece(literal=phrase[at:]))
    if any(brace in piece.literal for piece in pieces for brace in "{}"):
        raise ValueError(f"{phrase}: a brace outside a slot; a slot is a column in braces, such as {{Country}}")
    return tuple(piece for piece in pieces if piece.literal or piece.column)


def list_columns(phrase: str) -> tuple[str, ...]:
    """List the columns of a phrase, in order.

    >>> list_columns("became {Role} of {Country}")
    ('Role', 'Country')
    """
    return tuple(piece.column for piece in parse_phrase(phrase) if piece.column)


def _check_phrase(phrase: str) -> str:
    parse_phrase(phrase)
    return phrase


Phrase = Annotated[str, AfterValidator(_check_phrase)]
"""A text with columns as slots."""


class Phrases(StrictModel):
    """Phrases about a row, of which the asked column is the subject; all may be left out.

    Attributes:
        begin: What the subject did at the start: "became {Role} of {Country}".
        end: What it did at the end: "stopped being {Role} of {Country}".
        again: The end in short, after `begin`: "left office".
        is_: What is true of it now (key `is`): "is {Role} of {Country}".
        was: What was true of it: "was {Role} of {Country}".
        still: What was true of it at a later time, in short: "was still in office".
        happened: Of tables of points, in place of all these: "received {Award}".
        noun: A row's time as a noun: "term".
        plural: Its plural.
        stint: The time of rows that touch, which questions count as one, where `noun` could be a part of it: "stint in
            office", of a president who is re-elected for another term.
        stints: Its plural.
        by: Who did it, where the subject is not asked: with "{Player}", the phrases are infinitives, such as "join" and
            "play for", and questions begin "which team did {Player}".
        topic: What has the one value or the other, of an asked column with two `values`: "{Law_type} in {Country}".
    """

    begin: Phrase | None = None
    end: Phrase | None = None
    again: Phrase | None = None
    is_: Phrase | None = Field(default=None, alias="is")
    was: Phrase | None = None
    still: Phrase | None = None
    happened: Phrase | None = None
    by: Phrase | None = None
    noun: str = "period"
    plural: str = "periods"
    stint: str | None = None
    stints: str | None = None
    topic: Phrase | None = None

    @model_validator(mode="after")
    def _check_verbs(self) -> Self:
        """Require the four verbs together: a question takes those that its relation needs."""
        verbs = {"begin": self.begin, "end": self.end, "is": self.is_, "was": self.was}
        missing = [name for name, phrase in verbs.items() if phrase is None]
        if missing and len(missing) < len(verbs):
            raise ValueError(f"{', '.join(missing)}: missing; begin, end, is and was are given together")
        return self

    @model_validator(mode="after")
    def _check_stints(self) -> Self:
        if (self.stint is None) != (self.stints is None):
            raise ValueError("stint and stints, its plural, are given together")
        return self

    def name_counted(self, of: str | None) -> tuple[str, str]:
        """Name what questions count, stints or rows, and its plural."""
        if of == "stints" and self.stint is not None and self.stints is not None:
            return self.stint, self.stints
        return self.noun, self.plural

    def list_phrases(self) -> dict[tuple[str, ...], str]:
        """List the phrases with slots, by key."""
        names = ("begin", "end", "again", "is", "was", "still", "happened", "by", "topic")
        phrases = {(name,): getattr(self, f"{name}_" if name == "is" else name) for name in names}
        return {key: phrase for key, phrase in phrases.items() if phrase is not None}


class Words(Phrases):
    """The words of a table: phrases about the columns of `ask`, and names of columns, values and events.

    Attributes:
        ask: Question words of the columns that may be the subject of the phrases: {Name: who, Team: which team}.
        asking: Phrases of other asked columns, by column.
        labels: Names of columns in words; by default the column's, with spaces.
        values: Values in words, by column: {Role: {President: president}}.
        event: A row as an event: "the {Game_name} Olympics".
        event_by: The same by other columns: {Game_edition: "the {Game_edition:ordinal} {Season} Olympics"}.
        joined: Columns that a question leaves to be found by a join with this table: {Country: "the host country"}.
        aliases: CSV file with columns column, value, alias: other names of values, which a response may use.
    """

    ask: Mapping[str, str] = {}
    asking: Mapping[str, Phrases] = {}
    labels: Mapping[str, str] = {}
    values: Mapping[str, Mapping[str, str]] = {}
    event: Phrase | None = None
    event_by: Mapping[str, Phrase] = {}
    joined: Mapping[str, str] = {}
    aliases: str | None = None

    def list_phrases(self) -> dict[tuple[str, ...], str]:
        """List the phrases with slots, by key."""
        found = super().list_phrases()
        if self.event is not None:
            found["event",] = self.event
        found |= {("event_by", column): phrase for column, phrase in self.event_by.items()}
        for column, phrases in self.asking.items():
            found |= {("asking", column, *key): phrase for key, phrase in phrases.list_phrases().items()}
        return found
