"""Score intervals: of shares by published figures, of means and differences by how often they cover."""

from __future__ import annotations

import numpy as np
import pytest

from everwhen.evaluate.intervals import (
    estimate_difference,
    estimate_mean,
    estimate_ratio,
    estimate_share,
    measure_error,
)


@pytest.mark.parametrize(
    # Newcombe 1998, table I, score method.
    ("hits", "rows", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_shares_have_the_published_intervals(hits: int, rows: int, low: float, high: float) -> None:
    found = estimate_share(hits, rows)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("hits", [0, 7, 20])
def test_the_mean_of_zeros_and_ones_has_the_interval_of_their_share(hits: int) -> None:
    assert estimate_mean(np.array([1.0] * hits + [0.0] * (20 - hits))) == estimate_share(hits, 20)


def test_means_have_intervals_as_wide_as_their_standard_error_says() -> None:
    values = np.random.default_rng(1).random(40_000)
    found = estimate_mean(values)
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 200, rel=0.01)


def test_the_order_of_items_does_not_matter() -> None:
    first, second = np.random.default_rng(2).random((2, 300))
    assert estimate_mean(first) == estimate_mean(first[::-1].copy())
    assert estimate_difference(first, second) == estimate_difference(first[::-1].copy(), second[::-1].copy())


def test_equal_scores_are_no_certainty() -> None:
    few, many = (estimate_mean(np.full(rows, 0.25)) for rows in (5, 500))
    assert few.low < many.low < 0.25 < many.high < few.high


def test_intervals_cover_a_mean_as_often_as_they_say() -> None:
    rng = np.random.default_rng(4)
    found = [estimate_mean(rng.beta(0.5, 1.0, 100)) for _ in range(1000)]
    assert 0.93 <= sum(each.low <= 1 / 3 <= each.high for each in found) / 1000 <= 0.97


@pytest.mark.parametrize("rows", [12, 200])
def test_intervals_cover_a_paired_difference_as_often_as_they_say(rows: int) -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        hard = rng.random(rows)
        first, second = ((0.5 * hard + 0.5 * rng.random(rows) < level).astype(float) for level in (0.6, 0.5))
        # The sum of two uniform numbers is below 0.6 in 0.68 of all cases, and below 0.5 in half of them.
        found = estimate_difference(first, second)
        covered += found.low <= 0.18 <= found.high
    assert 0.93 <= covered / 1000 <= 0.99


def test_a_paired_interval_is_narrower_where_the_same_items_are_right() -> None:
    first = np.repeat([1.0, 0.0], 500)
    second = np.repeat([1.0, 0.0], [480, 520])
    paired, shuffled = estimate_difference(first, second), estimate_difference(first, np.tile([1.0, 0.0], 500))
    assert paired.low > 0
    assert paired.high - paired.low < 0.3 * (shuffled.high - shuffled.low)


def test_a_run_that_agrees_on_few_items_may_differ_on_others() -> None:
    found = estimate_difference(np.ones(3), np.ones(3))
    assert found.value == 0
    assert found.low < -0.5 < 0.5 < found.high


def test_a_standard_error_is_that_of_a_sample() -> None:
    assert measure_error(np.array([1.0, 0.0, 1.0, 0.0])) == pytest.approx((1 / 3 / 4) ** 0.5)


def test_a_single_item_has_no_standard_error() -> None:
    assert measure_error(np.ones(1)) is None


def test_a_ratio_divides_sums_and_covers_as_often_as_its_level_says() -> None:
    assert estimate_ratio(np.array([3.0]), np.array([4.0])) == ((0.75, 0.75, 0.75), None)
    random, covered = np.random.default_rng(5), 0
    for _ in range(400):
        under = random.integers(1, 6, 200).astype(float)
        covered += estimate_ratio(random.binomial(under.astype(int), 0.4).astype(float), under)[0].low <= 0.4
    assert 0.95 <= covered / 400 <= 1  # one of both sides: 97.5 %


@pytest.mark.parametrize(
    ("over", "low", "high"), [([1.0, 1.0], 1, 1), ([0.0, 0.0], 0, 0), ([-1.0, 1.0], -1, 1), ([1.0, 0.0], 0, 1)]
)
def test_a_ratio_stays_within_what_its_numbers_allow(over: list[float], low: float, high: float) -> None:
    found, _ = estimate_ratio(np.array(over), np.ones(2))
    assert (found.low, found.high) == (low, high)
