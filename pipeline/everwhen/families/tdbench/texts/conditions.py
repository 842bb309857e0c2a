"""The conditions of a question as data: what a query asks, and what a reader finds in its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.relations import Endpoint
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.comparisons import Comparison, list_comparisons
from everwhen.families.tdbench.texts.times import Times
from everwhen.temporal.allen import Relation

EventPoint = Literal["start", "end"]

EVENT_POINTS: Mapping[str, EventPoint] = {"b_start": "start", "b_end": "end"}


@dataclass(frozen=True)
class TimeCondition:
    """A comparison of an endpoint with a time, as the text states it.

    Attributes:
        endpoint: start, end or point of the row.
        sign: <, = or >.
        day: First day of the stated unit; None of an event.
        unit: day, month or year; of an event "", where the text compares its very start or end.
        offset_months: Months from the stated date to the date that is meant.
        event_point: Of an event, its start or its end.
        shift: Of an event, units from it to the time that is meant.
    """

    endpoint: Endpoint
    sign: str
    day: date | None
    unit: str
    offset_months: int = 0
    event_point: EventPoint | None = None
    shift: int = 0


@dataclass(frozen=True)
class Conditions:
    """All that a question says beside what it asks for.

    Attributes:
        given: The columns that it names, with their values.
        times: What it says of the start and end of a row.
        is_current: Whether it asks for what holds now.
        is_joined: Whether it asks for what holds during an event.
        as_of: The last day of which the table knows, where the question states it.
        counted: The number of rows, or of stints.
        since: The day after which they began, where not all count.
        is_at_least: Whether more than this number fit too.
    """

    given: frozenset[tuple[str, str]]
    times: frozenset[TimeCondition] = frozenset()
    is_current: bool = False
    is_joined: bool = False
    as_of: date | None = None
    counted: int | None = None
    is_at_least: bool | None = None
    since: date | None = None


def state_conditions(
    item: Mapping[str, Any], declaration: Declaration, scope: Scope, other: Declaration | None = None
) -> Conditions:
    """State the conditions that an item's question must say.

    Args:
        item: A row of `everwhen.families.tdbench.tables.items.ITEMS`.
        declaration: Its declaration.
        scope: Its scope.
        other: The declaration with which the scope joins, if it does.
    """
    given = frozenset((each["column"], each["value"]) for each in item["given"])
    task = item["task"]
    if task == "alignment":
        is_bare = declaration.time.now == "bare"
        return Conditions(given, is_current=True, as_of=None if is_bare else declaration.time.as_of)
    if task == "multi_hop":
        return Conditions(given, is_joined=True)
    if task == "counting":
        time, counted, is_at_least = declaration.time, item["counted"], bool(item["is_at_least"])
        return Conditions(given, as_of=time.as_of, counted=counted, is_at_least=is_at_least, since=time.since)
    bound = declaration.time.as_of if item["relation"] == Relation.AFTER else None
    return Conditions(given, times=_state_times(item, declaration, scope, other), as_of=bound)


def _state_times(
    item: Mapping[str, Any], declaration: Declaration, scope: Scope, other: Declaration | None
) -> frozenset[TimeCondition]:
    relation, is_point = Relation(item["relation"]), declaration.time.end is None
    times = Times(
        relation=relation,
        is_inclusive=declaration.time.is_inclusive,
        is_event=scope.kind == "join",
        is_event_inclusive=other is not None and other.time.is_inclusive,
        is_day=item["granularity"] == "day",
    )
    comparisons = list_comparisons(relation, is_short=bool(item["is_short"]), is_point=is_point)
    return frozenset(_state_time(comparison, times, item) for comparison in comparisons)


def _state_time(comparison: Comparison, times: Times, item: Mapping[str, Any]) -> TimeCondition:
    unit = item["granularity"]
    shift = times.shift(comparison)
    if times.is_event:
        point = EVENT_POINTS[comparison.parameter]
        # An end that is after the unit before a time is not before that time, and the same with the signs exchanged.
        return TimeCondition(comparison.endpoint, comparison.sign, None, unit, 0, point, shift)
    parameter, offset = comparison.parameter, 0
    if times.relation is Relation.MEETS:
        parameter, offset = "b_end", -item["offset_months"]
    elif times.relation is Relation.MET_BY:
        parameter, offset = "b_start", item["offset_months"]
    day: date = item[parameter]
    return TimeCondition(comparison.endpoint, comparison.sign, move_unit(day, unit, shift), unit, offset)


def move_unit(day: date, unit: str, number: int) -> date:
    """Move the first day of a unit by a number of units.

    >>> move_unit(date(1990, 1, 1), "month", -1)
    datetime.date(1989, 12, 1)
    """
    if unit == "day":
        return date.fromordinal(day.toordinal() + number)
    months = day.year * 12 + day.month - 1 + number * (12 if unit == "year" else 1)
    return date(months // 12, months % 12 + 1, 1)
