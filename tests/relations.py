"""Allen's relations defined without endpoint comparisons, over intervals as sets of units."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product

from everwhen.temporal.allen import Relation
from everwhen.temporal.interval import Interval

ORIGIN = date(2000, 1, 1)
NEVER = 1000
"""The unit after all days: an open end. Its negative is the one before all days, an open start."""

Ends = tuple[int, int]
"""First and last unit of an interval, both included."""


def find_relation(a: Ends, b: Ends) -> Relation:
    """Which relation two intervals have, by what their sets of units share."""
    ours, theirs = (frozenset(range(first, last + 1)) for first, last in (a, b))
    if not ours & theirs:
        return Relation.BEFORE if all(x < y for x, y in product(a, b)) else Relation.AFTER
    if ours == theirs:
        return Relation.EQUALS
    if ours < theirs:
        return _compare_rest(a, b, Relation.STARTS, Relation.FINISHES, Relation.DURING)
    if theirs < ours:
        return _compare_rest(b, a, Relation.STARTED_BY, Relation.FINISHED_BY, Relation.CONTAINS)
    ours_is_first = min(ours - theirs) < min(theirs - ours)
    if len(ours & theirs) == 1:
        return Relation.MEETS if ours_is_first else Relation.MET_BY
    return Relation.OVERLAPS if ours_is_first else Relation.OVERLAPPED_BY


def _compare_rest(inner: Ends, outer: Ends, at_start: Relation, at_end: Relation, between: Relation) -> Relation:
    rest = frozenset(range(outer[0], outer[1] + 1)) - frozenset(range(inner[0], inner[1] + 1))
    if all(number > inner[1] for number in rest):
        return at_start
    return at_end if all(number < inner[0] for number in rest) else between


def list_proper_intervals(size: int) -> list[Ends]:
    return [(first, last) for first in range(size) for last in range(first + 1, size)]


def list_points(size: int) -> list[Ends]:
    return [(number, number) for number in range(size)]


def list_uncertain_intervals(starts: list[int], ends: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """All bounds out of these units that leave an interval."""
    for earliest_start, latest_start, earliest_end, latest_end in product(starts, starts, ends, ends):
        if earliest_start <= latest_start and earliest_end <= latest_end and earliest_start <= latest_end:
            yield earliest_start, latest_start, earliest_end, latest_end


def choose_ends(bounds: tuple[int, int, int, int], first_day: int, last_day: int) -> list[Ends]:
    """All intervals within the bounds, of the days from the first to the last one and of open ends."""
    earliest_start, latest_start, earliest_end, latest_end = bounds
    starts = [
        number for number in (-NEVER, *range(first_day, last_day + 1)) if earliest_start <= number <= latest_start
    ]
    ends = [number for number in (*range(first_day, last_day + 1), NEVER) if earliest_end <= number <= latest_end]
    return [(start, end) for start, end in product(starts, ends) if start <= end]


def make_interval(bounds: tuple[int, int, int, int]) -> Interval:
    return Interval(*(None if abs(number) == NEVER else ORIGIN + timedelta(days=number) for number in bounds))


def make_exact(ends: Ends) -> Interval:
    return make_interval((ends[0], ends[0], ends[1], ends[1]))
