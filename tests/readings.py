"""Sets of uncertain intervals by enumeration: every reading, each predicate by the days that intervals share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from everwhen.temporal.allen import Predicate, Relation
from relations import Ends, choose_ends, find_relation

Bounds = tuple[int, int, int, int]
Found = tuple[int, ...] | None
"""Numbers of members; None where readings differ."""


def list_days(ends: Ends) -> frozenset[int]:
    return frozenset(range(ends[0], ends[1] + 1))


BY_DAYS: dict[Predicate, Callable[[frozenset[int], frozenset[int]], bool]] = {
    Predicate.INTERSECTS: lambda a, b: bool(a & b),
    Predicate.COVERS: lambda a, b: b <= a,
    Predicate.WITHIN: lambda a, b: a <= b,
    Predicate.STARTS_WITHIN: lambda a, b: min(a) in b,
    Predicate.ENDS_WITHIN: lambda a, b: max(a) in b,
    Predicate.STARTS_EARLIER: lambda a, b: min(a) < min(b),
    Predicate.ENDS_EARLIER: lambda a, b: max(a) < max(b),
}


@cache
def meets(predicate: Relation | Predicate, a: Ends, b: Ends) -> bool:
    """Whether an interval meets a predicate, by its days."""
    if isinstance(predicate, Relation):
        return find_relation(a, b) == predicate
    return BY_DAYS[predicate](list_days(a), list_days(b))


def list_readings(members: Sequence[Bounds], first: int, last: int) -> Iterator[tuple[Ends, ...]]:
    """Every choice of one interval for each member, of days from the first to the last."""
    yield from product(*(choose_ends(bounds, first, last) for bounds in members))


def find_kth(starts: Sequence[int], k: int) -> Found:
    """The k-th of a reading: none where there is none, None where it shares its position."""
    place = k - 1 if k > 0 else len(starts) + k
    if not 0 <= place < len(starts):
        return ()
    at = sorted(starts)[place]
    return (starts.index(at),) if starts.count(at) == 1 else None


def sort(starts: Sequence[int]) -> Found:
    """The members in order: None where two are equal."""
    return tuple(map(starts.index, sorted(starts))) if len(set(starts)) == len(starts) else None


def find_previous(starts: Sequence[int], anchor: int) -> Found:
    """The last before the anchor in a reading: none where there is none, None where two are."""
    before = [start for start in starts if start < anchor]
    if not before:
        return ()
    return (starts.index(max(before)),) if before.count(max(before)) == 1 else None


def agree(answers: Iterable[Found]) -> Found:
    """The one answer that all readings give, or None."""
    different = set(answers)
    return different.pop() if len(different) == 1 else None
