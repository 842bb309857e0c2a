"""Answers over sets of uncertain intervals are those that every reading gives."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import readings
from everwhen.temporal.allen import Predicate, Relation, possibly_holds, surely_holds
from everwhen.temporal.interval import Interval
from everwhen.temporal.sets import (
    CountRange,
    Edge,
    count_members,
    decide_all,
    decide_none,
    find_kth,
    find_members,
    find_next,
    find_previous,
    select_members,
    sort_members,
)
from readings import Bounds, Found, agree, list_readings, meets
from relations import NEVER, choose_ends, list_uncertain_intervals, make_interval

DAYS = list(range(4))
CLOSED = sorted(list_uncertain_intervals(DAYS, DAYS))
OPEN = sorted(list_uncertain_intervals([-NEVER, 0, 2], [1, 3, NEVER]))
PREDICATES = [*Relation, *Predicate]
EDGES = st.sampled_from(["start", "end"])

SETS = st.lists(st.sampled_from(CLOSED), max_size=3)
ANY_SETS = st.lists(st.sampled_from(CLOSED + OPEN), max_size=2)
FAR = (-3, 7)
"""Days beyond those of bounds stand for the endless."""


def make_set(members: list[Bounds]) -> list[Interval]:
    return [make_interval(bounds) for bounds in members]


@pytest.mark.parametrize("predicate", list(Predicate))
def test_a_predicate_is_that_of_the_days(predicate: Predicate) -> None:
    for a, b in product(CLOSED[::3], CLOSED):
        found = {meets(predicate, *pair) for pair in product(choose_ends(a, 0, 3), choose_ends(b, 0, 3))}
        ours, theirs = make_interval(a), make_interval(b)
        assert surely_holds(predicate, ours, theirs) == (found == {True})
        assert possibly_holds(predicate, ours, theirs) == (True in found)


def compare_counts(members: list[Bounds], b: Bounds, predicate: Relation | Predicate, first: int, last: int) -> None:
    met = [
        [meets(predicate, a, reading) for a in chosen]
        for reading in choose_ends(b, first, last)
        for chosen in list_readings(members, first, last)
    ]
    counts = {sum(each) for each in met}
    ours, theirs = make_set(members), make_interval(b)
    assert count_members(ours, predicate, theirs) == CountRange(min(counts), max(counts))
    assert decide_all(ours, predicate, theirs) == decide({all(each) for each in met})
    assert decide_none(ours, predicate, theirs) == decide({not any(each) for each in met})
    surely, possibly = (tuple(n for n in range(len(members)) if of(each[n] for each in met)) for of in (all, any))
    assert select_members(ours, predicate, theirs, "surely") == surely
    assert select_members(ours, predicate, theirs, "possibly") == possibly
    assert find_members(ours, predicate, theirs) == (surely if surely == possibly else None)


def decide(found: set[bool]) -> bool | None:
    return found.pop() if len(found) == 1 else None


@given(SETS, st.sampled_from(CLOSED), st.sampled_from(PREDICATES))
@settings(max_examples=200)
def test_what_holds_of_members_is_what_readings_give(members: list[Bounds], b: Bounds, predicate: Relation) -> None:
    compare_counts(members, b, predicate, 0, 3)


@given(ANY_SETS, st.sampled_from(CLOSED + OPEN), st.sampled_from(PREDICATES))
def test_what_holds_of_open_members_is_what_readings_give(
    members: list[Bounds], b: Bounds, predicate: Relation
) -> None:
    compare_counts(members, b, predicate, *FAR)


def test_members_that_each_may_meet_a_day_may_not_all_meet_it() -> None:
    first, second, day = make_set([(0, 0, 1, 1), (2, 2, 3, 3), (0, 3, 0, 3)])
    assert count_members([first, second], Predicate.COVERS, day) == (0, 1)
    assert decide_all([first, second], Predicate.COVERS, day) is False
    assert select_members([first, second], Predicate.COVERS, day, "possibly") == (0, 1)


def compare_order(members: list[Bounds], anchor: Bounds, edges: tuple[Edge, Edge], first: int, last: int) -> None:
    edge, of = edges
    ours, theirs = make_set(members), make_interval(anchor)
    chosen = [[ends[edge == "end"] for ends in each] for each in list_readings(members, first, last)]
    for k in (1, 2, 3, -1, -2):
        assert find_kth(ours, k, edge) == agree(readings.find_kth(each, k) for each in chosen)
    assert sort_members(ours, edge) == agree(readings.sort(each) for each in chosen)
    anchors = {ends[of == "end"] for ends in choose_ends(anchor, first, last)}
    pairs = list(product(chosen, anchors))
    previous: Found = agree(readings.find_previous(each, at) for each, at in pairs)
    assert find_previous(ours, theirs, edge, of) == previous
    later: Found = agree(readings.find_previous([-start for start in each], -at) for each, at in pairs)
    assert find_next(ours, theirs, edge, of) == later


@given(SETS, st.sampled_from(CLOSED), st.tuples(EDGES, EDGES))
@settings(max_examples=200)
def test_the_order_of_members_is_what_readings_give(
    members: list[Bounds], anchor: Bounds, edges: tuple[Edge, Edge]
) -> None:
    compare_order(members, anchor, edges, 0, 3)


@given(ANY_SETS, st.sampled_from(CLOSED + OPEN), st.tuples(EDGES, EDGES))
def test_the_order_of_open_members_is_what_readings_give(
    members: list[Bounds], anchor: Bounds, edges: tuple[Edge, Edge]
) -> None:
    compare_order(members, anchor, edges, *FAR)


def test_of_two_that_start_together_none_is_the_first() -> None:
    members = make_set([(0, 0, 1, 1), (0, 0, 3, 3), (2, 2, 3, 3)])
    assert [find_kth(members, k) for k in (1, 2, 3)] == [None, None, (2,)]
    assert find_kth(members, 1, "end") == (0,)


def test_the_zeroth_member_is_refused() -> None:
    with pytest.raises(ValueError, match="not from 0"):
        find_kth([], 0)
