"""Sets of prices: what each of their tuples, and a set as a whole, fulfils."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import pytest

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.draws import prices
from everwhen.families.impliret.draws.prices import MODEL_YEARS, Price, draw_prices, list_pairs

COUNT = 30
RANGES = [(50, 2050), (50, 3050)]

ranges = pytest.mark.parametrize(("low", "high"), RANGES)


@cache
def draw_sets(low: int, high: int) -> list[list[Price]]:
    return [draw_prices(KeyedRandom("seed", "prices", number), low, high, COUNT) for number in range(200)]


def list_prices(low: int, high: int) -> list[Price]:
    return [price for found in draw_sets(low, high) for price in found]


@ranges
def test_prices_are_tens_within_the_range(low: int, high: int) -> None:
    prices = {price for each in list_prices(low, high) for price in (each.base_price, each.price)}
    assert all(low <= price <= high and price % 10 == 0 for price in prices)


@ranges
def test_each_part_of_the_range_has_a_price(low: int, high: int) -> None:
    for found in draw_sets(low, high):
        places = [min(COUNT - 1, (each.price - low) * COUNT // (high - low)) for each in found]
        assert places == list(range(COUNT))


@ranges
def test_prices_and_base_prices_of_a_set_differ(low: int, high: int) -> None:
    for found in draw_sets(low, high):
        assert len({price for each in found for price in (each.base_price, each.price)}) == 2 * COUNT


@ranges
def test_the_dearer_price_is_less_than_three_times_the_cheaper(low: int, high: int) -> None:
    for each in list_prices(low, high):
        cheaper, dearer = sorted((each.base_price, each.price))
        assert 1 < dearer / cheaper < 3
        assert (dearer < 2 * cheaper) == (each.factor is None)


@ranges
def test_percentages_are_whole_and_exact(low: int, high: int) -> None:
    for each in list_prices(low, high):
        if each.percent is not None:
            sign = 1 if each.direction == "higher" else -1
            assert 1 <= each.percent <= 99
            assert each.price * 100 == each.base_price * (100 + sign * each.percent)


@ranges
def test_factors_have_two_decimals_and_are_exact(low: int, high: int) -> None:
    for each in list_prices(low, high):
        if each.factor is not None:
            cheaper, dearer = sorted((each.base_price, each.price))
            assert each.percent is None
            assert each.factor.as_tuple().exponent == -2
            assert each.factor * cheaper == dearer


@ranges
def test_directions_are_those_of_the_prices(low: int, high: int) -> None:
    assert all((each.price > each.base_price) == (each.direction == "higher") for each in list_prices(low, high))


@ranges
def test_a_third_of_a_set_has_each_direction(low: int, high: int) -> None:
    for found in draw_sets(low, high):
        assert COUNT / 3 <= sum(each.direction == "lower" for each in found) <= 2 * COUNT / 3


@ranges
def test_no_price_reads_like_the_year_of_a_model(low: int, high: int) -> None:
    assert not {price for each in list_pairs(low, high) for price in (each.base_price, each.price)} & {*MODEL_YEARS}


@ranges
def test_neither_price_ends_like_the_other(low: int, high: int) -> None:
    assert all(each.base_price % 1000 != each.price % 1000 for each in list_pairs(low, high))


@ranges
def test_sets_vary(low: int, high: int) -> None:
    assert len({tuple(found) for found in draw_sets(low, high)}) == 200
    assert len(set(list_prices(low, high))) > 1200


@ranges
def test_the_same_random_numbers_give_the_same_set(low: int, high: int) -> None:
    assert draw_prices(KeyedRandom("seed", "prices", 7), low, high, COUNT) == draw_sets(low, high)[7]


def test_pairs_are_all_that_a_range_has() -> None:
    assert list_pairs(80, 110) == (
        Price(100, 20, None, "lower", 80),
        Price(100, 10, None, "lower", 90),
        Price(80, 25, None, "higher", 100),
        Price(100, 10, None, "higher", 110),
    )


def test_factors_reach_from_two_to_below_three() -> None:
    factors = {each.factor for each in list_pairs(50, 2050) if each.factor}
    assert min(factors) == 2
    assert Decimal("2.99") >= max(factors) > Decimal("2.9")


def test_a_set_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw() -> list[list[Price]]:
        return [draw_prices(KeyedRandom("seed", "narrow", number), 50, 800, COUNT) for number in range(3)]

    assert {len(found) for found in draw()} == {COUNT}
    monkeypatch.setattr(prices, "MOST_ATTEMPTS", 1)
    with pytest.raises(InputError):
        draw()


@ranges
def test_an_attempt_needs_few_steps(low: int, high: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prices, "MOST_ATTEMPTS", 1)
    found = [draw_prices(KeyedRandom("seed", "prices", number), low, high, COUNT) for number in range(20)]
    assert found == draw_sets(low, high)[:20]


def test_a_range_without_enough_prices_is_refused() -> None:
    with pytest.raises(InputError, match=r"arithmetic: 2 of 30 prices fit between \$50 and \$90; widen the range"):
        draw_prices(KeyedRandom("seed", "prices", 0), 50, 90, COUNT)


def test_a_range_with_parts_that_have_no_price_is_refused() -> None:
    with pytest.raises(InputError, match=r"14 of 30 prices fit between \$50 and \$400"):
        draw_prices(KeyedRandom("seed", "prices", 0), 50, 400, COUNT)
