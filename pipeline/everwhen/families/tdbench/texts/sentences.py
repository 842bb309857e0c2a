"""Parts of sentences that all voices share, with marked slots (`everwhen.language.wording`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from everwhen.families.tdbench.texts.comparisons import EndpointComparison
from everwhen.families.tdbench.texts.times import EVENT, Times
from everwhen.language.wording import capitalize, mark_slot

Wordings = tuple[str, ...]

AS_OF = mark_slot("as_of")
COUNT, TIMES = mark_slot("count"), mark_slot("times")


@dataclass(frozen=True)
class Counted:
    """What a question counts.

    Attributes:
        is_at_least: Whether more than the number fit too.
        is_one: Whether the number is one.
        of_stints: Whether rows that touch are one.
        until: Words that say up to which day, such as " up to 2 January 2025"; empty where a table has no such day.
        since: The day in words after which all that counts began, such as "1 January 1992"; empty where all counts.
    """

    is_at_least: bool
    is_one: bool
    of_stints: bool
    until: str
    since: str = ""

    @property
    def least(self) -> str:
        """Words before the number."""
        return "at least" if self.is_at_least else "exactly"

    def count(self, noun: str, plural: str) -> str:
        """Count a noun: "exactly two separate terms", "exactly one term"."""
        separate = "separate " if self.of_stints and not self.is_one else ""
        return f"{self.least} {COUNT} {separate}{noun if self.is_one else plural}"

    @property
    def often(self) -> str:
        """Words for a number of times: "exactly twice"."""
        return f"{self.least} {TIMES}"

    @property
    def within(self) -> str:
        """Words behind what happened: " after 1 January 1990, up to 31 December 2022"."""
        return f" after {self.since}{',' if self.until else ''}{self.until}" if self.since else self.until

    @property
    def begun(self) -> str:
        """Words behind a noun: " that began after 1 January 1992, up to 31 December 2023"."""
        return f" that began{self.within}" if self.since else self.until

    @property
    def dated(self) -> str:
        """Words behind records of points: " dated after 1 January 1990, up to 31 December 2022"."""
        return f" dated{self.within}" if self.since else self.until


def choose_preposition(was: str) -> str:
    """Choose the preposition before a length of time.

    >>> choose_preposition("was king"), choose_preposition("play for in golf"), choose_preposition("belong to")
    ('for', 'in', 'in')
    """
    return "in" if " for" in was or was.endswith(" to") else "for"


def is_lasting(ends: Sequence[EndpointComparison]) -> bool:
    """Whether an end is only known to be after a time, so that it may not have come."""
    return [each.sign for each in ends] == [">"]


def split_endpoints(
    comparisons: Sequence[EndpointComparison],
) -> tuple[list[EndpointComparison], list[EndpointComparison]]:
    """Split comparisons into those of starts, or of points, and those of ends."""
    starts = [each for each in comparisons if each.endpoint != "end"]
    return starts, [each for each in comparisons if each.endpoint == "end"]


def describe_spell(comparisons: Sequence[EndpointComparison], times: Times) -> str:
    """Describe a span: "began before 1 May 1990 and lasted beyond 3 May 1992"."""
    starts, ends = split_endpoints(comparisons)
    parts = [f"began {times.write_all(starts)}"] if starts else []
    if is_lasting(ends):
        parts.append(times.write_lasting(ends[0]))
    elif ends:
        parts.append(f"ended {times.write_all(ends)}")
    return " and ".join(parts)


def write_current(question: str, rest: str, *, is_bare: bool) -> Wordings:
    """Write what is true now, from a subject with its question word, or a verb with its subject, and the rest.

    >>> write_current("who", "is President of Brazil", is_bare=True)[0]
    'Who is President of Brazil at present?'
    """
    if is_bare:
        return (
            f"{capitalize(question)} {rest} at present?",
            f"At present, {question} {rest}?",
            f"As things are now, {question} {rest}?",
        )
    return (
        f"{capitalize(question)} {rest} as of {AS_OF}?",
        f"As of {AS_OF}, {question} {rest}?",
        f"{capitalize(question)}, as of {AS_OF}, {rest}?",
    )


def write_joined(question: str, rest: str) -> Wordings:
    """Write what was true during an event, from question word, or verb with subject, and the rest."""
    return (
        f"{capitalize(question)} {rest} during {EVENT}?",
        f"During {EVENT}, {question} {rest}?",
        f"{capitalize(question)} {rest} when {EVENT} took place?",
    )


def write_counts(question: str, was: str, counted: Counted, noun: str, plural: str) -> Wordings:
    """Write how often something was true: question word, or verb and subject, then what was true."""
    terms = counted.count(noun, plural)
    order = "separate " if counted.of_stints else "recorded "
    return (
        f"{capitalize(question)} {was} {choose_preposition(was)} {terms}{counted.begun}?",
        f"Counting {order}{plural}{counted.begun}, {question} {was} {counted.often}?",
        f"With {terms} on record{counted.begun}, {question} {was}?",
    )
