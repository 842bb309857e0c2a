"""A small world, written through a build once: the tests of relations, of compiling and of rendering read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from count_windows import set_windows
from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.table import Table
from everwhen.families.complextempqa.bind import world as world_module
from everwhen.families.complextempqa.bind.world import TERM_ALIASES, WorldTables
from everwhen.tables.facts import ENTITIES, STATEMENTS
from everwhen.tables.world import (
    ATTRIBUTES,
    AWARDS,
    DESCRIPTIONS,
    MEMBERS,
    NAMES,
    POPULARITY,
    POSITION_TERMS,
    PROPERTY_PATHS,
    SUBJECTS,
)
from everwhen.world.stage import BOUNDS
from table_rows import (
    ABBOT,
    ACCIDENTS,
    BISHOP,
    COARSE_OFFICE,
    CONTESTED,
    LION,
    MEDAL,
    MINISTER,
    NOBEL,
    OSCAR,
    PRESIDENT,
    PRIZE,
    QUAKES,
    UNNAMED_OFFICE,
    Row,
    build_statement,
    build_table,
    build_times,
    parse_day,
    parse_interval,
)


def _subject(
    kind: str, item_id: int, list_: str, time: Row, countries: list[int], popular: bool, split: str = "train"
) -> Row:
    bounds = {BOUNDS.get(name, name): value for name, value in time.items()}
    row = {"kind": kind, "item_id": item_id, "list": list_, "name": "x", "countries": countries, "split": split}
    source = "list" if kind == "event" else None
    return row | {"is_popular": popular, "topic": f"medtop:{list_}", "source": source} | bounds


SUBJECT_ROWS: list[Row] = [
    _subject("event", 1, ACCIDENTS, build_times("1991-05-26"), [20], True),
    _subject("event", 2, ACCIDENTS, build_times("1992-03"), [20, 21], False),
    _subject("event", 3, QUAKES, build_times("1990-02-01", "1990-02-03"), [], True),
    _subject("event", 4, "battles", build_times("1993"), [], True, "test"),
    # A handover day, the day before it, two days of which an office was held on the first only, and a mere year.
    _subject("event", 30, "battles", build_times("1992-01-01"), [20], False, "validation"),
    _subject("event", 31, "battles", build_times("1993-06-30", "1993-07-01"), [20], False, "validation"),
    _subject("event", 32, "battles", build_times("1991-12-31"), [20], False, "validation"),
    _subject("event", 33, "battles", build_times("1990"), [20], False, "validation"),
    _subject("item", 10, "films", build_times("1990-05-01"), [20], True),
    _subject("item", 11, "films", build_times("1993"), [21], True),
    _subject("item", 12, "films", build_times("1991-06-01"), [], False, "test"),
    _subject("item", 15, "books", build_times("1980"), [], True),
    _subject("item", 20, "countries", {}, [], True),
    _subject("item", 40, "heads_of_state", build_times("1940", extent="open"), [20], True),
    _subject("item", 41, "heads_of_state", build_times("1946", "2001"), [20, 21], True),
    _subject("item", 42, "heads_of_state", build_times("1950-02", extent="open"), [], False),
    _subject("item", 60, "persons", build_times("1950", extent="open"), [20], True),
    _subject("item", 61, "persons", build_times("1951", extent="open"), [], True),
    _subject("item", 63, "persons", build_times("1952", extent="open"), [], True),
    _subject("item", 64, "persons", build_times("1953", extent="open"), [], True),
    _subject("item", 65, "persons", build_times("1954", extent="open"), [], True, "test"),
]
MEMBER_ROWS: list[Row] = [
    {"list": ACCIDENTS, "entity": 1, "countries": [20]} | build_times("1991-05-26"),
    {"list": ACCIDENTS, "entity": 2, "countries": [20, 21]} | build_times("1992-03"),
    {"list": ACCIDENTS, "entity": 5} | build_times("1990"),
    {"list": ACCIDENTS, "entity": 6, "countries": [22]} | build_times("1991-12-31", "1992-01-01"),
    {"list": ACCIDENTS, "entity": 13, "countries": [20], "reason": "several starts"},
    {"list": "occurrences", "entity": 1, "countries": [20]} | build_times("1991-05-26"),
    {"list": QUAKES, "entity": 3} | build_times("1990-01-01"),
    {"list": QUAKES, "entity": 7} | build_times("1990-06-01"),
    {"list": QUAKES, "entity": 8} | build_times("1991-12-31"),
    {"list": QUAKES, "entity": 9} | build_times("1989-12-31"),
    *(
        {"list": "films", "entity": n} | build_times(t)
        for n, t in {10: "1990-05-01", 11: "1993", 12: "1991-06-01"}.items()
    ),
    *({"list": "films", "entity": n} for n in (13, 14, 16, 17, 18)),
    *({"list": "countries", "entity": n} for n in (20, 21)),
    {"list": "heads_of_state", "entity": 40, "countries": [20]},
    {"list": "persons", "entity": 40, "countries": [20]},
]


def _spanned(row: Row) -> Row:
    """A member whose time is clear lies between its own first and last day."""
    return {"countries": [], "earliest": row.get("first_day"), "latest": row.get("last_day")} | row


def _value(entity: int, attribute: str, property_: int, value: Any) -> Row:
    row: Row = {"entity": entity, "attribute": attribute, "property": property_}
    if isinstance(value, str):
        return (
            row
            | {"calendar": "gregorian"}
            | dict(zip(("first_day", "last_day", "precision"), parse_interval(value), strict=True))
        )
    return row | ({"amount": value} if isinstance(value, Decimal) else {"value_item": value})


# 65 is of another split, and 99 is not asked about.
CASTS = {
    10: (60, 61, 63, 65, 99),
    11: (60, 61),
    12: (60, 61),
    13: (61, 63),
    14: (60, 63),
    17: (63, 64),
    18: (60, 61, 63, 64),
}
VALUE_ROWS: list[Row] = [
    *(_value(n, "deaths", 1120, Decimal(d)) for n, d in {1: 223, 2: 100, 5: 101, 3: 10, 7: 20, 8: 30, 9: 1000}.items()),
    *(_value(n, "survivors", 1561, Decimal(d)) for n, d in {1: 2, 2: 1}.items()),
    *(_value(n, "participants", 1132, Decimal(d)) for n, d in {1: 5, 2: 5, 3: 9}.items()),
    _value(1, "country", 17, 20),
    *(_value(n, "operator", 137, o) for n, o in {1: 90, 2: 91, 6: 90}.items()),
    *(_value(n, "release", 577, t) for n, t in {10: "1990-05-01", 11: "1993", 12: "1991-06-01", 14: "1990s"}.items()),
    _value(18, "release", 577, "1990-08"),
    # Some day of 1990 or 1991.
    _value(17, "release", 577, "1990") | {"last_day": parse_day("1991-12-31"), "precision": 8},
    _value(15, "publication", 577, "1980"),
    *(_value(n, "directed_by", 57, d) for n, d in {10: 60, 11: 60, 12: 61, 13: 61, 14: 63, 16: 62, 17: 64}.items()),
    *(_value(film, "cast", 161, actor) for film, cast in CASTS.items() for actor in cast),
    _value(10, "director", 57, 60),
    _value(10, "running_time", 2047, Decimal(142)),
    _value(11, "running_time", 2047, Decimal("162.5")),
]
DESCRIPTION_ROWS: list[Row] = [
    {"entity": e, "key": k, "properties": [p], "mentions_year": True, "items": [], "amount": Decimal(n)}
    | {"description": f"the accident {e} of {n} {k}"}
    for e, k, p, n in [(1, "deaths", 1120, 223), (2, "deaths", 1120, 100), (2, "injured", 1339, 7)]
]


def _end(entity: int, hop: str, hops: list[int], property_: int, value: Any) -> Row:
    row = {"entity": entity, "hop": hop, "hops": hops, "bridges": [20, 70][: len(hops)], "property": property_}
    if isinstance(value, str):
        return (
            row
            | {"calendar": "gregorian"}
            | dict(zip(("first_day", "last_day", "precision"), parse_interval(value), strict=True))
        )
    return row | ({"amount": value} if isinstance(value, Decimal) else {"value_item": value})


HOP_ROWS: list[Row] = [
    _end(1, "height", [17, 610], 2044, Decimal(2565)),
    _end(2, "height", [17, 610], 2044, Decimal(100)),
    _end(1, "country_capital", [17, 36], 36, 71),
    *(_end(n, "film_height", [495, 610], 2044, Decimal(d)) for n, d in {10: -2, 11: -2, 12: -1}.items()),
    *(_end(n, "film_birth", [57, 569], 569, t) for n, t in {10: "1950", 11: "1951-02"}.items()),
]
_HEIGHT = {"ask": "How high is the country of {head}", "more": "a height above {amount} metres"}
_HIGHER = {"which": "Which is {degree}", "high": "higher", "low": "lower"}
CHAINS = [
    SimpleNamespace(id="height", words=_HEIGHT, compare=_HIGHER),
    SimpleNamespace(id="film_height", words=_HEIGHT, compare=_HIGHER),
    SimpleNamespace(id="film_birth", words={}, compare={"which": "Whose {degree}", "high": "later", "low": "earlier"}),
    SimpleNamespace(id="country_capital", words={"ask": "What is the capital of {head}"}, compare={}),
]
"""The hop chains of the small world; only their words are read."""


def _award(award: int, recipient: int, time: str | None, once: bool = True, complete: bool = True) -> Row:
    times = dict(zip(("first_day", "last_day", "precision"), parse_interval(time), strict=True)) if time else {}
    row = {"award": award, "recipient": recipient, "statement_id": f"{award}-{recipient}-{time}"}
    return row | {"once": once, "complete": complete} | times


AWARD_ROWS: list[Row] = [
    _award(PRIZE, 60, "1989-12-31", once=False),
    _award(PRIZE, 60, "1990", once=False),
    _award(PRIZE, 61, "1991-10", once=False),
    _award(PRIZE, 61, "1992", once=False),
    _award(PRIZE, 63, "1992-12-31"),
    _award(PRIZE, 40, "1993-01-01"),
    _award(PRIZE, 41, "1994"),
    _award(LION, 60, "1990-09", once=False),
    _award(LION, 60, "1992", once=False),
    _award(OSCAR, 60, "1990-03-26"),
    _award(OSCAR, 61, "1991-03-25"),
    _award(NOBEL, 60, None, complete=False),
    _award(NOBEL, 61, "1991", complete=False),
    _award(NOBEL, 40, "1992", once=False, complete=False),
    _award(NOBEL, 40, None, once=False, complete=False),
    _award(NOBEL, 63, "1992", once=False, complete=False),
    _award(NOBEL, 63, "1992", once=False, complete=False) | {"statement_id": "again"},
    _award(MEDAL, 61, "1991-12-31") | {"last_day": parse_day("1992-01-01")},
]


STATEMENT_ROWS = [
    *(build_statement(person, 106, 500) for person in (60, 61, 63)),
    *(build_statement(person, 106, 400) for person in (60, 64, 65)),
    # 65 is by the preferred one, of which there is no other; a film's says nothing: its list names another property.
    build_statement(65, 106, 300, rank="preferred"),
    build_statement(10, 106, 500),
    *(build_statement(person, 27, country) for person, country in {60: 20, 61: 20, 63: 21, 65: 20}.items()),
    *(build_statement(film, 57, director) for film, director in {10: 60, 11: 60, 12: 61}.items()),
    *(build_statement(flight, 137, airline) for flight, airline in {1: 90, 2: 91}.items()),
]
"""What like subjects share. Occupations: three have one, and of these one has another too. Citizenships: 64 has none.
Directors, and airlines."""


JURISDICTIONS = {PRESIDENT: 20, UNNAMED_OFFICE: 20, MINISTER: 20, CONTESTED: 20, BISHOP: 21}


def _term(position: int, holder: int, start: str, end: str | None, complete: bool = True, once: bool = True) -> Row:
    first, start_last, start_precision = parse_interval(start)
    end_first, last, precision = parse_interval(end) if end else (None, None, None)
    return {
        "position_id": position,
        "jurisdiction_id": JURISDICTIONS.get(position),
        "holder_id": holder,
        "statement_id": f"{position}-{holder}-{start}",
        "earliest_start": first,
        "latest_start": start_last,
        "start_precision": start_precision,
        "start_calendar": "gregorian",
        "earliest_end": end_first,
        "latest_end": last,
        "end_precision": precision,
        "end_calendar": end and "gregorian",
        "is_complete": complete,
        "is_only_term": once,
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
    64: "Kim K.",
    65: "Lee M.",
    90: "Lauda Air",
    PRIZE: "Booker Prize",
    LION: "The Golden Lion",
    OSCAR: "Oscar",
    NOBEL: "Nobel Prize in Literature",
    MEDAL: "Odd Medal",
    PRESIDENT: "President",
    MINISTER: "Minister",
    COARSE_OFFICE: "Judge",
    CONTESTED: "Mayor",
    BISHOP: "Bishop",
    ABBOT: "Abbot",
}
TABLES: list[tuple[Table, list[Row]]] = [
    (SUBJECTS, SUBJECT_ROWS),
    (STATEMENTS, STATEMENT_ROWS),
    (
        MEMBERS,
        [
            {"certain": True, "countries": [], "earliest": row.get("first_day"), "latest": row.get("last_day")} | row
            for row in MEMBER_ROWS
        ],
    ),
    (ATTRIBUTES, VALUE_ROWS),
    (DESCRIPTIONS, DESCRIPTION_ROWS),
    (PROPERTY_PATHS, HOP_ROWS),
    (AWARDS, AWARD_ROWS),
    (POSITION_TERMS, TERM_ROWS),
    (
        NAMES,
        [
            {"entity": n, "name": f"the {name}" if n in (1, 3) else name, "label": name, "method": "label"}
            | {"long_name": f"the film {name}" if n in (10, 11, 12) else name}
            for n, name in NAMED.items()
        ]
        # Only a label names an office.
        + [{"entity": UNNAMED_OFFICE, "name": "x", "label": "x", "long_name": "x", "method": "class"}],
    ),
    (ENTITIES, [{"item": n, "label": name, "aliases": [], "revision": 1, "file": "f"} for n, name in NAMED.items()]),
    (
        POPULARITY,
        [
            {"entity": n, "population": "items", "member": False, "popular": popular}
            for n, popular in {PRESIDENT: True, PRIZE: True, COARSE_OFFICE: False, 20: True}.items()
        ],
    ),
]


@pytest.fixture(scope="session")
def config() -> Config:
    """A window of five years, in which counts are those of the known facts. Things are compared whatever they share."""
    return Config(
        version="0.1",
        snapshot="s",
        window={"start": parse_day("1990-01-01"), "end": parse_day("1994-12-31")},
        families={"complextempqa": {"open_counts": True, "windows_per_answer": 9, "compare_alike": False}},
    )


@pytest.fixture
def three_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are asked of two years, of the next two, and of all five."""
    set_windows(monkeypatch)


@pytest.fixture(scope="session")
def small_build(spark: SparkSession, config: Config, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The small world's tables."""
    build = Build(spark, config, str(tmp_path_factory.mktemp("world")))
    for table, rows in TABLES:
        build.materialize(table, lambda table=table, rows=rows: build_table(spark, table, rows))  # type: ignore[misc]
    return build


@pytest.fixture(scope="session")
def world(small_build: Build) -> WorldTables:
    """The small world, as relations read it, with its own hop chains."""
    made = WorldTables.open(small_build)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world_module, "load_property_paths", lambda: CHAINS)
        assert made.words
    return made


class _Changed(Build):
    """The small build with other rows in some tables."""

    def replace(self, tables: Mapping[Table, list[Row]]) -> _Changed:
        """Have these rows read, by table."""
        self.rows = {table.name: build_table(self.spark, table, rows) for table, rows in tables.items()}
        return self

    def read(self, table: Table) -> DataFrame:
        return self.rows[table.name] if table.name in self.rows else super().read(table)


@pytest.fixture(scope="session")
def but(world: WorldTables) -> Callable[..., WorldTables]:
    """The small world with some of what relations read replaced, frames or rows of tables; with another seed, another
    window or other keys of the family's section if they are given."""

    def make(
        seed: str | None = None,
        settings: Mapping[str, Any] | None = None,
        years: tuple[int, int] | None = None,
        tables: Mapping[Table, list[Row]] | None = None,
        **contexts: DataFrame,
    ) -> WorldTables:
        changes: dict[str, Any] = {"seed": seed} if seed else {}
        if settings:
            changes["families"] = {"complextempqa": {**world.config.families["complextempqa"], **settings}}
        if years:
            bounds = {"start": parse_day(f"{years[0]}-01-01"), "end": parse_day(f"{years[1]}-12-31")}
            changes["window"] = world.config.window.model_copy(update=bounds)
        config = world.config.model_copy(update=changes)
        build = _Changed(world.spark, config, world.build.root).replace(tables) if tables else world.build
        other = WorldTables(world.spark, config, build, world.lists)
        same = {name: getattr(world, name) for name in ("subjects", "words", "list_words", "values", "named", "terms")}
        other.__dict__.update(same | contexts)
        return other

    return make


@pytest.fixture(scope="session")
def offices(world: WorldTables, but: Callable[..., WorldTables]) -> Callable[..., WorldTables]:
    """The small world with other terms: by position, who held it from when to when; position 0 has no name."""

    def make(terms: dict[int, list[tuple[int, str, str | None]]]) -> WorldTables:
        rows = [_term(position, *term) for position, found in terms.items() for term in found]
        named = F.when(F.col("position") > 0, F.concat(F.lit("office "), F.col("position").cast("string")))
        terms_ = (
            build_table(world.spark, POSITION_TERMS, rows)
            .withColumnsRenamed(TERM_ALIASES)
            .select("*", named.alias("position_label"), F.lit(False).alias("position_popular"))
        )
        return but(terms=terms_)

    return make
