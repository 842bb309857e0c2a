"""Comparisons of times in words: "before 1 May 1990", "exactly six months after", "after the Games began".

Phrases contain marked slots (`everwhen.language.wording`); `everwhen.families.tdbench.texts.slots` fills them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from everwhen.families.tdbench.texts.comparisons import EndpointComparison
from everwhen.language.wording import MARK, mark_slot
from everwhen.temporal.allen import Relation

EVENT = mark_slot("event")
UNIT_WHICH = mark_slot("unit_which")
UNIT = mark_slot("unit")

OPERATORS = {"<": "before", ">": "after"}
POINTS_OF_EVENT = {"b_start": "began", "b_end": "ended"}


@dataclass(frozen=True)
class Times:
    """How the times of a question are put.

    Attributes:
        relation: The relation that is asked.
        is_inclusive: Whether the table states last days (months, years), so that an end is one unit before the end
            that is compared.
        is_event: Whether an event names the times.
        is_event_inclusive: Whether the table of the event states last days.
        is_day: Whether times are compared by days.
        is_bounded: Whether the table knows the world up to a day. What began after a time began up to that day.
    """

    relation: Relation
    is_inclusive: bool = False
    is_event: bool = False
    is_event_inclusive: bool = False
    is_day: bool = True
    is_bounded: bool = False

    def shift(self, comparison: EndpointComparison) -> int:
        """Return the units from the stated time of an event to the time that the text means."""
        of_event = self.is_event and self.is_event_inclusive and comparison.parameter == "b_end"
        return int(of_event) - self._is_stated_before(comparison)

    def _is_stated_before(self, comparison: EndpointComparison) -> bool:
        return self.is_inclusive and comparison.endpoint == "end"

    def write(self, comparison: EndpointComparison) -> str:
        """Write a comparison, to follow a verb: "before 1 May 1990", "after 3 May 1992 and up to 2 January 2025"."""
        bound = f" and up to {mark_slot('as_of')}" if self.is_bounded and self.relation is Relation.AFTER else ""
        return f"{self._write_event(comparison) if self.is_event else self._write_date(comparison)}{bound}"

    def _write_date(self, comparison: EndpointComparison) -> str:
        """Write a comparison with a date."""
        date = self._name_date(comparison)
        if self.relation is Relation.MEETS:
            return f"exactly {mark_slot('offset')} before {date}"
        if self.relation is Relation.MET_BY:
            return f"exactly {mark_slot('offset')} after {date}"
        if comparison.sign == "=":
            return mark_slot(f"on:{date.strip(MARK)}")
        return f"{OPERATORS[comparison.sign]} {date}"

    def write_all(self, comparisons: Sequence[EndpointComparison]) -> str:
        """Write the comparisons of one endpoint: "after 1 May 1990 but before 3 May 1992"."""
        return " but ".join(map(self.write, comparisons))

    def write_lasting(self, comparison: EndpointComparison) -> str:
        """Write how long a row lasts whose end is after a time, and may not have come: "lasted beyond 3 May 1992"."""
        if not self.is_event:
            return f"lasted beyond {self._name_date(comparison)}"
        point = f"{EVENT} {POINTS_OF_EVENT[comparison.parameter]}"
        if (shift := self.shift(comparison)) < 0:
            return f"lasted at least until the {UNIT_WHICH} {point}"
        if shift > 0:
            return f"lasted more than one {UNIT} beyond the {UNIT_WHICH} {point}"
        return f"lasted beyond the {UNIT_WHICH} {point}"

    def write_still(self, comparison: EndpointComparison) -> str:
        """Write a time at which a row still lasts, whose end is after a time, and may not have come."""
        if self.is_event and self.shift(comparison) < 0:
            return f"{mark_slot('on_unit_which')} {EVENT} {POINTS_OF_EVENT[comparison.parameter]}"
        return self.write(comparison)

    def _name_date(self, comparison: EndpointComparison) -> str:
        """Name the date that a comparison states."""
        stated = {Relation.MEETS: "b_end", Relation.MET_BY: "b_start"}.get(self.relation, comparison.parameter)
        return mark_slot(f"{stated}_stated" if self._is_stated_before(comparison) else stated)

    def _write_event(self, comparison: EndpointComparison) -> str:
        """Write a comparison with the start or the end of an event."""
        point = f"{EVENT} {POINTS_OF_EVENT[comparison.parameter]}"
        exact, shift = f"the {UNIT_WHICH} {point}", self.shift(comparison)
        if shift == 0:
            if comparison.sign == "=":
                return f"{mark_slot('on_unit_which')} {point}"
            return f"{OPERATORS[comparison.sign]} {point if self.is_day else exact}"
        side = "before" if shift < 0 else "after"
        if comparison.sign == "=":
            return f"exactly one {UNIT} {side} {exact}"
        if (comparison.sign == "<") == (shift < 0):
            return f"more than one {UNIT} {side} {exact}"
        return f"no {'earlier' if shift < 0 else 'later'} than {exact}"


def shorten_events(sentence: str) -> str:
    """Call an event "the event" where a sentence names it again."""
    first, separator, rest = sentence.partition(EVENT)
    return first + separator + rest.replace(EVENT, "the event")
