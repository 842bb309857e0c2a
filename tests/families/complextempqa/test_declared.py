from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from everwhen.families.complextempqa.bind.declared import select_unique_descriptions
from everwhen.families.complextempqa.bind.world import World
from everwhen.tables.attributes import ATTRIBUTES
from everwhen.tables.descriptions import DESCRIPTIONS
from table_rows import Row, build_table

pytestmark = pytest.mark.spark

DIRECTOR, AUTHOR = "director_and_year", "author_and_year"


def describe(entity: int, key: str, *items: int) -> Row:
    """A description by these items."""
    row: Row = {"entity": entity, "key": key, "properties": [57, 577], "mentions_year": True, "items": list(items)}
    return row | {"description": f"{entity} by {items}"}


# Films of 1990 and of 1993 by 60, the first of them by 62 too; of 1991 by 61; of the nineties by 63; and of 1990 or
# 1991 by 64. The book is of 1980, by 70.
PLAIN = [(1, "deaths"), (10, "cast_pair"), (15, "book_sequel")]
DESCRIBED = [
    *(describe(entity, key) for entity, key in PLAIN),
    *(describe(film, DIRECTOR, who) for film, who in {10: 60, 11: 60, 12: 61, 14: 63, 17: 64}.items()),
    describe(15, AUTHOR, 70),
]
BY_60: Row = {"films_by": 60, "start": 1990, "end": 1992, "members": 1}
ALL_FILMS: Row = {"films_by": "all", "start": 1990, "end": 1993}


@pytest.fixture(scope="module")
def kept(world: World, but: Callable[..., World]) -> Callable[..., set[tuple[int, str]]]:
    """Which of descriptions fit one thing only, by what is declared."""
    written: Row = {"entity": 15, "attribute": "written_by", "property": 50, "value_item": 70}
    attributes = world.attributes.unionByName(build_table(world.spark, ATTRIBUTES, [written])).localCheckpoint()

    def make(rows: list[Row], *entries: Row) -> set[tuple[int, str]]:
        settings: dict[str, Any] = {"complete": [{**entry, "source": "me"} for entry in entries]}
        changed = but(settings=settings, tables={DESCRIPTIONS: rows}, attributes=attributes)
        found = select_unique_descriptions(changed)
        assert found.columns == [column.name for column in DESCRIPTIONS.columns]
        there = found.collect()
        assert len({(row.entity, row.key) for row in there}) == len(there)
        assert {row.description for row in there} <= {row["description"] for row in rows}
        return {(row.entity, row.key) for row in there}

    return make


@pytest.mark.parametrize(
    ("entries", "works"),
    [
        pytest.param([], [], id="nothing"),
        # The other film is of 1993, and nothing is declared of 61.
        pytest.param([BY_60], [(10, DIRECTOR)], id="one-director"),
        pytest.param([{**BY_60, "end": 1993, "members": 2}], [(10, DIRECTOR), (11, DIRECTOR)], id="to-the-last-year"),
        pytest.param([{**BY_60, "start": 1991, "end": 1993}], [(11, DIRECTOR)], id="from-the-first-year"),
        pytest.param([{**BY_60, "members": 2}], [], id="another-number-than-there-is"),
        # That which is not known to the year is not there, and films are no books.
        pytest.param([ALL_FILMS], [(10, DIRECTOR), (11, DIRECTOR), (12, DIRECTOR)], id="all-directors"),
        # Declared twice, it stands there once.
        pytest.param([ALL_FILMS, BY_60], [(10, DIRECTOR), (11, DIRECTOR), (12, DIRECTOR)], id="twice"),
        pytest.param([{"books_by": 70, "start": 1980, "end": 1980, "members": 1}], [(15, AUTHOR)], id="one-author"),
        pytest.param([{"books_by": "all", "start": 1970, "end": 1999}], [(15, AUTHOR)], id="all-authors"),
    ],
)
def test_a_maker_and_a_year_tell_a_work_that_is_declared(
    kept: Callable[..., set[tuple[int, str]]], entries: list[Row], works: list[tuple[int, str]]
) -> None:
    assert kept(DESCRIBED, *entries) == {*PLAIN, *works}


def test_the_maker_that_is_mentioned_must_be_declared(kept: Callable[..., set[tuple[int, str]]]) -> None:
    """Of the film's two directors the other one is."""
    assert kept([describe(10, DIRECTOR, 62)], BY_60) == set()
