"""Sentences with marked slots: a voice, which is who or what a question asks for, in the wordings of each form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import yaml

from everwhen.families.tdbench.texts.times import EVENT, Comparisons, Times, is_lasting, split_endpoints
from everwhen.language.wording import add_article, capitalize, mark_slot

WORDINGS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("wordings.yaml").read_text(encoding="utf-8"))

COUNT = mark_slot("count")


class Verbs(NamedTuple):
    """Phrases of a declaration, their slots marked (`everwhen.families.tdbench.declaration.words.Phrases`)."""

    begin: str
    end: str
    again: str
    still: str


@dataclass(frozen=True)
class Voice:
    """A way to ask about the rows of a table.

    Attributes:
        kind: subject, who did something, or what somebody did something to; choice, which of two values something had;
            happening, who something happened to, of a table of points; columns, by their names, without words.
        who: What precedes a verb: "who", "which team", "which team did Rivaldo", "was joint adoption in Chile".
        was: What was true: "was President of Brazil", "legal or illegal"; of columns the verb, "has" or "share".
        now: who and was in the present; None of points, which do not last.
        during: What was true during an event, where that is not `was`.
        noun: A row's time.
        plural: Its plural.
        verbs: The phrases of a subject.
        given: Of columns, those given with their values: "country Brazil and role President".
    """

    kind: Literal["subject", "choice", "happening", "columns"]
    who: str
    was: str
    now: tuple[str, str] | None
    during: str | None = None
    noun: str = "record"
    plural: str = "records"
    verbs: Verbs = field(default=Verbs("", "", "", ""))
    given: str = ""

    def ask_times(self, comparisons: Comparisons, times: Times) -> tuple[str, ...]:
        """Ask for the row whose times compare so with those of the question."""
        when, spell = times.write_all(comparisons), times.describe_spell(comparisons)
        if self.kind == "columns":
            clauses, spell = "", spell if self.now else f"falls {when}"
        elif self.kind == "happening":
            clauses = when
        else:
            spell = f"{add_article(self.noun)} that {spell}"
            write = self._write_clauses if self.kind == "subject" else self._write_choice
            clauses = write(*split_endpoints(comparisons), times, spell)
        return self._write(WORDINGS["times"][self.kind], clauses=clauses, spell=spell)

    def ask_current(self, *, is_bare: bool) -> tuple[str, ...]:
        """Ask for the row that holds at the last day of which the table knows; bare: "at present"."""
        if self.now is None:
            return ()
        who, rest = self.now
        return self._write(WORDINGS["current"]["bare" if is_bare else "dated"], who=who, rest=rest)

    def ask_joined(self) -> tuple[str, ...]:
        """Ask for the row that holds during an event."""
        return self._write(WORDINGS["joined"], was=self.during or self.was, event=EVENT)

    def ask_count(self, *, is_at_least: bool, is_one: bool, of_stints: bool, until: str, since: str) -> tuple[str, ...]:
        """Ask for what has a number of rows.

        Args:
            is_at_least: Whether more than the number fit too.
            is_one: Whether the number is one.
            of_stints: Whether rows that touch are one.
            until: Words that say up to which day, such as " up to 2 January 2025"; empty where a table has no such day.
            since: The day in words after which all that counts began; empty where all counts.
        """
        number = f"{'at least' if is_at_least else 'exactly'} {COUNT}"
        within = f" after {since}{',' if until else ''}{until}" if since else until
        begun, dated = (f" {verb}{within}" if since else until for verb in ("that began", "dated"))
        separate = "separate " if of_stints else ""
        noun, occasion = (self.noun, "occasion") if is_one else (f"{separate}{self.plural}", "occasions")
        return self._write(
            WORDINGS["counts"][self.kind],
            within=within,
            begun=begun,
            span=begun if self.now else dated,
            separate=separate,
            order=separate or "recorded ",
            number=number,
            often=number.replace(COUNT, mark_slot("times")),
            counted=f"{number} {noun}",
            occasions=f"{number} {occasion}",
        )

    def _write_clauses(self, starts: Comparisons, ends: Comparisons, times: Times, _: str) -> str:
        """Tell what a subject did at its start and its end, by verbs."""
        clauses = [f"{self.verbs.begin} {times.write_all(starts)}"] if starts else []
        if is_lasting(ends):
            clauses.append(f"{self.verbs.still} {times.write_still(ends[0])}")
        elif ends:
            clauses.append(f"{self.verbs.again if starts else self.verbs.end} {times.write_all(ends)}")
        return " and ".join(clauses)

    def _write_choice(self, starts: Comparisons, ends: Comparisons, times: Times, spell: str) -> str:
        """Ask which of two values something came to have: "Did joint adoption become legal or illegal before 2000"."""
        topic = self.who.removeprefix("was ")
        if not starts:
            return f"Had {topic} been {self.was} in {spell}"
        rest = ""
        if is_lasting(ends):
            rest = f" and remain so {times.write_still(ends[0])}"
        elif ends:
            rest = f" and stop being so {times.write_all(ends)}"
        return f"Did {topic} become {self.was} {times.write_all(starts)}{rest}"

    def _write(self, wordings: Sequence[str], **parts: str) -> tuple[str, ...]:
        own = {"who": self.who, "was": self.was, "given": self.given, "plural": self.plural}
        own |= {"as_of": mark_slot("as_of"), "preposition": choose_preposition(self.was)}
        return tuple(capitalize(wording.format_map(own | parts)) for wording in wordings)


def choose_preposition(was: str) -> str:
    """Choose the preposition before a length of time.

    >>> choose_preposition("was king"), choose_preposition("play for in golf"), choose_preposition("belong to")
    ('for', 'in', 'in')
    """
    return "in" if " for" in was or was.endswith(" to") else "for"
