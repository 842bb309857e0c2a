"""Which entities a synthetic world has, and how many of each kind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import accumulate

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.synth.classes import CLASSES, TERMS
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.statements import ENTITY_TYPES

MIN_DAYS = 729
"""Of the window: a war of 300 days, and what is dated a year around it, need two years."""

TERMS_OF_OFFICE = 12
"""Terms of each position, one after the other, the last of them open."""


@dataclass(frozen=True)
class WorldPlan:
    """A world before anything of it is made.

    Attributes:
        seed: The configuration's seed.
        counts: How many numbers each kind has; a number may give nothing (a term whose holder comes back).
        start: First day of the window.
        end: Last day of the window.
        broken_rate: Broken lines for each entity.
        ambiguous_rate: Share of entities that share a label.
        hedged_rate: Share of times and values that are not certain; of terms a fifth of it, of countries a quarter, of
            awards and classes a twentieth.
    """

    seed: str
    counts: Mapping[str, int]
    start: date
    end: date
    broken_rate: float
    ambiguous_rate: float
    hedged_rate: float = 0.0

    @cached_property
    def total(self) -> int:
        """How many numbers there are."""
        return self._begins[-1]

    @cached_property
    def _begins(self) -> list[int]:
        return list(accumulate((self.counts[kind] for kind in ENTITY_TYPES), initial=0))

    def locate(self, index: int) -> tuple[str, int]:
        """Find type and number of the entity at `index` in the dump."""
        at = bisect_right(self._begins, index) - 1
        return ENTITY_TYPES[at], index - self._begins[at]

    def seed_random(self, kind: str, number: int) -> KeyedRandom:
        """Return the random numbers of an entity."""
        return KeyedRandom(self.seed, kind, number)

    def shares_label(self, kind: str, number: int) -> bool:
        """Whether the numbers 2n and 2n + 1 share a label."""
        if number | 1 >= self.counts[kind]:
            return False
        return self.seed_random(kind, number // 2).decide(self.ambiguous_rate, "pair shares a label")


def plan_world(config: Config) -> WorldPlan:
    """The plan of the section `synth`, with the seed and the window of the configuration.

    Raises:
        InputError: The window is shorter than two years.
    """
    synth, window = config.synth, config.window
    if (window.end - window.start).days < MIN_DAYS:
        raise InputError(f"window: a synthetic world takes two years at least, not {window.start} to {window.end}")

    def scale_count(count: int, least: int = 1) -> int:
        return max(least, round(count * synth.scale))

    countries, events = synth.countries, scale_count(synth.events)
    counts = {
        "class": len(CLASSES),
        "term": len(TERMS),
        **dict.fromkeys(("country", "capital", "peak", "basin"), countries),
        "place": scale_count(synth.places, 10),
        "position": 2 * countries,
        "ruler": 2 * countries * TERMS_OF_OFFICE,
        "award": scale_count(synth.awards, 2),
        "operator": scale_count(synth.operators, 3),
        "aircraft": scale_count(synth.aircraft, 3),
        "company": scale_count(synth.companies),
        "university": scale_count(synth.universities),
        "mountain": scale_count(synth.mountains),
        "person": scale_count(synth.people, 100),
        "book": scale_count(synth.books),
        "film": scale_count(synth.films),
        "disambiguation": round(scale_count(synth.films) * synth.ambiguous_rate / 10),
        "event": events,
        "stray": max(1, events // 12),
    }
    rates = (synth.broken_rate, synth.ambiguous_rate, synth.hedged_rate)
    return WorldPlan(config.seed, counts, window.start, window.end, *rates)
