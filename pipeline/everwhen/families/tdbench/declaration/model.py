"""The model of a declaration: what a temporal table says, and what is asked of it.

A declaration is a YAML file beside the table. Its keys are the fields of `Declaration`; TFD is short for temporal
functional dependency (TDBench, appendix A): rows that share a day and the values of `given` share those of
`determines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, field_validator, model_validator

from everwhen.core.models import StrictModel
from everwhen.families.tdbench.declaration.source import TableSource
from everwhen.families.tdbench.declaration.time import PrecisionColumns, TableTime
from everwhen.families.tdbench.declaration.words import Words, list_columns

Columns = Annotated[tuple[str, ...], Field(min_length=1)]
"""Names of columns, at least one."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
"""What a declaration may be called: it names a folder, and is in the ids of items."""


class Tfd(StrictModel):
    """A temporal functional dependency: at any time, the values of `given` determine those of `determines`.

    Attributes:
        given: The columns of the key, which questions name.
        determines: The columns that questions ask for.
        broken: What becomes of a key whose rows contradict it: drop, it is not asked; sets, it is asked for sets of
            answers and for counts alone; fail, there is no build.
    """

    given: Columns
    determines: Columns
    broken: Literal["drop", "sets", "fail"] = "drop"

    @model_validator(mode="after")
    def _asks_for_no_given_column(self) -> Self:
        if both := set(self.given) & set(self.determines):
            raise ValueError(f"determines: {min(both)} is given, too; a question does not ask for what it names")
        return self


class Fd(StrictModel):
    """A functional dependency that holds without regard to time, such as edition → country.

    Attributes:
        given: The columns that determine.
        determines: The columns that they determine.
    """

    given: Columns
    determines: Columns


class AskedSet(StrictModel):
    """A question for a set of answers, where no dependency makes them one.

    Attributes:
        given: The columns that questions name.
        asked: The columns that they ask for.
    """

    given: Columns
    asked: Columns

    @model_validator(mode="after")
    def _asks_for_no_given_column(self) -> Self:
        if both := set(self.given) & set(self.asked):
            raise ValueError(f"asked: {min(both)} is given, too; a question does not ask for what it names")
        return self


class CountQuestion(StrictModel):
    """A question for what has a number of rows.

    Attributes:
        given: The columns that questions name.
        asked: The column that they ask for.
        of: What is counted: stints, where rows that touch are one, or rows.
    """

    given: Columns
    asked: str
    of: Literal["stints", "rows"] = "stints"


class DeclaredJoin(StrictModel):
    """A temporal natural join with another declared table, whose rows are events.

    Attributes:
        other: The other declaration: a path relative to this one, or the name of one that everwhen brings.
        by: The columns of this table, each with the column of the other that has the same values.
        same: Values of the other table, each with the value of this table that means the same.
        events: Sets of columns of the other table that name an event; by default those that determine `by`.
    """

    other: str = Field(alias="with")
    by: Annotated[Mapping[str, str], Field(min_length=1)]
    same: Mapping[str, str] = {}
    events: tuple[Columns, ...] = ()


class Declaration(StrictModel):
    """A declaration.

    Attributes:
        table: The name of the declaration, and of its folder.
        source: Where the rows are (`from`).
        time: When rows hold.
        tfds: The temporal functional dependencies; each is a key that is asked.
        fds: The dependencies that hold without regard to time.
        sets: Questions for sets beyond a dependency.
        counts: Questions that count.
        joins: Tables whose events can be named instead of dates.
        rejected: What a rejected record means: key, no key that it may belong to is asked, since answers may lack what
            it says; row, it alone is left out.
        words: How questions put it; without them, they name the columns.
        licence: The licence of the table; without one, what is built of it is marked private.
        score: How exact a date of a response must be, day, month or year; by default the month, or the year where
            years are asked.
    """

    table: str
    source: TableSource = Field(alias="from")
    time: TableTime
    tfds: tuple[Tfd, ...] = ()
    fds: tuple[Fd, ...] = ()
    sets: tuple[AskedSet, ...] = ()
    counts: tuple[CountQuestion, ...] = ()
    joins: tuple[DeclaredJoin, ...] = ()
    rejected: Literal["key", "row"] = "key"
    words: Words = Words()
    licence: str | None = Field(default=None, min_length=1)
    score: Literal["day", "month", "year"] | None = None
    _path: Path = PrivateAttr(default=Path("declaration.yaml"))
    _columns: tuple[str, ...] = PrivateAttr(default=())

    @property
    def name(self) -> str:
        """The name of the declaration."""
        return self.table

    @property
    def path(self) -> Path:
        """The file that the declaration was read from."""
        return self._path

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table but those of its times, in the table's order."""
        return self._columns

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The columns in which no row may be empty: those that questions name or ask for, in the table's order."""
        of_no_row = {("words", "ask"), ("words", "labels"), ("words", "values"), ("words", "joined")}
        used = {name for key, name in self.list_columns() if key[:2] not in of_no_row}
        return tuple(name for name in self._columns if name in used)

    def list_columns(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """List the columns of the table that the declaration names, each with its key."""
        for key in ("start", "end"):
            if (name := getattr(self.time, key)) is not None:
                yield ("time", key), name
        if isinstance(self.time.precision, PrecisionColumns):
            for key, name in self.time.precision.model_dump(exclude_none=True).items():
                yield ("time", "precision", key), name
        yield from self._list_columns_of_questions()
        for place, join in enumerate(self.joins):
            yield from ((("joins", place, "by", name), name) for name in join.by)
        yield from self._list_columns_of_words()

    def _list_columns_of_questions(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """List the columns of dependencies, sets and counts, each with its key."""
        for part in ("tfds", "fds", "sets", "counts"):
            for place, entry in enumerate(getattr(self, part)):
                for key in ("given", "determines", "asked"):
                    names = getattr(entry, key, ())
                    if isinstance(names, str):
                        yield (part, place, key), names
                    else:
                        yield from (((part, place, key, position), name) for position, name in enumerate(names))

    def _list_columns_of_words(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """List the columns that the words name, each with its key."""
        for key, phrase in self.words.list_phrases().items():
            yield from ((("words", *key), name) for name in list_columns(phrase))
        for part in ("ask", "asking", "labels", "values", "event_by", "joined"):
            yield from ((("words", part, name), name) for name in getattr(self.words, part))

    @field_validator("table")
    @classmethod
    def _is_a_name(cls, value: str) -> str:
        if not NAME.fullmatch(value):
            raise ValueError(f"letters, digits, - and _ are expected, 63 at most, found {value!r}")
        return value

    @model_validator(mode="after")
    def _asks_something(self) -> Self:
        if not (self.tfds or self.sets or self.counts or self.fds):
            raise ValueError("nothing is asked: tfds, sets or counts is expected (fds for a table of events)")
        if self.time.empty_end == "next" and not self.tfds:
            raise ValueError("time.empty_end: next needs tfds, whose first names the key")
        return self
