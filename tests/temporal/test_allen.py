from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.temporal.allen import Relation, possibly_holds, surely_holds
from everwhen.temporal.interval import Interval, Unit
from relations import (
    NEVER,
    Ends,
    choose_ends,
    find_relation,
    list_points,
    list_proper_intervals,
    list_uncertain_intervals,
    make_exact,
    make_interval,
)

PROPER, POINTS = list_proper_intervals(8), list_points(8)
OPEN = [(first, NEVER if last == 7 else last) for first, last in PROPER]
"""As PROPER, but that whoever lasts to the last unit has no end."""


def find_sure(a: Interval, b: Interval, unit: Unit = Unit.DAY) -> set[Relation]:
    return {relation for relation in Relation if surely_holds(relation, a, b, unit)}


def find_possible(a: Interval, b: Interval, unit: Unit = Unit.DAY) -> set[Relation]:
    return {relation for relation in Relation if possibly_holds(relation, a, b, unit)}


@pytest.mark.parametrize("intervals", [PROPER, OPEN, PROPER + POINTS], ids=["proper", "open", "with-points"])
def test_relation_is_that_of_the_sets_of_days(intervals: list[Ends]) -> None:
    for a, b in product(intervals, intervals):
        assert find_possible(make_exact(a), make_exact(b)) == {find_relation(a, b)}


def test_of_intervals_known_exactly_what_is_possible_is_sure() -> None:
    for (a, b), relation in product(product(PROPER + POINTS, OPEN), Relation):
        ours, theirs = make_exact(a), make_exact(b)
        assert surely_holds(relation, ours, theirs) == possibly_holds(relation, ours, theirs)


@pytest.mark.parametrize(
    ("ours", "theirs", "relations"),
    [
        pytest.param(PROPER, PROPER, set(Relation), id="interval-interval"),
        pytest.param(POINTS, PROPER, {"before", "starts", "during", "finishes", "after"}, id="point-interval"),
        pytest.param(PROPER, POINTS, {"before", "started_by", "contains", "finished_by", "after"}, id="interval-point"),
        pytest.param(POINTS, POINTS, {"before", "equals", "after"}, id="point-point"),
    ],
)
def test_intervals_have_thirteen_relations_and_a_point_has_five(
    ours: list[Ends], theirs: list[Ends], relations: set[str]
) -> None:
    found = [find_sure(make_exact(a), make_exact(b)) for a, b in product(ours, theirs)]
    assert set().union(*found) == relations


def test_two_intervals_without_an_end_end_together() -> None:
    later, earlier = Interval.from_ends(date(2020, 1, 1), None), Interval.from_ends(date(2010, 1, 1), None)
    assert find_sure(later, earlier) == {"finishes"}


def test_an_open_end_is_later_than_the_last_day_of_the_calendar() -> None:
    last_day = Interval.from_ends(date(2010, 1, 1), date.max)
    assert find_sure(last_day, Interval.from_ends(date(2010, 1, 1), None)) == {"starts"}


def test_an_end_that_is_not_known_may_be_any_day_or_none() -> None:
    term = Interval(date(2010, 1, 1), date(2010, 1, 1), date(2010, 1, 1), None)
    later = Interval.from_ends(date(2020, 1, 1), None)
    assert find_possible(term, later) == {"before", "meets", "overlaps", "finished_by"}


def test_a_handover_within_a_month_meets_in_months() -> None:
    first = Interval.from_ends(date(1990, 1, 1), date(1995, 5, 3))
    second = Interval.from_ends(date(1995, 5, 20), date(1999, 1, 1))
    assert find_sure(first, second) == {"before"}
    assert find_sure(first, second, Unit.MONTH) == {"meets"}
    assert find_sure(first, second, Unit.YEAR) == {"meets"}


def test_surely_and_possibly_quantify_over_days() -> None:
    days = list(range(4))
    intervals = {bounds: choose_ends(bounds, 0, 3) for bounds in list_uncertain_intervals(days, days)}
    relation_of = {(a, b): find_relation(a, b) for a, b in product(PROPER + POINTS, repeat=2)}
    for (a, ours), (b, theirs) in product(intervals.items(), repeat=2):
        _compare_with_choices(a, b, {relation_of[pair] for pair in product(ours, theirs)})


BOUNDS = st.sampled_from(sorted(list_uncertain_intervals([-NEVER, *range(8)], [*range(8), NEVER])))


@given(BOUNDS, BOUNDS)
def test_surely_and_possibly_of_open_bounds_are_what_choices_give(
    a: tuple[int, int, int, int], b: tuple[int, int, int, int]
) -> None:
    # Three units on each side stand for the endless: no relation has more than four endpoints in a row.
    ours, theirs = choose_ends(a, -3, 10), choose_ends(b, -3, 10)
    _compare_with_choices(a, b, {_find_by_rank(*pair) for pair in product(ours, theirs)})


def _find_by_rank(a: Ends, b: Ends) -> Relation:
    """The relation; ends far away are moved close, since sets of a thousand units are slow."""
    (a_start, a_end), (b_start, b_end) = ((max(start, -5), min(end, 12)) for start, end in (a, b))
    return find_relation((a_start, a_end), (b_start, b_end))


def _compare_with_choices(a: tuple[int, int, int, int], b: tuple[int, int, int, int], relations: set[Relation]) -> None:
    ours, theirs = make_interval(a), make_interval(b)
    assert find_possible(ours, theirs) == relations
    assert find_sure(ours, theirs) == (relations if len(relations) == 1 else set())


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    days = st.dates(date(1990, 1, 1), date(1993, 12, 31))
    start, end = sorted((draw(days), draw(days))), sorted((draw(days), draw(days)))
    if start[0] > end[1]:
        start, end = end, start
    open_start, open_end = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    return Interval(
        None if open_start else start[0],
        None if open_start == 2 else start[1],
        None if open_end == 2 else end[0],
        None if open_end else end[1],
    )


INVERSE = {
    Relation.BEFORE: Relation.AFTER,
    Relation.MEETS: Relation.MET_BY,
    Relation.OVERLAPS: Relation.OVERLAPPED_BY,
    Relation.STARTS: Relation.STARTED_BY,
    Relation.DURING: Relation.CONTAINS,
    Relation.FINISHES: Relation.FINISHED_BY,
    Relation.EQUALS: Relation.EQUALS,
}
"""Seven relations of a to b, and those that b then has to a."""


@given(intervals(), intervals(), st.sampled_from(sorted(INVERSE)), st.sampled_from(Unit))
def test_sure_relations_are_possible_and_have_sure_inverses(
    a: Interval, b: Interval, relation: Relation, unit: Unit
) -> None:
    inverse = INVERSE[relation]
    assert surely_holds(relation, a, b, unit) <= possibly_holds(relation, a, b, unit)
    assert surely_holds(relation, a, b, unit) == surely_holds(inverse, b, a, unit)
    assert possibly_holds(relation, a, b, unit) == possibly_holds(inverse, b, a, unit)


@given(intervals(), intervals(), st.sampled_from(Unit))
def test_something_is_possible_and_sure_if_nothing_else_is(a: Interval, b: Interval, unit: Unit) -> None:
    possible = find_possible(a, b, unit)
    assert possible
    assert find_sure(a, b, unit) == (possible if len(possible) == 1 else set())
