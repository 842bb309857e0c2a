"""A small world, written through a build once: the tests of relations, of compiling and of rendering read it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from frames import (
    ABBOT,
    ACCIDENTS,
    BISHOP,
    COARSE_OFFICE,
    CONTESTED,
    MINISTER,
    PRESIDENT,
    QUAKES,
    UNNAMED_OFFICE,
    Row,
    day,
    frame,
    interval,
    lasting,
)
from pyspark.sql import SparkSession

from pipeline.build import Build
from pipeline.config import Config
from pipeline.questions.bind.world import World
from pipeline.tables.attributes import ATTRIBUTES
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.tables.events import EVENTS
from pipeline.tables.hops import HOPS
from pipeline.tables.items import ITEMS
from pipeline.tables.members import MEMBERS
from pipeline.tables.names import NAMES
from pipeline.tables.popularity import POPULARITY
from pipeline.tables.table import Table
from pipeline.tables.timelines import TIMELINES


def _thing(list_: str, time: Row, countries: list[int], popular: bool, split: str = "train") -> Row:
    return {"list": list_, "name": "x", "countries": countries, "popular": popular, "topic": f"medtop:{list_}"} | {
        "split": split,
        **time,
    }


EVENT_ROWS: list[Row] = [
    {"event": 1} | _thing(ACCIDENTS, lasting("1991-05-26"), [20], True),
    {"event": 2} | _thing(ACCIDENTS, lasting("1992-03"), [20, 21], False),
    {"event": 3} | _thing(QUAKES, lasting("1990-02-01", "1990-02-03"), [], True),
    {"event": 4} | _thing("battles", lasting("1993"), [], True, "test"),
]
ITEM_ROWS: list[Row] = [
    {"item": 10} | _thing("films", lasting("1990-05-01"), [20], True),
    {"item": 11} | _thing("films", lasting("1993"), [21], True),
    {"item": 12} | _thing("films", lasting("1991-06-01"), [], False, "test"),
    {"item": 15} | _thing("books", lasting("1980"), [], True),
    {"item": 20} | _thing("countries", {}, [], True),
    {"item": 40} | _thing("heads_of_state", lasting("1940", extent="open"), [20], True),
    {"item": 41} | _thing("heads_of_state", lasting("1946", "2001"), [20, 21], True),
    {"item": 42} | _thing("heads_of_state", lasting("1950-02", extent="open"), [], False),
    {"item": 60} | _thing("persons", lasting("1950", extent="open"), [20], True),
    {"item": 61} | _thing("persons", lasting("1951", extent="open"), [], True),
    {"item": 63} | _thing("persons", lasting("1952", extent="open"), [], True),
]
MEMBER_ROWS: list[Row] = [
    {"list": ACCIDENTS, "entity": 1, "countries": [20]} | lasting("1991-05-26"),
    {"list": ACCIDENTS, "entity": 2, "countries": [20, 21]} | lasting("1992-03"),
    {"list": ACCIDENTS, "entity": 5} | lasting("1990"),
    {"list": ACCIDENTS, "entity": 6, "countries": [22]} | lasting("1991-12-31", "1992-01-01"),
    {"list": ACCIDENTS, "entity": 13, "countries": [20], "reason": "several starts"},
    {"list": "occurrences", "entity": 1, "countries": [20]} | lasting("1991-05-26"),
    {"list": QUAKES, "entity": 3} | lasting("1990-01-01"),
    {"list": QUAKES, "entity": 7} | lasting("1990-06-01"),
    {"list": QUAKES, "entity": 8} | lasting("1991-12-31"),
    {"list": QUAKES, "entity": 9} | lasting("1989-12-31"),
    *({"list": "films", "entity": n} for n in (10, 11, 12, 13, 14, 16)),
    *({"list": "countries", "entity": n} for n in (20, 21)),
    {"list": "heads_of_state", "entity": 40, "countries": [20]},
    {"list": "persons", "entity": 40, "countries": [20]},
]


def _value(entity: int, attribute: str, property_: int, value: Any) -> Row:
    row: Row = {"entity": entity, "attribute": attribute, "property": property_}
    if isinstance(value, str):
        return row | dict(zip(("first_day", "last_day", "precision"), interval(value), strict=True))
    return row | ({"amount": value} if isinstance(value, Decimal) else {"value_item": value})


VALUE_ROWS: list[Row] = [
    *(_value(n, "deaths", 1120, Decimal(d)) for n, d in {1: 223, 2: 100, 5: 101, 3: 10, 7: 20, 8: 30, 9: 1000}.items()),
    _value(1, "country", 17, 20),
    *(_value(n, "release", 577, t) for n, t in {10: "1990-05-01", 11: "1993", 12: "1991-06-01", 14: "1990s"}.items()),
    _value(15, "publication", 577, "1980"),
    *(_value(n, "directed_by", 57, d) for n, d in {10: 60, 11: 60, 12: 61, 13: 61, 14: 63, 16: 62}.items()),
    _value(10, "director", 57, 60),
    _value(10, "running_time", 2047, Decimal(142)),
    _value(11, "running_time", 2047, Decimal("142.5")),
]
DESCRIPTION_ROWS: list[Row] = [
    {"event": e, "attribute": a, "property": p, "amount": Decimal(n), "description": f"the accident {e} of {n} {a}"}
    for e, a, p, n in [(1, "deaths", 1120, 223), (2, "deaths", 1120, 100), (2, "injured", 1339, 7)]
]


def _term(position: int, holder: int, start: str, end: str | None, complete: bool = True, once: bool = True) -> Row:
    first, start_last, start_precision = interval(start)
    end_first, last, precision = interval(end) if end else (None, None, None)
    return {
        "position": position,
        "holder": holder,
        "statement_id": f"{position}-{holder}-{start}",
        "first_day": first,
        "start_last": start_last,
        "start_precision": start_precision,
        "end_first": end_first,
        "last_day": last,
        "end_precision": precision,
        "complete": complete,
        "once": once,
    }


TERM_ROWS = [
    # A handover on New Year's Day leaves a shared day in 1992 and none in 1991; one on New Year's Eve does the rest.
    _term(PRESIDENT, 40, "1985-01-01", "1992-01-01"),
    _term(PRESIDENT, 41, "1992-01-01", "1993-12-31"),
    _term(PRESIDENT, 42, "1994-01-01", None),
    _term(UNNAMED_OFFICE, 40, "1990-03-01", "1993-06-30"),
    _term(MINISTER, 49, "1989", "1991-12-30"),
    _term(COARSE_OFFICE, 41, "1991", "1993"),
    _term(CONTESTED, 40, "1980", "1981", complete=False, once=False),
    _term(CONTESTED, 40, "1990-01-01", "1994-12-31", complete=False, once=False),
    # The bounds of years touch the windows' without being known to lie in them.
    _term(BISHOP, 41, "1985", "1990"),
    _term(BISHOP, 42, "1991-12", "1993"),
    _term(BISHOP, 40, "1980", "1989-12-31"),
    _term(ABBOT, 41, "1980", "1990s"),
]
NAMED = {
    1: "Flight 1",
    2: "Flight 2",
    3: "quake of {event}",
    4: "Battle $1",
    10: "Forrest Gump",
    11: 'The "Piano" \\1',
    12: "Speed",
    15: "Emma",
    20: "Thailand",
    21: "Laos",
    40: "Ann Ames",
    41: "Bob Birch",
    42: "éva Earl",
    60: "Robert Z.",
    61: "Jan B.",
    63: "Ida L.",
    PRESIDENT: "President",
    MINISTER: "Minister",
    COARSE_OFFICE: "Judge",
    CONTESTED: "Mayor",
    BISHOP: "Bishop",
    ABBOT: "Abbot",
}
TABLES: list[tuple[Table, list[Row]]] = [
    (EVENTS, [row | {"source": "list"} for row in EVENT_ROWS]),
    (ITEMS, ITEM_ROWS),
    (MEMBERS, [{"countries": []} | row for row in MEMBER_ROWS]),
    (ATTRIBUTES, VALUE_ROWS),
    (DESCRIPTIONS, DESCRIPTION_ROWS),
    (
        HOPS,
        [
            {"entity": 1, "hop": "highest_point_of_country", "path": [17, 610], "bridges": [20, 70]}
            | {"property": 2044, "amount": Decimal("2565")}
        ],
    ),
    (TIMELINES, TERM_ROWS),
    (
        NAMES,
        [
            {"entity": n, "name": f"the {name}" if n in (1, 3) else name, "label": name, "method": "label"}
            | {"long_name": f"the film {name}" if n in (10, 11, 12) else name}
            for n, name in NAMED.items()
        ],
    ),
    (
        POPULARITY,
        [
            {"entity": n, "population": "items", "popular": popular}
            for n, popular in {PRESIDENT: True, COARSE_OFFICE: False}.items()
        ],
    ),
]


@pytest.fixture(scope="session")
def config() -> Config:
    """A window of five years, in runs of two."""
    return Config(
        version="0.1",
        snapshot="s",
        window={"start": day("1990-01-01"), "end": day("1994-12-31")},
        questions={"window_years": 2},
    )


@pytest.fixture(scope="session")
def world(spark: SparkSession, config: Config, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The small world, as relations read it."""
    build = Build(spark, config, str(tmp_path_factory.mktemp("world")))
    for table, rows in TABLES:
        build.make(table, lambda table=table, rows=rows: frame(spark, table, rows))  # type: ignore[misc]
    return World.of(build)
