"""The kinds of entities in a synthetic world, and their item ids."""

from __future__ import annotations

from functools import lru_cache

ENTITY_TYPES = (
    *("class", "term", "country", "capital", "peak", "basin", "place", "position", "ruler", "award"),
    *("operator", "aircraft", "company", "university", "mountain", "person", "book", "film", "disambiguation"),
    *("event", "stray"),
)
"""In the order of the dump. A term is a genre, a language or an industry; a stray is an event of no usable time."""

BASE, IDS_PER_TYPE = 1_000_000_000, 10_000_000
"""Ids of kind n begin at BASE + n * ROOM: far beyond those of Wikidata (some 140 million)."""
BROKEN, GONE = 2_000_000_000, 4_000_000_000
"""Added to an item's id: items of broken lines beside it, and ids that redirect to it."""


@lru_cache(maxsize=1 << 16)
def derive_item_id(kind: str, number: int) -> int:
    """The item id, without Q, of an entity."""
    return BASE + ENTITY_TYPES.index(kind) * IDS_PER_TYPE + number
