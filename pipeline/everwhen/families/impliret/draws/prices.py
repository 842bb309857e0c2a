"""Prices that are implied by base prices: by a percentage, or by how many times the dearer one costs the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom

STEP = 10
"""Prices are in tens of dollars."""

MOST_STEPS = 100_000
"""Prices that are tried in an attempt at a set."""

MOST_ATTEMPTS = 10
"""Attempts at a set until the range is called too narrow."""

MODEL_YEARS = range(2013, 2025)
"""The years of models. No price reads like one: beside a model of 2020, $2,020 would not be implied alone."""

Direction = Literal["lower", "higher"]


class Price(NamedTuple):
    """A price that is implied.

    Attributes:
        base_price: What is told, in dollars.
        percent: By how many percent of the base price it differs; None where there is a factor.
        factor: How many times the cheaper price the dearer is, from 2; two decimals.
        direction: Whether it is lower or higher than the base price.
        price: The implied price, in dollars.
    """

    base_price: int
    percent: int | None
    factor: Decimal | None
    direction: Direction
    price: int


@cache
def list_pairs(low: int, high: int) -> tuple[Price, ...]:
    """List all prices between two that another one implies, from the lowest."""
    bases = [price for price in range(-(-low // STEP) * STEP, high + 1, STEP) if price not in MODEL_YEARS]
    pairs = (pair for base in bases for pair in _list_implied(base))
    return tuple(sorted((each for each in pairs if _is_usable(each, low, high)), key=lambda each: (each[4], each[0])))


def draw_prices(rng: KeyedRandom, low: int, high: int, count: int) -> list[Price]:
    """Draw a set of prices: one in each of `count` equal parts of the range, a third at least in each direction.

    No two of its prices are the same, base prices included. The lowest comes first.

    Raises:
        InputError: The range is too narrow.
    """
    parts = _list_parts(low, high, count)
    for attempt in range(MOST_ATTEMPTS):
        if found := _try(parts, rng, attempt):
            return sorted(found, key=lambda each: each.price)
    fitting = min(count - 1, _count_fitting(parts))
    raise InputError(f"arithmetic: {fitting} of {count} prices fit between ${low:,} and ${high:,}; widen the range")


def _list_implied(base: int) -> Iterator[Price]:
    """List the prices that a price implies: by whole percents, or two to three times as dear or as cheap."""
    for percent in range(1, 100):
        if base * percent % (100 * STEP) == 0:
            yield Price(base, percent, None, "higher", base + base * percent // 100)
            if percent < 50:
                yield Price(base, percent, None, "lower", base - base * percent // 100)
    for hundredths in range(200, 300):
        factor = Decimal(hundredths).scaleb(-2)
        if base * hundredths % (100 * STEP) == 0:
            yield Price(base, None, factor, "higher", base * hundredths // 100)
        if base * 100 % (hundredths * STEP) == 0:
            yield Price(base, None, factor, "lower", base * 100 // hundredths)


def _is_usable(pair: Price, low: int, high: int) -> bool:
    """Whether a price lies in the range, and neither it nor its base price is a part of the other when written.

    $800 would be found in $1,800, and "eighty dollars" in "one hundred eighty dollars".
    """
    cheaper, dearer = sorted((pair.base_price, pair.price))
    is_part = cheaper % 1000 == dearer % 1000 or cheaper == dearer % 100
    return low <= pair.price <= high and pair.price not in MODEL_YEARS and not is_part


@cache
def _list_parts(low: int, high: int, count: int) -> tuple[tuple[Price, ...], ...]:
    """List the candidates of each part of the range; the parts with the fewest first."""
    parts: list[list[Price]] = [[] for _ in range(count)]
    for each in list_pairs(low, high):
        parts[min(count - 1, (each.price - low) * count // (high - low))].append(each)
    return tuple(sorted(map(tuple, parts), key=lambda part: (len(part), [each.price for each in part])))


def _try(parts: Sequence[Sequence[Price]], rng: KeyedRandom, attempt: int) -> list[Price]:
    """Choose a price of each part by backtracking; none where the steps do not suffice."""
    chosen: list[Price] = []
    used: set[int] = set()
    trails = [_order(parts[0], rng, f"attempt {attempt} part 0")]
    for _ in range(MOST_STEPS):
        price = next(trails[-1], None)
        if price is None:
            trails.pop()
            if not trails:
                break
            last = chosen.pop()
            used -= {last.base_price, last.price}
        elif used.isdisjoint((price.base_price, price.price)) and _is_balanced([*chosen, price], len(parts)):
            chosen.append(price)
            if len(chosen) == len(parts):
                return chosen
            used |= {price.base_price, price.price}
            trails.append(_order(parts[len(chosen)], rng, f"attempt {attempt} part {len(chosen)}"))
    return []


def _count_fitting(parts: Sequence[Sequence[Price]]) -> int:
    """Count the parts of which a price can be taken, one after the other."""
    used: set[int] = set()
    count = 0
    for part in parts:
        if found := next((each for each in part if used.isdisjoint((each.base_price, each.price))), None):
            used |= {found.base_price, found.price}
            count += 1
    return count


def _order(part: Sequence[Price], rng: KeyedRandom, what: str) -> Iterator[Price]:
    """Go through the candidates of a part from a random one on, by a random step."""
    size = max(1, len(part))
    start, step = rng.sample_below(size, what), rng.sample_step(size, f"{what} step")
    return (part[(start + step * place) % size] for place in range(len(part)))


def _is_balanced(chosen: Sequence[Price], count: int) -> bool:
    """Whether the directions can still have a third of `count` prices each."""
    third, lower = -(-count // 3), sum(each.direction == "lower" for each in chosen)
    missing = max(0, third - lower) + max(0, third - (len(chosen) - lower))
    return missing <= count - len(chosen)
