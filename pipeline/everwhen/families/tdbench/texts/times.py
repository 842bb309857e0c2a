"""Comparisons of times in words: "before 1 May 1990", "exactly six months after", "after the Games began".

Phrases contain marked slots (`everwhen.language.wording`); `everwhen.families.tdbench.texts.write` fills them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from everwhen.families.tdbench.declaration.time import TableTime
from everwhen.families.tdbench.relations import ENDPOINTS, AskedRelation, Endpoint, Parameter
from everwhen.language.wording import MARK, mark_slot
from everwhen.temporal.allen import Relation

EVENT = mark_slot("event")
UNIT_WHICH = mark_slot("unit_which")
UNIT = mark_slot("unit")

OPERATORS = {"<": "before", ">": "after"}
POINTS_OF_EVENT = {"b_start": "began", "b_end": "ended"}


class EndpointComparison(NamedTuple):
    """An endpoint of the row, compared with one of the question's interval b."""

    endpoint: Endpoint
    sign: str
    parameter: Parameter


Comparisons = Sequence[EndpointComparison]


def list_comparisons(asked: AskedRelation, *, is_point: bool = False) -> Comparisons:
    """List the comparisons that say a relation in full, those of the start first (TDBench, Table 10).

    The instant of a point that starts or finishes b says it all.
    """
    found = tuple(
        EndpointComparison("point" if is_point else endpoint, sign, parameter)
        for sign, (endpoint, parameter) in zip(asked.conditions, ENDPOINTS, strict=True)
        if sign != "."
    )
    return tuple(each for each in found if is_point and each.sign == "=") or found


@dataclass(frozen=True)
class Times:
    """How the times of a question are put.

    Attributes:
        relation: The relation that is asked.
        of_table: The times of the table. Of inclusive ends one is stated a unit before the end that is compared; and
            what began after a time began up to as_of.
        of_events: The times of the table of events, where one of them names the times.
        is_day: Whether times are compared by days.
    """

    relation: Relation
    of_table: TableTime
    of_events: TableTime | None = None
    is_day: bool = True

    def write_all(self, comparisons: Comparisons) -> str:
        """Write the comparisons of one endpoint, to follow a verb: "after 1 May 1990 but before 3 May 1992"."""
        return " but ".join(map(self._write, comparisons))

    def write_lasting(self, comparison: EndpointComparison) -> str:
        """Write how long a row lasts whose end is after a time, and may not have come: "lasted beyond 3 May 1992"."""
        if self.of_events is None:
            return f"lasted beyond {self._name_date(comparison)}"
        shift = self._shift(comparison)
        until = {-1: "at least until", 0: "beyond", 1: f"more than one {UNIT} beyond"}[shift]
        return f"lasted {until} the {UNIT_WHICH} {_name_point(comparison)}"

    def write_still(self, comparison: EndpointComparison) -> str:
        """Write a time at which a row still lasts, whose end is after a time, and may not have come."""
        if self.of_events is not None and self._shift(comparison) < 0:
            return f"{mark_slot('on_unit_which')} {_name_point(comparison)}"
        return self._write(comparison)

    def describe_spell(self, comparisons: Comparisons) -> str:
        """Describe when a row began and ended: "began before 1 May 1990 and lasted beyond 3 May 1992"."""
        starts, ends = split_endpoints(comparisons)
        parts = [f"began {self.write_all(starts)}"] if starts else []
        if is_lasting(ends):
            parts.append(self.write_lasting(ends[0]))
        elif ends:
            parts.append(f"ended {self.write_all(ends)}")
        return " and ".join(parts)

    def _write(self, comparison: EndpointComparison) -> str:
        text = self._write_date(comparison) if self.of_events is None else self._write_event(comparison)
        is_bounded = self.of_table.as_of is not None and self.relation is Relation.AFTER
        return f"{text} and up to {mark_slot('as_of')}" if is_bounded else text

    def _shift(self, comparison: EndpointComparison) -> int:
        """Return the units from the stated time of an event to the time that the text means."""
        is_last = self.of_events is not None and self.of_events.is_inclusive and comparison.parameter == "b_end"
        return int(is_last) - self._is_stated_before(comparison)

    def _is_stated_before(self, comparison: EndpointComparison) -> bool:
        return self.of_table.is_inclusive and comparison.endpoint == "end"

    def _write_date(self, comparison: EndpointComparison) -> str:
        """Write a comparison with a date."""
        date = self._name_date(comparison)
        if self.relation in (Relation.MEETS, Relation.MET_BY):
            side = "before" if self.relation is Relation.MEETS else "after"
            return f"exactly {mark_slot('offset')} {side} {date}"
        if comparison.sign == "=":
            return mark_slot(f"on:{date.strip(MARK)}")
        return f"{OPERATORS[comparison.sign]} {date}"

    def _name_date(self, comparison: EndpointComparison) -> str:
        """Name the date that a comparison states."""
        stated = {Relation.MEETS: "b_end", Relation.MET_BY: "b_start"}.get(self.relation, comparison.parameter)
        return mark_slot(f"{stated}_stated" if self._is_stated_before(comparison) else stated)

    def _write_event(self, comparison: EndpointComparison) -> str:
        """Write a comparison with the start or the end of an event."""
        point, shift = _name_point(comparison), self._shift(comparison)
        exact = f"the {UNIT_WHICH} {point}"
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


def is_lasting(ends: Comparisons) -> bool:
    """Whether an end is only known to be after a time, so that it may not have come."""
    return [each.sign for each in ends] == [">"]


def split_endpoints(comparisons: Comparisons) -> tuple[Comparisons, Comparisons]:
    """Split comparisons into those of starts, or of points, and those of ends."""
    starts = [each for each in comparisons if each.endpoint != "end"]
    return starts, [each for each in comparisons if each.endpoint == "end"]


def shorten_events(sentence: str) -> str:
    """Call an event "the event" where a sentence names it again."""
    first, separator, rest = sentence.partition(EVENT)
    return first + separator + rest.replace(EVENT, "the event")


def _name_point(comparison: EndpointComparison) -> str:
    """Name the start or the end of the event with which a comparison compares."""
    return f"{EVENT} {POINTS_OF_EVENT[comparison.parameter]}"
