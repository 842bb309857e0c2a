"""Intervals: Wilson's by published figures, resamples by their spread."""

from __future__ import annotations

import numpy as np
import pytest

from everwhen.evaluate.intervals import estimate_means, estimate_scores, estimate_share, measure_errors


@pytest.mark.parametrize(
    # Newcombe 1998, table I, score method.
    ("hits", "rows", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_shares_have_the_published_intervals(hits: int, rows: int, low: float, high: float) -> None:
    found = estimate_share(hits, rows)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_means_have_intervals_as_wide_as_their_standard_error_says() -> None:
    values = np.random.default_rng(1).random((40_000, 2))
    for found, column in zip(estimate_means(values, "a"), values.T, strict=True):
        width = 2 * 1.96 * column.std() / 200
        assert found.value == pytest.approx(column.mean())
        assert found.high - found.low == pytest.approx(width, rel=0.1)


def test_the_order_of_rows_does_not_matter_and_the_key_does() -> None:
    values = np.random.default_rng(2).random((300, 1))
    assert estimate_means(values, "a") == estimate_means(values[::-1].copy(), "a")
    assert estimate_means(values, "a") != estimate_means(values, "b")


def test_the_same_value_everywhere_has_no_spread() -> None:
    assert estimate_means(np.ones((5, 1)), "a") == [(1.0, 1.0, 1.0)]


def test_a_standard_error_is_that_of_a_sample_of_rows() -> None:
    found = measure_errors(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    assert found is not None
    assert found.tolist() == pytest.approx([(1 / 3 / 4) ** 0.5, 0.0])


def test_a_single_row_has_no_standard_error() -> None:
    assert measure_errors(np.ones((1, 2))) is None


def test_resamples_of_a_share_have_its_interval_where_it_is_far_from_0_and_1() -> None:
    values = np.repeat([[1.0], [0.0]], 500, axis=0)
    (resampled,) = estimate_means(values, "a")
    assert resampled == pytest.approx(estimate_share(500, 1_000), abs=0.005)


def test_resamples_cover_a_share_as_often_as_they_say() -> None:
    rng = np.random.default_rng(4)
    found = [estimate_means((rng.random((100, 1)) < 0.3).astype(float), "a", str(run))[0] for run in range(400)]
    assert 0.92 <= sum(each.low <= 0.3 <= each.high for each in found) / 400 <= 0.98


@pytest.mark.parametrize("score", [0, 1])
def test_scores_that_are_all_0_or_all_1_have_wilsons_interval(score: int) -> None:
    values = np.column_stack((np.full(20, score), np.arange(20) % 2, np.full(20, 0.5)))
    first, second, third = estimate_scores(values, "a")
    assert first == estimate_share(20 * score, 20)
    assert first.high - first.low == pytest.approx(0.161, abs=0.001)
    assert [second, third] == estimate_means(values, "a")[1:]
