"""The clauses of questions about a row: who did what when, in three structures each.

A voice says what is asked and of whom; each of its methods returns the wordings of one kind of question. Phrases have
marked slots (`everwhen.language.wording`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from everwhen.families.tdbench.texts.comparisons import EndpointComparison
from everwhen.families.tdbench.texts.sentences import (
    COUNT,
    Counted,
    Wordings,
    choose_preposition,
    describe_spell,
    is_lasting,
    split_endpoints,
    write_counts,
    write_current,
    write_joined,
)
from everwhen.families.tdbench.texts.times import Times
from everwhen.language.wording import add_article, capitalize


class Voice(Protocol):
    """A way to ask about the rows of a table."""

    def ask_times(self, comparisons: Sequence[EndpointComparison], times: Times) -> Wordings:
        """Ask for rows whose times compare so with those of the question."""
        ...

    def ask_current(self, *, is_bare: bool) -> Wordings:
        """Ask for the row that holds at the last day of which the table knows; bare: "currently"."""
        ...

    def ask_joined(self) -> Wordings:
        """Ask for the row that holds during an event."""
        ...

    def ask_count(self, counted: Counted) -> Wordings:
        """Ask for what has a number of rows."""
        ...


@dataclass(frozen=True)
class Verbs:
    """Phrases of a declaration, their slots marked (`everwhen.families.tdbench.declaration.words.Phrases`)."""

    begin: str
    end: str
    again: str
    is_: str
    was: str
    still: str


@dataclass(frozen=True)
class Subject:
    """Asks who did something, or what somebody did something to.

    Attributes:
        who: What precedes a verb: "who", "which team", or "which team did Rivaldo".
        who_now: The same in the present: "which team does Rivaldo".
        verbs: The phrases.
        noun: A row's time.
        plural: Its plural.
    """

    who: str
    who_now: str
    verbs: Verbs
    noun: str
    plural: str

    def ask_times(self, comparisons: Sequence[EndpointComparison], times: Times) -> Wordings:
        """Ask by verbs, by a noun after them, and by a noun before them."""
        starts, ends = split_endpoints(comparisons)
        clauses = [f"{self.verbs.begin} {times.write_all(starts)}"] if starts else []
        if is_lasting(ends):
            clauses.append(f"{self.verbs.still} {times.write_still(ends[0])}")
        elif ends:
            clauses.append(f"{self.verbs.again if starts else self.verbs.end} {times.write_all(ends)}")
        spell = f"{add_article(self.noun)} that {describe_spell(comparisons, times)}"
        return (
            f"{capitalize(self.who)} {' and '.join(clauses)}?",
            f"{capitalize(self.who)} {self.verbs.was} {choose_preposition(self.verbs.was)} {spell}?",
            f"In {spell}, {self.who} {self.verbs.was}?",
        )

    def ask_current(self, *, is_bare: bool) -> Wordings:
        """Ask who is it now."""
        return write_current(self.who_now, self.verbs.is_, is_bare=is_bare)

    def ask_joined(self) -> Wordings:
        """Ask who was it during an event."""
        return write_joined(self.who, self.verbs.was)

    def ask_count(self, counted: Counted) -> Wordings:
        """Ask who was it so many times."""
        return write_counts(self.who, self.verbs.was, counted, self.noun, self.plural)


@dataclass(frozen=True)
class Choice:
    """Asks which of two values something had: "Is joint adoption in Chile legal or illegal".

    Attributes:
        topic: What has the values.
        options: The values: "legal or illegal".
        noun: A row's time.
        plural: Its plural.
    """

    topic: str
    options: str
    noun: str
    plural: str

    def ask_times(self, comparisons: Sequence[EndpointComparison], times: Times) -> Wordings:
        """Ask which of the two it became, or was for a time."""
        starts, ends = split_endpoints(comparisons)
        spell = f"{add_article(self.noun)} that {describe_spell(comparisons, times)}"
        if not starts:
            first = f"Had {self.topic} been {self.options} in {spell}?"
        else:
            rest = ""
            if is_lasting(ends):
                rest = f" and remain so {times.write_still(ends[0])}"
            elif ends:
                rest = f" and stop being so {times.write_all(ends)}"
            first = f"Did {self.topic} become {self.options} {times.write_all(starts)}{rest}?"
        return (
            first,
            f"Was {self.topic} {self.options} for {spell}?",
            f"In {spell}, was {self.topic} {self.options}?",
        )

    def ask_current(self, *, is_bare: bool) -> Wordings:
        """Ask which of the two it is now."""
        return write_current(f"is {self.topic}", self.options, is_bare=is_bare)

    def ask_joined(self) -> Wordings:
        """Ask which of the two it was during an event."""
        return write_joined(f"was {self.topic}", self.options)

    def ask_count(self, counted: Counted) -> Wordings:
        """Ask which of the two it was so many times."""
        return write_counts(f"was {self.topic}", self.options, counted, self.noun, self.plural)


@dataclass(frozen=True)
class Happening:
    """Asks who something happened to, of a table of points.

    Attributes:
        who: The question word.
        happened: The phrase of the declaration, its slots marked.
    """

    who: str
    happened: str

    def ask_times(self, comparisons: Sequence[EndpointComparison], times: Times) -> Wordings:
        """Ask with the time behind, before, and behind."""
        when = times.write_all(comparisons)
        return (
            f"{capitalize(self.who)} {self.happened} {when}?",
            f"{capitalize(when)}, {self.who} {self.happened}?",
            f"{capitalize(self.who)} was it that {self.happened} {when}?",
        )

    def ask_current(self, *, is_bare: bool) -> Wordings:
        """Ask nothing: a point does not last."""
        return ()

    def ask_joined(self) -> Wordings:
        """Ask what happened during an event."""
        return write_joined(self.who, self.happened)

    def ask_count(self, counted: Counted) -> Wordings:
        """Ask who it happened to so many times."""
        occasions = f"{counted.least} {COUNT} {'occasion' if counted.is_one else 'occasions'}{counted.within}"
        return (
            f"{capitalize(self.who)} {self.happened} {counted.often}{counted.within}?",
            f"{capitalize(self.who)} {self.happened} on {occasions}?",
            f"On {occasions}, {self.who} {self.happened}?",
        )


@dataclass(frozen=True)
class ColumnVoice:
    """Asks for columns by their names: the voice of a table without words.

    Attributes:
        columns: The asked columns: "name", or "country and name".
        has: The verb: "has", of several columns "share".
        given: The given columns with their values: "country Brazil and role President"; empty where none is given.
        is_point: Whether rows are points.
    """

    columns: str
    has: str
    given: str
    is_point: bool

    def ask_times(self, comparisons: Sequence[EndpointComparison], times: Times) -> Wordings:
        """Ask with the given columns behind the record, and before it."""
        spell = f"falls {times.write_all(comparisons)}" if self.is_point else describe_spell(comparisons, times)
        return (
            f"Which {self.columns} {self.has} a record with {self.given} that {spell}?",
            f"For {self.given}, which {self.columns} {self.has} a record that {spell}?",
            f"Among the records with {self.given}, which {self.columns} {self.has} one that {spell}?",
        )

    def ask_current(self, *, is_bare: bool) -> Wordings:
        """Ask for the open record."""
        if self.is_point:
            return ()
        return write_current(f"which {self.columns}", f"{self.has} an open record with {self.given}", is_bare=is_bare)

    def ask_joined(self) -> Wordings:
        """Ask for the record during an event."""
        return write_joined(f"which {self.columns}", f"{self.has} a record with {self.given}")

    def ask_count(self, counted: Counted) -> Wordings:
        """Ask for what has so many records."""
        records, which = counted.count("record", "records"), f"which {self.columns} {self.has}"
        separate = "separate " if counted.of_stints else ""
        span = counted.dated if self.is_point else counted.begun
        return (
            f"{capitalize(which)} {records} with {self.given}{span}?",
            f"For {self.given}, {which} {records}{span}?",
            f"Counting {separate}records with {self.given}{span}, {which} {counted.least} {COUNT}?",
        )
