"""Which entities a synthetic world has, and how many of each kind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.synth.classes import CLASSES, TERMS
from everwhen.synth.draws import Draws
from everwhen.synth.ids import KINDS

LEAST_DAYS = 729

TERMS_OF_OFFICE = 12
"""Terms of each position, one after the other, the last of them open."""


@dataclass(frozen=True)
class Plan:
    """A world before anything of it is made.

    Attributes:
        seed: The configuration's seed.
        counts: How many numbers each kind has; a number may give nothing (a term whose holder comes back).
        start: First day of the window.
        end: Last day of the window.
        broken_rate: Broken lines for each entity.
        ambiguous_rate: Share of entities that share a label.
    """

    seed: str
    counts: Mapping[str, int]
    start: date
    end: date
    broken_rate: float
    ambiguous_rate: float

    @cached_property
    def total(self) -> int:
        """How many numbers there are."""
        return sum(self.counts[kind] for kind in KINDS)

    @cached_property
    def _begins(self) -> list[int]:
        begins, at = [], 0
        for kind in KINDS:
            begins.append(at)
            at += self.counts[kind]
        return begins

    def locate(self, index: int) -> tuple[str, int]:
        """Kind and number of what stands at `index` in the dump."""
        at = bisect_right(self._begins, index) - 1
        return KINDS[at], index - self._begins[at]

    def draws(self, kind: str, number: int) -> Draws:
        """What an entity draws."""
        return Draws(self.seed, kind, number)

    def pair_shares(self, kind: str, number: int) -> bool:
        """Whether the numbers 2n and 2n + 1 share a label."""
        if number | 1 >= self.counts[kind]:
            return False
        return self.draws(kind, number // 2).chance(self.ambiguous_rate, "pair shares a label")


def plan_of(config: Config) -> Plan:
    """The plan of the section `synth`, with the seed and the window of the configuration.

    Raises:
        InputError: The window is shorter than two years: wars of a year would not fit.
    """
    synth, window = config.synth, config.window
    if (window.end - window.start).days < LEAST_DAYS:
        raise InputError(f"window: a synthetic world takes two years at least, not {window.start} to {window.end}")

    def scaled(count: int, least: int = 1) -> int:
        return max(least, round(count * synth.scale))

    films, events, countries = scaled(synth.films), scaled(synth.events), synth.countries
    counts = {
        "class": len(CLASSES),
        "term": len(TERMS),
        "country": countries,
        "capital": countries,
        "peak": countries,
        "basin": countries,
        "place": scaled(synth.places, 10),
        "position": 2 * countries,
        "ruler": 2 * countries * TERMS_OF_OFFICE,
        "award": scaled(synth.awards, 2),
        "operator": scaled(synth.operators, 3),
        "aircraft": scaled(synth.aircraft, 3),
        "company": scaled(synth.companies),
        "university": scaled(synth.universities),
        "mountain": scaled(synth.mountains),
        "person": scaled(synth.people, 100),
        "book": scaled(synth.books),
        "film": films,
        "disambiguation": round(films * synth.ambiguous_rate / 10),
        "event": events,
        "stray": max(1, events // 12),
    }
    return Plan(config.seed, counts, window.start, window.end, synth.broken_rate, synth.ambiguous_rate)
