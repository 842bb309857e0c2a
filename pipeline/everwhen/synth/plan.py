"""Which entities a synthetic world has, and how many of each kind; its class tree, and its terms."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.sample.world import Item, Statement
from everwhen.synth.statements import ENTITY_TYPES, derive_item_id, state_item
from everwhen.synth.truth import Entity
from everwhen.synth.words import LISTS
from everwhen.wikidata.properties import Property as P

OCCURRENCE = "occurrence"


@dataclass(frozen=True)
class Class:
    """A class.

    Attributes:
        label: Its label.
        above: Labels of the classes that it is a subclass of.
        root: Its id where it is a root of an entity list; None for a class of this world.
        list: The entity list that gives its members their noun; None in none.
        weight: How often events are of it.
    """

    label: str
    above: tuple[str, ...] = ()
    root: int | None = None
    list: str | None = None
    weight: int = 0


def _define_list(list_: str, root: int, labels: Sequence[str], above: str = "", weight: int = 0) -> list[Class]:
    """The class of an entity list, those below it, and how often events are of each."""
    top, *below = labels
    highest = Class(top, (above,) if above else (), root, list_, weight)
    return [highest, *(Class(label, (top,), None, list_, weight) for label in below)]


EVENTS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("events.yaml").read_text(encoding="utf-8"))
"""What events of each list are like: see the head of the file."""


def _define_events(list_: str, entry: Mapping[str, Any]) -> list[Class]:
    if "root" in entry:
        return _define_list(list_, entry["root"], entry["classes"], entry.get("above", OCCURRENCE), entry["weight"])
    return [Class(label, (OCCURRENCE,), None, list_, entry["weight"]) for label in entry["classes"]]


EVENT_CLASSES: tuple[Class, ...] = tuple(
    each for list_, entry in EVENTS.items() for each in _define_events(list_, entry)
)
"""Forty classes of events, below sixteen lists."""

FILM_CLASSES = ("film", "animated film", "documentary film", "short film")
BOOK_CLASSES = ("literary work", "novel", "essay collection")
COMPANY_CLASSES = ("business", "startup company")
DISAMBIGUATION = "Wikimedia disambiguation page"
CLASSES: tuple[Class, ...] = (
    *_define_list("occurrences", 1190554, [OCCURRENCE]),
    *EVENT_CLASSES,
    *_define_list("films", 11424, FILM_CLASSES),
    *_define_list("books", 7725634, BOOK_CLASSES),
    *_define_list("companies", 4830453, [*COMPANY_CLASSES, "airline"]),
    *_define_list("universities", 3918, ["university"]),
    *_define_list("mountains", 8502, ["mountain"]),
    *_define_list("persons", 5, ["human"]),
    *_define_list("countries", 3624078, ["sovereign state"]),
    *_define_list("countries", 6256, ["country"]),
    *_define_list("heads_of_state", 48352, ["head of state"]),
    *_define_list("heads_of_government", 2285706, ["head of government"]),
    *map(Class, ("city", "lake", "aircraft model", "award")),
    Class(DISAMBIGUATION, root=4167410),
    Class("sports team", root=12973014),
    Class("school", root=3914),
    Class("political party", root=7278),
    Class("research institute", root=31855),
    Class("learned society", root=955824),
    Class("museum", root=33506, list="museums"),
    Class("church building", root=16970),
    Class("venue", root=17350442),
)
"""All classes."""

GENRES, LANGUAGES, INDUSTRIES = (LISTS["terms"][kind] for kind in ("genre", "language", "industry"))
TERMS = (*GENRES, *LANGUAGES, *INDUSTRIES)
"""Genres of films and books, languages, industries of companies."""


@cache
def derive_class_id(label: str) -> int:
    """The id of a class."""
    number = next(n for n, c in enumerate(CLASSES) if c.label == label)
    return CLASSES[number].root or derive_item_id("class", number)


def state_class(label: str) -> Statement:
    """A statement that an item is an instance of a class."""
    return state_item(P.INSTANCE_OF, derive_class_id(label))


def build_class(_: object, number: int) -> Entity:
    """A class as an item: it is a subclass of others, and a member of no list."""
    c = CLASSES[number]
    above = tuple(state_item(P.SUBCLASS_OF, derive_class_id(label)) for label in c.above)
    return Entity(Item(derive_class_id(c.label), c.label, None, None, None, above), "class")


def build_term(_: object, number: int) -> Entity:
    """A genre, a language or an industry."""
    return Entity(Item(derive_item_id("term", number), TERMS[number], None, None, None, ()), "term")


def state_term(property_: int, label: str) -> Statement:
    """A statement whose value is a genre, a language or an industry."""
    return state_item(property_, derive_item_id("term", TERMS.index(label)))


MIN_DAYS = 729
"""Of the window: a war of 300 days, and what is dated a year around it, need two years."""

PEOPLE_PER_GROUP = {"team": 40, "school": 48, "party": 64, "employer": 40, "organisation": 64}
"""How many people there are for each group of a kind: a quarter of them have careers, so it has some 14 members."""

LANDMARKS_EACH = 12
"""Churches of a country at scale 1, and venues: together some 20 that a reader cannot guess the country of."""

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
        hedged_rate: Share of times and values that are not certain; a fifth of it of terms, careers and populations, a
            quarter of countries, a twentieth of awards and classes.
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

    def share_out(count: int, among: int) -> int:
        return max(3, scale_count(count) // among)

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
        **{kind: share_out(synth.people, people) for kind, people in PEOPLE_PER_GROUP.items()},
        "museum": share_out(synth.places, 6),
        **dict.fromkeys(("church", "venue"), max(share_out(synth.places, 6), scale_count(countries * LANDMARKS_EACH))),
    }
    rates = (synth.broken_rate, synth.ambiguous_rate, synth.hedged_rate)
    return WorldPlan(config.seed, counts, window.start, window.end, *rates)
