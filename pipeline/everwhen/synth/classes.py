"""The class tree: the entity lists' own roots, and classes of this world below them; genres, languages, industries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from everwhen.sample.world import Item
from everwhen.synth.ids import derive_item_id
from everwhen.synth.statements import state_item
from everwhen.synth.truth import Entity
from everwhen.wikidata.properties import Property

OCCURRENCE, DISASTER, BUSINESS = "occurrence", "disaster", "business"


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


def _define_events(list_: str, root: int, label: str, above: str, *below: str, weight: int) -> tuple[Class, ...]:
    """The class of a list of events, those below it, and how often events are of each."""
    top = Class(label, (above,), root, list_, weight)
    return (top, *(Class(name, (label,), None, list_, weight) for name in below))


EVENT_CLASSES: tuple[Class, ...] = (
    *_define_events(
        *("aviation_accidents", 744913, "aviation accident", OCCURRENCE),
        *("airliner crash", "helicopter crash", "mid-air collision"),
        weight=30,
    ),
    *_define_events("award_ceremonies", 4504495, "award ceremony", OCCURRENCE, "film award ceremony", weight=10),
    *_define_events("battles", 178561, "battle", OCCURRENCE, "naval battle", "siege", weight=16),
    *_define_events("coups", 45382, "coup d'état", OCCURRENCE, "attempted coup", weight=12),
    *_define_events(
        *("disasters", 3839081, DISASTER, OCCURRENCE),
        *("industrial disaster", "flood", "wildfire", "train wreck"),
        weight=22,
    ),
    *_define_events("earthquakes", 7944, "earthquake", DISASTER, "submarine earthquake", weight=60),
    *_define_events(
        *("elections", 40231, "election", OCCURRENCE, "parliamentary election", "mayoral election", "referendum"),
        weight=36,
    ),
    *_define_events("massacres", 3199915, "massacre", OCCURRENCE, "school shooting", weight=18),
    *_define_events("olympic_games", 5389, "Olympic Games", OCCURRENCE, weight=4),
    *_define_events("protests", 273120, "protest", OCCURRENCE, "riot", "general strike", weight=18),
    *_define_events("spaceflights", 752783, "human spaceflight", OCCURRENCE, weight=20),
    *_define_events("terrorist_attacks", 2223653, "terrorist attack", OCCURRENCE, "car bombing", weight=40),
    *_define_events("tropical_cyclones", 8092, "tropical cyclone", DISASTER, "hurricane", weight=36),
    *_define_events("wars", 198, "war", OCCURRENCE, "civil war", weight=8),
    *_define_events("world_cups", 19317, "FIFA World Cup", OCCURRENCE, weight=4),
    *(
        Class(name, (OCCURRENCE,), None, "occurrences", 14)
        for name in ("summit", "music festival", "peace conference", "royal wedding")
    ),
)
"""Forty classes of events, below sixteen lists."""

FILM_CLASSES = ("film", "animated film", "documentary film", "short film")
BOOK_CLASSES = ("literary work", "novel", "essay collection")
COMPANY_CLASSES = ("business", "startup company")
CLASSES: tuple[Class, ...] = (
    Class(OCCURRENCE, (), 1190554, "occurrences"),
    *EVENT_CLASSES,
    Class("film", (), 11424, "films"),
    *(Class(name, ("film",), None, "films") for name in FILM_CLASSES[1:]),
    Class("literary work", (), 7725634, "books"),
    *(Class(name, ("literary work",), None, "books") for name in BOOK_CLASSES[1:]),
    Class(BUSINESS, (), 4830453, "companies"),
    *(Class(name, (BUSINESS,), None, "companies") for name in ("startup company", "airline")),
    Class("university", (), 3918, "universities"),
    Class("mountain", (), 8502, "mountains"),
    Class("human", (), 5, "persons"),
    Class("sovereign state", (), 3624078, "countries"),
    Class("country", (), 6256, "countries"),
    Class("head of state", (), 48352, "heads_of_state"),
    Class("head of government", (), 2285706, "heads_of_government"),
    Class("city"),
    Class("lake"),
    Class("aircraft model"),
    Class("award"),
    Class("Wikimedia disambiguation page", (), 4167410),
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


def build_class(number: int) -> Entity:
    """A class as an item: it is a subclass of others, and a member of no list."""
    c = CLASSES[number]
    above = tuple(state_item(Property.SUBCLASS_OF, derive_class_id(label)) for label in c.above)
    return Entity(Item(derive_class_id(c.label), c.label, None, None, None, above), "class")


def build_term(number: int) -> Entity:
    """A genre, a language or an industry."""
    return Entity(Item(derive_item_id("term", number), TERMS[number], None, None, None, ()), "term")


def derive_term_id(label: str) -> int:
    """The id of a genre, language or industry."""
    return derive_item_id("term", TERMS.index(label))
