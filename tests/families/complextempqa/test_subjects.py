from __future__ import annotations

import numpy as np
import pytest

from comparison_blocks import build_block, build_members
from everwhen.families.complextempqa.subjects import Subjects


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
