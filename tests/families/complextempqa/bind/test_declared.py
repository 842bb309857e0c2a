from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.declared import select_unique_descriptions
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.tables.world import ATTRIBUTES, DESCRIPTIONS
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
BY = {10: 60, 11: 60, 12: 61, 14: 63, 17: 64}
FILMS, BOOKS = [(10, DIRECTOR), (11, DIRECTOR), (12, DIRECTOR)], [(15, AUTHOR)]
BY_60: Row = {"films_by": 60, "start": 1990, "end": 1992, "members": 1}
ALL_FILMS: Row = {"films_by": "all", "start": 1990, "end": 1993}
ALL_BOOKS: Row = {"books_by": "all", "start": 1970, "end": 1999}
CASES: dict[str, tuple[list[Row], list[tuple[int, str]]]] = {
    "nothing": ([], []),
    # The other film is of 1993, and nothing is declared of 61.
    "one-director": ([BY_60], [(10, DIRECTOR)]),
    "to-the-last-year": ([{**BY_60, "end": 1993, "members": 2}], [(10, DIRECTOR), (11, DIRECTOR)]),
    "from-the-first-year": ([{**BY_60, "start": 1991, "end": 1993}], [(11, DIRECTOR)]),
    "another-number-than-there-is": ([{**BY_60, "members": 2}], []),
    "of-two-directors-the-other": ([BY_60], []),
    "one-author": ([{"books_by": 70, "start": 1980, "end": 1980, "members": 1}], BOOKS),
}
"""What is declared, and which of the works it tells."""
APART = 1000
"""Each case has the things of the small world with other numbers: it adds so many times its own."""


Kept = Callable[[list[Row]], dict[str, set[tuple[int, str]]]]


@pytest.fixture(scope="module")
def kept(world: WorldTables, but: Callable[..., WorldTables]) -> Kept:
    """Which descriptions fit one thing only, by what is declared: by case, with the numbers of the small world."""
    written: Row = {"entity": 15, "attribute": "written_by", "property": 50, "value_item": 70}
    cases = world.spark.range(len(CASES)).select((F.col("id") * APART).alias("more"))
    attributes = (
        world.attributes.unionByName(build_table(world.spark, ATTRIBUTES, [written]))
        .crossJoin(cases)
        .withColumns({"entity": F.expr("entity + more"), "value_item": F.expr("value_item + more")})
        .drop("more")
        .localCheckpoint()
    )
    rows = []
    for number, name in enumerate(CASES):
        more = APART * number
        by = BY | {10: 62} if name == "of-two-directors-the-other" else BY
        rows += [describe(entity + more, key) for entity, key in PLAIN]
        rows += [describe(film + more, DIRECTOR, who + more) for film, who in by.items()]
        rows.append(describe(15 + more, AUTHOR, 70 + more))

    def make(entries: list[Row]) -> dict[str, set[tuple[int, str]]]:
        settings: dict[str, Any] = {"complete": [{**entry, "source": "me"} for entry in entries]}
        changed = but(settings=settings, tables={DESCRIPTIONS: rows}, attributes=attributes)
        found = select_unique_descriptions(changed)
        assert found.columns == [column.name for column in DESCRIPTIONS.columns]
        there = found.collect()
        assert len({(row.entity, row.key) for row in there}) == len(there)
        assert {row.description for row in there} <= {row["description"] for row in rows}
        return {
            name: {(row.entity % APART, row.key) for row in there if row.entity // APART == case}
            for case, name in enumerate(CASES)
        }

    return make


def declare(name: str) -> list[Row]:
    """What a case declares, with its own numbers."""
    more = APART * list(CASES).index(name)
    makers = ("films_by", "books_by")
    return [{key: x + more if key in makers else x for key, x in entry.items()} for entry in CASES[name][0]]


@pytest.fixture(scope="module")
def kept_of_some(kept: Kept) -> dict[str, set[tuple[int, str]]]:
    """What is kept where each case declares what is its own."""
    return kept([entry for name in CASES for entry in declare(name)])


@pytest.mark.parametrize("name", CASES)
def test_a_maker_and_a_year_tell_a_work_that_is_declared(
    kept_of_some: dict[str, set[tuple[int, str]]], name: str
) -> None:
    assert kept_of_some[name] == {*PLAIN, *CASES[name][1]}


def test_all_works_of_all_directors_may_be_declared(kept: Kept) -> None:
    # That which is not known to the year is not there, and films are no books. Declared twice, it stands there once.
    assert kept([ALL_FILMS, *declare("one-director")]) == {name: {*PLAIN, *FILMS} for name in CASES}


def test_all_works_of_all_authors_may_be_declared(kept: Kept) -> None:
    assert kept([ALL_BOOKS]) == {name: {*PLAIN, *BOOKS} for name in CASES}
