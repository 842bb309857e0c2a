"""Tables of scores: cells, paired differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from everwhen.evaluate.scheme import TYPED_OUTCOMES
from everwhen.evaluate.tables import Scored, compare, count_differences, tabulate


def make_scored(right: list[int], groups: list[str], first_id: int = 0) -> Scored:
    """Scores of items that are right or wrong and have a precision of a quarter."""
    rows = len(right)
    shares = np.zeros((rows, len(TYPED_OUTCOMES.shares)))
    shares[:, TYPED_OUTCOMES.shares.index("right")] = right
    shares[:, TYPED_OUTCOMES.shares.index("wrong")] = 1 - np.array(right)
    measures = np.full((rows, len(TYPED_OUTCOMES.means)), 0.25)
    columns = {"item_id": range(first_id, first_id + rows), "answer_type": ["name"] * rows, "group": groups}
    return Scored(pa.table({name: list(values) for name, values in columns.items()}), ("group",), shares, measures)


def test_cells_are_those_of_every_slice_and_value() -> None:
    tables = tabulate(make_scored([1, 1, 0, 0, 0], ["a", "a", "a", "b", "b"]), np.array([0.1, 0.1, 0.1, 0.5, 0.5]))
    assert {slice_: list(cells) for slice_, cells in tables.items()} == {
        "all": ["all"],
        "answer_type": ["name"],
        "group": ["a", "b"],
    }
    cell = tables["group"]["a"]
    assert (cell["rows"], cell["right"]["value"], cell["trivial"]) == (3, pytest.approx(2 / 3), 0.1)
    assert (cell["whole"]["precision"]["value"], cell["whole"]["precision"]["standard_error"]) == (0.25, 0.0)


def test_a_ratio_is_of_the_items_that_have_both_counts() -> None:
    scored = make_scored([1, 1, 0], ["a", "a", "b"])
    scheme = replace(TYPED_OUTCOMES, counts=("chosen", "offered"), ratios={"micro": ("chosen", "offered")})
    counts = np.array([[1, 2], [3, 4], [np.nan, np.nan]])
    tables = tabulate(replace(scored, scheme=scheme, counts=counts))
    assert tables["all"]["all"]["micro"]["value"] == pytest.approx(4 / 6)
    assert (tables["all"]["all"]["micro"]["rows"], tables["group"]["b"]["micro"]) == (2, None)
    assert replace(scored, scheme=scheme, counts=counts).select(np.array([1])).counts.tolist() == [[3, 4]]


def test_differences_are_of_the_items_of_both_runs() -> None:
    first = make_scored([1, 1, 0, 1], ["a"] * 4)
    second = make_scored([0, 0, 0, 1], ["a"] * 4, first_id=1)
    cell = compare(first, second)["all"]["all"]
    # Items 1, 2 and 3: right, wrong, right against wrong three times.
    assert (cell["rows"], cell["right"]["value"]) == (3, pytest.approx(2 / 3))


def test_equal_runs_differ_by_nothing() -> None:
    run = make_scored([1, 0, 1], ["a", "b", "b"])
    cells = [cell for table in compare(run, run).values() for cell in table.values()]
    assert all(cell["right"]["low"] <= cell["right"]["value"] == 0 <= cell["right"]["high"] for cell in cells)


def test_intervals_that_exclude_zero_are_counted_in_cells_of_several_items() -> None:
    first, second = make_scored([1] * 9 + [0], ["a"] * 9 + ["b"]), make_scored([0] * 10, ["a"] * 9 + ["b"])
    counted = count_differences(TYPED_OUTCOMES, [compare(first, second)])
    # All, name and a have several items, b has one; right and wrong differ, and no other figure.
    assert counted == {"intervals": 3 * len(TYPED_OUTCOMES.compared), "excluding_zero": 6}


def test_a_paired_interval_is_narrower_than_that_of_two_runs_apart() -> None:
    right = (np.random.default_rng(3).random(2000) < 0.5).astype(int)
    better = right.copy()
    better[:40] = 1
    groups = ["a"] * 2000
    paired = compare(make_scored(better.tolist(), groups), make_scored(right.tolist(), groups))["all"]["all"]["right"]
    assert paired["low"] > 0
    assert paired["high"] - paired["low"] < 0.02
