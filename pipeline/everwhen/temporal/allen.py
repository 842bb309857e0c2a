"""Allen's relations between intervals and other predicates, stated once: Python, Spark and SQL follow `SIGNS`.

Source: J. F. Allen, Maintaining Knowledge about Temporal Intervals, CACM 26(11), 1983; for points M. Vilain, A System
for Reasoning about Time, AAAI 1982.

Endpoints compare, as they do in Allen's paper: two intervals meet when the one's last day is the other's first, such
as a day of handover. An interval of one unit is a point: it begins, ends, or is within a proper interval, and never
meets or overlaps one.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

from everwhen.temporal.interval import Interval, Positions, Unit


class Relation(StrEnum):
    """One of the thirteen ways in which an interval a can relate to an interval b."""

    BEFORE = "before"
    MEETS = "meets"
    OVERLAPS = "overlaps"
    STARTS = "starts"
    DURING = "during"
    FINISHES = "finishes"
    EQUALS = "equals"
    AFTER = "after"
    MET_BY = "met_by"
    OVERLAPPED_BY = "overlapped_by"
    STARTED_BY = "started_by"
    CONTAINS = "contains"
    FINISHED_BY = "finished_by"


class Predicate(StrEnum):
    """What else can be asked of an interval a beside an interval b: each is several of Allen's relations.

    A day is an interval of one day: what holds on it intersects it, and covers it.
    """

    INTERSECTS = "intersects"
    """a shares a unit with b: it holds at some time during b."""
    COVERS = "covers"
    """a holds throughout b."""
    WITHIN = "within"
    """a holds at no time outside b."""
    STARTS_WITHIN = "starts_within"
    ENDS_WITHIN = "ends_within"
    STARTS_EARLIER = "starts_earlier"
    """a starts before b starts."""
    ENDS_EARLIER = "ends_earlier"
    """a ends before b ends."""


class Signs(NamedTuple):
    """How the endpoints of a compare with those of b: <, <=, =, >= or >; a dot where it follows or does not matter."""

    start_start: str
    start_end: str
    end_start: str
    end_end: str


SIGNS: dict[Relation | Predicate, Signs] = {
    Relation.BEFORE: Signs(*"..<."),
    Relation.MEETS: Signs(*"<.=<"),
    Relation.OVERLAPS: Signs(*"<.><"),
    Relation.STARTS: Signs(*"=..<"),
    Relation.DURING: Signs(*">..<"),
    Relation.FINISHES: Signs(*">..="),
    Relation.EQUALS: Signs(*"=..="),
    Relation.AFTER: Signs(*".>.."),
    Relation.MET_BY: Signs(*">=.>"),
    Relation.OVERLAPPED_BY: Signs(*"><.>"),
    Relation.STARTED_BY: Signs(*"=..>"),
    Relation.CONTAINS: Signs(*"<..>"),
    Relation.FINISHED_BY: Signs(*"<..="),
    Predicate.INTERSECTS: Signs(".", "<=", ">=", "."),
    Predicate.COVERS: Signs("<=", ".", ".", ">="),
    Predicate.WITHIN: Signs(">=", ".", ".", "<="),
    Predicate.STARTS_WITHIN: Signs(">=", "<=", ".", "."),
    Predicate.ENDS_WITHIN: Signs(".", ".", ">=", "<="),
    Predicate.STARTS_EARLIER: Signs(*"<..."),
    Predicate.ENDS_EARLIER: Signs(*"...<"),
}
"""The relations and predicates. With no interval ending before it starts, exactly one relation is true of any two."""

BOUNDS = ("earliest_start", "latest_start", "earliest_end", "latest_end")
"""Fields of an interval, in the order of its positions."""

Modality = Literal["surely", "possibly"]
"""True for every, or for some, choice of days within the bounds; the same for intervals that are known exactly."""

MODALITIES: tuple[Modality, Modality] = ("surely", "possibly")


class Bound(NamedTuple):
    """A bound of one of the two intervals, as a number in `BOUNDS`."""

    interval: Literal["a", "b"]
    number: int


class Comparison(NamedTuple):
    """Left is at least `gap` units before right."""

    left: Bound
    gap: int
    right: Bound


class _Endpoint(NamedTuple):
    interval: Literal["a", "b"]
    is_end: bool


_ENDPOINTS = tuple(_Endpoint(interval, is_end) for interval in ("a", "b") for is_end in (False, True))


@cache
def state_comparisons(predicate: Relation | Predicate, modality: Modality) -> tuple[Comparison, ...]:
    """Say which comparisons between bounds must all be true for a predicate to hold surely, or possibly.

    >>> for left, gap, right in state_comparisons(Relation.BEFORE, "surely"):
    ...     print(left.interval, BOUNDS[left.number], "+", gap, "<=", right.interval, BOUNDS[right.number])
    a latest_end + 1 <= b earliest_start
    """
    if modality == "surely":
        # An endpoint of a and one of b are chosen apart: their order is sure if it is that of the worst choice.
        return tuple(
            Comparison(_take_latest(first), gap, _take_earliest(second))
            for (first, second), gap in _order_endpoints(predicate).items()
        )
    # Endpoints of one interval are not chosen apart. A set of orders can be met if, wherever it implies that one
    # endpoint is so many units before another, the earliest of the one is so before the latest of the other.
    implied = _close_order(_order_endpoints(predicate))
    return tuple(
        Comparison(_take_earliest(first), gap, _take_latest(second))
        for (first, second), gap in implied.items()
        if not _is_implied_by_another(first, second, gap, implied)
    )


_Order = dict[tuple[_Endpoint, _Endpoint], int]
"""By how many units at least the first endpoint is before the second."""


def _order_endpoints(predicate: Relation | Predicate) -> _Order:
    """Return the signs of a predicate as an order of endpoints."""
    order: _Order = {}
    for (ours, theirs), sign in zip(product(_ENDPOINTS[:2], _ENDPOINTS[2:]), SIGNS[predicate], strict=True):
        gap = 0 if "=" in sign else 1
        if sign in ("<", "<=", "="):
            order[ours, theirs] = gap
        if sign in (">", ">=", "="):
            order[theirs, ours] = gap
    return order


def _close_order(order: _Order) -> _Order:
    """Derive all that an order implies, no interval ending before it starts (longest paths by Floyd and Warshall)."""
    closed = {(_ENDPOINTS[0], _ENDPOINTS[1]): 0, (_ENDPOINTS[2], _ENDPOINTS[3]): 0, **order}
    for via, first, second in product(_ENDPOINTS, repeat=3):
        if first != second and (first, via) in closed and (via, second) in closed:
            gap = closed[first, via] + closed[via, second]
            closed[first, second] = max(gap, closed.get((first, second), 0))
    return closed


def _is_implied_by_another(first: _Endpoint, second: _Endpoint, gap: int, closed: _Order) -> bool:
    """Whether bounds that are drawn together make a comparison follow from a stricter one, or true by themselves."""
    if first.interval == second.interval and gap == 0:
        return True
    return any(
        other != (first, second)
        and other_gap >= gap
        and _is_no_later(first, other[0])
        and _is_no_later(other[1], second)
        for other, other_gap in closed.items()
    )


def _is_no_later(first: _Endpoint, second: _Endpoint) -> bool:
    return first.interval == second.interval and first.is_end <= second.is_end


def _take_earliest(endpoint: _Endpoint) -> Bound:
    return Bound(endpoint.interval, 2 if endpoint.is_end else 0)


def _take_latest(endpoint: _Endpoint) -> Bound:
    return Bound(endpoint.interval, 3 if endpoint.is_end else 1)


def surely_holds(predicate: Relation | Predicate, a: Interval, b: Interval, unit: Unit = Unit.DAY) -> bool:
    """Whether a predicate is true for every choice of days within the bounds of a and b.

    >>> from datetime import date
    >>> carter = Interval.from_ends(date(1977, 1, 20), date(1981, 1, 20))
    >>> reagan = Interval.from_ends(date(1981, 1, 20), date(1989, 1, 20))
    >>> surely_holds(Relation.MEETS, carter, reagan), surely_holds(Predicate.INTERSECTS, carter, reagan)
    (True, True)
    """
    return compare_positions(predicate, "surely", a.count_positions(unit), b.count_positions(unit))


def possibly_holds(predicate: Relation | Predicate, a: Interval, b: Interval, unit: Unit = Unit.DAY) -> bool:
    """Whether a predicate is true for some choice of days within the bounds of a and b.

    >>> from datetime import date
    >>> since_1981 = Interval(date(1981, 1, 1), date(1981, 12, 31), None, None)
    >>> until_june = Interval.from_ends(date(1977, 1, 20), date(1981, 6, 30))
    >>> possibly_holds(Relation.MEETS, until_june, since_1981), surely_holds(Relation.MEETS, until_june, since_1981)
    (True, False)
    """
    return compare_positions(predicate, "possibly", a.count_positions(unit), b.count_positions(unit))


def compare_positions(predicate: Relation | Predicate, modality: Modality, a: Positions, b: Positions) -> bool:
    """Whether a predicate is surely, or possibly, true of the intervals with these bounds."""
    positions = {"a": a, "b": b}
    return all(
        positions[left.interval][left.number] + gap <= positions[right.interval][right.number]
        for left, gap, right in state_comparisons(predicate, modality)
    )
