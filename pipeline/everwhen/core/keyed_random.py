"""Random numbers that depend on the seed, the thing that they are for, and the purpose alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import gcd
from typing import TypeVar

T = TypeVar("T")

SHAPE, MOST = 1.2, 8_000_000
"""Of the views: the exponent of their tail, and the most that an article has in a month."""


class KeyedRandom:
    """The random numbers of one thing: the same name gives the same number, in any order and process."""

    __slots__ = ("_state", "kind", "number")

    def __init__(self, seed: str, kind: str, number: int) -> None:
        """Take a thing by its kind and number."""
        self.kind, self.number = kind, number
        self._state = blake2b(f"{seed}\x1f{kind}\x1f{number}\x1f".encode(), digest_size=8)

    def sample_bits(self, what: str) -> int:
        """64 random bits."""
        state = self._state.copy()
        state.update(what.encode())
        return int.from_bytes(state.digest(), "big")

    def sample_unit(self, what: str) -> float:
        """A number from 0 to below 1."""
        return (self.sample_bits(what) >> 11) * 2.0**-53

    def sample_below(self, limit: int, what: str) -> int:
        """A whole number from 0 to below `limit`."""
        return self.sample_bits(what) % limit

    def sample_between(self, least: int, most: int, what: str) -> int:
        """A whole number from `least` to `most`, both included."""
        return least + self.sample_bits(what) % (most - least + 1)

    def pick(self, options: Sequence[T], what: str) -> T:
        """One of the options."""
        return options[self.sample_bits(what) % len(options)]

    def decide(self, rate: float, what: str) -> bool:
        """True in a share of `rate`."""
        return self.sample_unit(what) < rate

    def sample_skewed(self, limit: int, what: str, power: float = 1.3) -> int:
        """A whole number from 0 to below `limit`, the small ones more often: a few directors make many films."""
        return int(limit * self.sample_unit(what) ** power)

    def sample_log_uniform(self, least: int, most: int, what: str) -> int:
        """A whole number from `least` (from 1) to `most`, each order of magnitude as often."""
        return min(most, int(least * ((most + 1) / least) ** self.sample_unit(what)))

    def sample_pareto(self, threshold: int, share: float, what: str) -> int:
        """A whole number of a Pareto distribution that reaches `threshold` in a share of `share`, cut at MOST."""
        least = threshold * share ** (1 / SHAPE)
        return min(MOST, int(least / (1 - self.sample_unit(what)) ** (1 / SHAPE)))

    def sample_step(self, size: int, what: str) -> int:
        """A whole number from 1 that has no factor in common with `size`: by such steps a cycle is gone through."""
        step = 1 + self.sample_below(size, what)
        while gcd(step, size) != 1:
            step += 1
        return step

    def sample_several(self, count: int, limit: int, what: str) -> list[int]:
        """`count` different whole numbers from 0 to below `limit`; all of them where there are no more."""
        found: dict[int, None] = {}
        attempt = 0
        while len(found) < min(count, limit):
            found[self.sample_below(limit, f"{what} {attempt}")] = None
            attempt += 1
        return list(found)

    def shuffle(self, items: Sequence[T], what: str) -> list[T]:
        """The items in another order."""
        found = list(items)
        for place in range(len(found) - 1, 0, -1):
            other = self.sample_below(place + 1, f"{what} {place}")
            found[place], found[other] = found[other], found[place]
        return found


@lru_cache(maxsize=256)
def _derive_step(seed: str, what: str, size: int) -> tuple[int, int]:
    rng = KeyedRandom(seed, "scatter", size)
    step = rng.sample_below(size, what) | 1
    while gcd(step, size) != 1:
        step += 2
    return step, rng.sample_below(size, f"{what} offset")


def permute(seed: str, what: str, number: int, size: int) -> int:
    """Move a number below `size` to another one below it, no two to the same."""
    step, offset = _derive_step(seed, what, size)
    return (number * step + offset) % size


def unpermute(seed: str, what: str, moved: int, size: int) -> int:
    """The number that `permute` moves to `moved`."""
    step, offset = _derive_step(seed, what, size)
    return (moved - offset) * pow(step, -1, size) % size if size > 1 else 0
