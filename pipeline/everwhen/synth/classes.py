"""The class tree: the entity lists' own roots, and classes of this world below them; genres, languages, industries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from everwhen.sample.world import Item, Statement
from everwhen.synth.statements import derive_item_id, state_item
from everwhen.synth.truth import Entity
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


_EVENTS = (
    ("aviation_accidents", 744913, 30, "aviation accident, airliner crash, helicopter crash, mid-air collision"),
    ("award_ceremonies", 4504495, 10, "award ceremony, film award ceremony"),
    ("battles", 178561, 16, "battle, naval battle, siege"),
    ("coups", 45382, 12, "coup d'état, attempted coup"),
    ("disasters", 3839081, 22, "disaster, industrial disaster, flood, wildfire, train wreck"),
    ("earthquakes", 7944, 60, "earthquake, submarine earthquake"),
    ("elections", 40231, 36, "election, parliamentary election, mayoral election, referendum"),
    ("massacres", 3199915, 18, "massacre, school shooting"),
    ("olympic_games", 5389, 4, "Olympic Games"),
    ("protests", 273120, 18, "protest, riot, general strike"),
    ("spaceflights", 752783, 20, "human spaceflight"),
    ("terrorist_attacks", 2223653, 40, "terrorist attack, car bombing"),
    ("tropical_cyclones", 8092, 36, "tropical cyclone, hurricane"),
    ("wars", 198, 8, "war, civil war"),
    ("world_cups", 19317, 4, "FIFA World Cup"),
)
"""Lists of events: the class of each, then those below it."""
NATURAL = frozenset({"earthquakes", "tropical_cyclones"})
"""Lists whose class is below that of disasters; the others' is an occurrence."""
EVENT_CLASSES: tuple[Class, ...] = (
    *(
        each
        for list_, root, weight, labels in _EVENTS
        for above in ["disaster" if list_ in NATURAL else OCCURRENCE]
        for each in _define_list(list_, root, labels.split(", "), above, weight)
    ),
    *(
        Class(name, (OCCURRENCE,), None, "occurrences", 14)
        for name in ("summit", "music festival", "peace conference", "royal wedding")
    ),
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
)
"""All classes."""

GENRES = (
    *("drama", "comedy", "thriller", "western", "mystery", "romance", "musical", "satire", "tragedy", "fantasy"),
    *("melodrama", "noir", "biopic", "slapstick"),
)
LANGUAGES = ("Velmic", "Taursh", "Ordan", "Lusic", "Kembari", "Noric", "Sarene", "Ilvan", "Pheran", "Mostic")
INDUSTRIES = ("automotive", "pharmaceutical", "banking", "textile", "telecommunications", "mining", "software")
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


def build_class(number: int) -> Entity:
    """A class as an item: it is a subclass of others, and a member of no list."""
    c = CLASSES[number]
    above = tuple(state_item(P.SUBCLASS_OF, derive_class_id(label)) for label in c.above)
    return Entity(Item(derive_class_id(c.label), c.label, None, None, None, above), "class")


def build_term(number: int) -> Entity:
    """A genre, a language or an industry."""
    return Entity(Item(derive_item_id("term", number), TERMS[number], None, None, None, ()), "term")


def state_term(property_: int, label: str) -> Statement:
    """A statement whose value is a genre, a language or an industry."""
    return state_item(property_, derive_item_id("term", TERMS.index(label)))
