"""What holds of a set of uncertain intervals: which members, all, none, how many; the k-th, the last, the next.

A reading chooses one interval within the bounds of each member and of what the members are compared with, which is one
for all of them. An answer is sure if every reading gives it: None says that readings differ, and an empty answer that
surely no member is meant. Members are named by their numbers in the set, from 0.

Spark and DuckDB have the same functions (`everwhen.temporal.sets_spark`, `everwhen.temporal.allen_duckdb`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Literal, NamedTuple

from everwhen.temporal.allen import Modality, Predicate, Relation, compare_positions
from everwhen.temporal.interval import Interval, Positions, Unit

Edge = Literal["start", "end"]
"""The endpoint by which members are in order."""


class CountRange(NamedTuple):
    """How many members meet a predicate: the least and the greatest number that a reading gives."""

    least: int
    most: int


def select_members(
    members: Sequence[Interval],
    predicate: Relation | Predicate,
    b: Interval,
    modality: Modality,
    unit: Unit = Unit.DAY,
) -> tuple[int, ...]:
    """Select the members that surely, or possibly, meet a predicate."""
    theirs = b.count_positions(unit)
    return tuple(
        number
        for number, member in enumerate(members)
        if compare_positions(predicate, modality, member.count_positions(unit), theirs)
    )


def find_members(
    members: Sequence[Interval], predicate: Relation | Predicate, b: Interval, unit: Unit = Unit.DAY
) -> tuple[int, ...] | None:
    """Find the members that meet a predicate; None if one of them is undecided.

    >>> from datetime import date
    >>> terms = [Interval.from_ends(date(year, 1, 20), date(year + 4, 1, 20)) for year in (1977, 1981, 1985)]
    >>> find_members(terms, Predicate.INTERSECTS, Interval.from_ends(date(1981, 1, 20), date(1981, 1, 20)))
    (0, 1)
    >>> find_members(terms, Predicate.COVERS, Interval(date(1981, 1, 1), date(1981, 2, 1), None, None)) is None
    False
    """
    surely = select_members(members, predicate, b, "surely", unit)
    return surely if surely == select_members(members, predicate, b, "possibly", unit) else None


def count_members(
    members: Sequence[Interval], predicate: Relation | Predicate, b: Interval, unit: Unit = Unit.DAY
) -> CountRange:
    """Count the members that meet a predicate: at least, and at most.

    At most is less than those which possibly meet it where no reading of b lets all of them.
    """
    positions = [member.count_positions(unit) for member in members]
    readings = _list_readings(positions, b.count_positions(unit))

    def count(modality: Modality, reading: Positions) -> int:
        return sum(compare_positions(predicate, modality, member, reading) for member in positions)

    return CountRange(
        least=min(count("surely", reading) for reading in readings),
        most=max(count("possibly", reading) for reading in readings),
    )


def _list_readings(members: Sequence[Positions], b: Positions) -> list[Positions]:
    """List readings of b among which there is one with the fewest members, and one with the most.

    A predicate that is left with the earliest start and the latest end of b is left beside a bound of a member: while
    start and end move apart, predicates change only there.
    """
    earliest_start, latest_start, earliest_end, latest_end = b
    bounds = set(chain.from_iterable(members))
    starts = {earliest_start, *bounds, *(bound + 1 for bound in bounds)}
    ends = {latest_end, *bounds, *(bound - 1 for bound in bounds)}
    return [
        (start, start, end, end)
        for start in starts
        if earliest_start <= start <= latest_start
        for end in ends
        if earliest_end <= end <= latest_end and start <= end
    ]


def decide_all(
    members: Sequence[Interval], predicate: Relation | Predicate, b: Interval, unit: Unit = Unit.DAY
) -> bool | None:
    """Whether all members meet a predicate, as is true of an empty set; None where readings differ."""
    count = count_members(members, predicate, b, unit)
    return True if count.least == len(members) else None if count.most == len(members) else False


def decide_none(
    members: Sequence[Interval], predicate: Relation | Predicate, b: Interval, unit: Unit = Unit.DAY
) -> bool | None:
    """Whether no member meets a predicate; None where readings differ."""
    count = count_members(members, predicate, b, unit)
    return True if count.most == 0 else None if count.least == 0 else False


def find_kth(
    members: Sequence[Interval], k: int, edge: Edge = "start", unit: Unit = Unit.DAY
) -> tuple[int, ...] | None:
    """Find the k-th member by its start or its end, from 1; from the last one, -1, if k is negative.

    The k-th has surely k - 1 members before it, and all others after it: of two that start together none is the first.

    >>> from datetime import date
    >>> clubs = [Interval.from_ends(date(2004, 10, 16), date(2021, 8, 10)), Interval.from_ends(date(2021, 8, 10), None)]
    >>> find_kth(clubs, 1), find_kth(clubs, -1), find_kth(clubs, 3)
    ((0,), (1,), ())

    Raises:
        ValueError: k is 0.
    """
    if k == 0:
        raise ValueError("k counts from 1, or from -1 at the end, not from 0")
    place = k - 1 if k > 0 else len(members) + k
    if not 0 <= place < len(members):
        return ()
    ranges = [_find_range(member, edge, unit) for member in members]
    around = (place, len(members) - 1 - place)
    return tuple(number for number, own in enumerate(ranges) if _count_around(own, ranges) == around) or None


def _count_around(own: _Range, ranges: Sequence[_Range]) -> tuple[int, int]:
    """Count the ranges that are surely before one, and those that are surely after it."""
    return sum(other.last < own.first for other in ranges), sum(other.first > own.last for other in ranges)


def sort_members(members: Sequence[Interval], edge: Edge = "start", unit: Unit = Unit.DAY) -> tuple[int, ...] | None:
    """Sort the members by their starts or ends; None if the order of two of them is not sure, or they are equal."""
    ranges = [_find_range(member, edge, unit) for member in members]
    order = sorted(range(len(ranges)), key=lambda number: ranges[number])
    is_sure = all(ranges[one].last < ranges[other].first for one, other in pairwise(order))
    return tuple(order) if is_sure else None


class _Range(NamedTuple):
    """The first and the last position that an endpoint may have."""

    first: int
    last: int


def _find_range(interval: Interval, edge: Edge, unit: Unit) -> _Range:
    positions = interval.count_positions(unit)
    return _Range(*positions[:2] if edge == "start" else positions[2:])


def find_previous(
    members: Sequence[Interval], anchor: Interval, edge: Edge = "start", of: Edge = "start", unit: Unit = Unit.DAY
) -> tuple[int, ...] | None:
    """Find the last member to start, or to end, before an anchor starts, or ends.

    Args:
        members: The set; an anchor that is one of its members is left out by the caller.
        anchor: What the members are before.
        edge: Which endpoint of the members counts.
        of: Which endpoint of the anchor counts.
        unit: What endpoints are compared in.
    """
    ranges = [_find_range(member, edge, unit) for member in members]
    return _find_nearest(ranges, _find_range(anchor, of, unit))


def find_next(
    members: Sequence[Interval], anchor: Interval, edge: Edge = "start", of: Edge = "start", unit: Unit = Unit.DAY
) -> tuple[int, ...] | None:
    """Find the first member to start, or to end, after an anchor starts, or ends; arguments as of `find_previous`."""
    ranges = [_turn(_find_range(member, edge, unit)) for member in members]
    return _find_nearest(ranges, _turn(_find_range(anchor, of, unit)))


def _turn(found: _Range) -> _Range:
    """Turn time round, so that what is after is before."""
    return _Range(-found.last, -found.first)


def _find_nearest(ranges: Sequence[_Range], at: _Range) -> tuple[int, ...] | None:
    """Find the last range before a range: any other is surely before it, or surely not before `at`."""
    if all(each.first >= at.last for each in ranges):
        return ()
    found = tuple(
        number
        for number, own in enumerate(ranges)
        if own.last < at.first
        and sum(other.last < own.first or other.first >= at.last for other in ranges) == len(ranges) - 1
    )
    return found or None
