from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from comparison_blocks import build_block, build_members
from everwhen.families.complextempqa.compare.subjects import Subjects


@pytest.mark.parametrize(
    ("years", "described", "series", "expected"),
    [
        ((1993, 1991), (False, False), (0, 0), True),
        ((1993, 0), (False, False), (0, 0), False),
        ((1993, 1993), (False, True), (0, 0), False),
        ((0, 0), (False, False), (5, 5), True),
        ((0, 0), (False, False), (5, 6), False),
        # What is described is not told by its name.
        ((0, 0), (False, True), (5, 5), False),
    ],
)
@pytest.mark.parametrize("by", ["times", "amounts"])
def test_names_tell_times_by_years_and_by_numbers(
    years: tuple[int, int], described: tuple[bool, bool], series: tuple[int, int], expected: bool, by: str
) -> None:
    block = build_block([1, 2], by=by)
    forms = [[{"form": 5, "number": 7, "year": year}] * has for year, has in zip(years, described, strict=True)]
    subjects = Subjects([block], build_members([block], year=years, series=series, forms=forms), {"k": 7})
    found = subjects.choose(block, [np.array([0]), np.array([1])], unnamed=any(described))
    assert found.reveals_order.tolist() == [expected and by == "times"]


@pytest.mark.parametrize("size", [2, 3])
def test_one_subject_more_flips_nobody(size: int) -> None:
    """Who is named first, and the hash that decides in which direction is asked, depend on these subjects alone."""

    def choose_all(entities: list[int]) -> dict[frozenset[int], tuple[tuple[int, ...], int]]:
        block = build_block(range(len(entities)))
        subjects = Subjects([block], build_members([block], entity=entities), {"k": 7})
        positions = np.array(list(combinations(range(len(entities)), size))).T
        found = subjects.choose(block, list(positions), unnamed=False)
        named = np.stack(found.entities, axis=1).tolist()
        return {frozenset(one): (tuple(one), toss) for one, toss in zip(named, found.toss.tolist(), strict=True)}

    few = choose_all(list(range(100, 130)))
    assert len(few) == comb(30, size)
    assert {one[0] == min(one) for one, _ in few.values()} == {True, False}
    assert {toss >> 1 & 1 for _, toss in few.values()} == {0, 1}
    for position in (0, 15, 30):
        more = list(range(100, 130))
        more.insert(position, 7)
        assert few.items() <= choose_all(more).items()
    assert {key: one for key, (one, _) in choose_all(list(range(129, 99, -1))).items()} == {
        key: one for key, (one, _) in few.items()
    }, "nor on whose value is greater"
