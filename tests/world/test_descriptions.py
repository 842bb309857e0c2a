from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from pyspark.sql import Row as SparkRow
from pyspark.sql import SparkSession

from everwhen.catalog import load as catalog
from everwhen.catalog.load import load_entity_lists
from everwhen.catalog.models import Attribute, Description
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.build import BUILD
from everwhen.families.complextempqa.tables import DECLARATIONS, QUESTIONS
from everwhen.publish.checks import render_shared_checks
from everwhen.tables.facts import ENTITIES, STATEMENTS, SUBCLASSES
from everwhen.tables.world import ATTRIBUTES, DESCRIPTIONS, MEMBERS, NAMES, POPULARITY
from everwhen.world.descriptions import DescriptionInputs, describe_subjects
from schemas import convert_schema
from table_rows import Row, build_statement, build_table, build_times, parse_day

pytestmark = pytest.mark.spark

ACCIDENTS = "aviation_accidents"

# entity: list, time, deaths stated (amount, other fields of the statement).
# Each case has a year or a number of its own.
RIVALS: dict[int, tuple[str, Row, list[tuple[Any, ...]]]] = {
    # Same year, same number.
    102: (ACCIDENTS, build_times("1992-01-01"), [(50,)]),
    103: (ACCIDENTS, build_times("1992-12-31"), [(50,)]),
    # Undated.
    104: (ACCIDENTS, build_times("1993-05-01"), [(51,)]),
    105: (ACCIDENTS, {"reason": "no time stated"}, [(51,)]),
    # Of a decade.
    106: (ACCIDENTS, build_times("1994-05-01"), [(52,)]),
    107: (ACCIDENTS, build_times("1990s"), [(52,)]),
    # Without a number.
    108: (ACCIDENTS, build_times("1995-05-01"), [(53,)]),
    109: (ACCIDENTS, build_times("1995"), []),
    # With the number deprecated: does not count against it.
    110: (ACCIDENTS, build_times("1996-05-01"), [(54,)]),
    111: (ACCIDENTS, build_times("1996-06-01"), [(54, {"rank": "deprecated"}), (70,)]),
    # With the number in a rank that is not the best: might fit.
    112: (ACCIDENTS, build_times("1997-05-01"), [(55,)]),
    113: (ACCIDENTS, build_times("1997-06-01"), [(55,), (60, {"rank": "preferred"})]),
    # With a number that is said to be unknown.
    114: (ACCIDENTS, build_times("1998-05-01"), [(56,)]),
    115: (ACCIDENTS, build_times("1998-06-01"), [(None, {"snak": "somevalue"})]),
    # Of another class.
    116: (ACCIDENTS, build_times("1999-05-01"), [(57,)]),
    117: ("battles", build_times("1999-05-01"), [(57,)]),
    # With nothing but a deprecated number: it states none.
    118: (ACCIDENTS, build_times("2000-05-01"), [(58,)]),
    119: (ACCIDENTS, build_times("2000-06-01"), [(99, {"rank": "deprecated"})]),
    # Over the turn of the year: no year to tell, and a rival in both.
    120: (ACCIDENTS, build_times("2001-12-31", "2002-01-01"), [(59,)]),
    121: (ACCIDENTS, build_times("2002-05-01"), [(59,)]),
    122: (ACCIDENTS, build_times("2003-05-01"), [(59,)]),
    # What is told.
    123: (ACCIDENTS, build_times("2004-05-01"), [(1,)]),
    124: (ACCIDENTS, build_times("2005"), [(1234,)]),
    125: (ACCIDENTS, build_times("2006-05-01"), [(0,)]),
    126: (ACCIDENTS, build_times("2007-05-01"), [("2.5",)]),
    127: (ACCIDENTS, build_times("1991-05-26"), [(223,)]),
    128: ("occurrences", build_times("1991-05-26"), [(9,)]),
    # Near a number that is no whole one.
    129: (ACCIDENTS, build_times("2008-05-01"), [(60,)]),
    130: (ACCIDENTS, build_times("2008-06-01"), [("60.4",)]),
}

SUBJECTS = (
    "entity bigint, list string, kind string, first_day date, last_day date, start_last date,"
    " start_calendar string, countries array<bigint>"
)
LISTS = {e.id: e for e in load_entity_lists()}
FORMS = {form.id: form for form in catalog.load_descriptions()}

# What the shipped attributes say that descriptions tell.
MENTIONED_ATTRIBUTES = [
    *(
        Attribute(id=name, property=p, value="quantity", kind="event")
        for name, p in {"deaths": 1120, "survivors": 1561, "magnitude": 2528}.items()
    ),
    *(
        Attribute(id=name, property=p, value="item", kind="event", lists=lists, pick="all")
        for name, p, lists in [("operator", 137, []), ("happened_in", 17, ["coups"])]
    ),
    *(
        Attribute(id=name, property=p, value="item", kind="item", lists=[list_], pick="all")
        for name, p, list_ in [
            ("cast", 161, "films"),
            ("directed_by", 57, "films"),
            ("written_by", 50, "books"),
            ("founded_by", 112, "companies"),
            ("based_in", 159, "universities"),
        ]
    ),
]

Member = tuple[str, Row]


def describe(
    spark: SparkSession,
    members: dict[int, Member],
    statements: list[Row],
    described_subjects: Iterable[int],
    values: list[Row],
    names: dict[int, str],
    forms: Iterable[str],
    seed: str = "everwhen",
) -> dict[tuple[int, str], SparkRow]:
    """The descriptions by entity and form."""
    rows = []
    for n in described_subjects:
        list_, time = members[n]
        days = [time.get(name) for name in ("first_day", "last_day", "start_last", "start_calendar")]
        rows.append((n, list_, LISTS[list_].kind, *days, time.get("countries", [])))
    facts = DescriptionInputs(
        subjects=spark.createDataFrame(rows, SUBJECTS).coalesce(1),
        values=build_table(spark, ATTRIBUTES, values),
        members=build_table(
            spark, MEMBERS, [{"entity": n, "list": list_} | time for n, (list_, time) in members.items()]
        ),
        statements=build_table(spark, STATEMENTS, statements),
        names=build_table(spark, NAMES, [{"entity": n, "name": name, "label": name} for n, name in names.items()]),
    )
    found = describe_subjects(facts, [FORMS[name] for name in forms], MENTIONED_ATTRIBUTES, load_entity_lists(), seed)
    mentioned = DESCRIPTIONS.select(found).collect()
    by_key = {(row.entity, row.key): row for row in mentioned}
    assert len(by_key) == len(mentioned)
    return by_key


@dataclass(frozen=True)
class World:
    """What a test describes by some forms: members, statements, values, names, and who is described."""

    members: dict[int, Member]
    statements: list[Row]
    values: list[Row]
    names: dict[int, str]
    described_subjects: list[int]
    forms: tuple[str, ...]

    def shift(self, by: int) -> World:
        """The same with ids of its own, so that it does not meet others."""

        def move(row: Row) -> Row:
            ids = ("entity", "subject", "value_item")
            return row | {name: row[name] + by for name in ids if row.get(name) is not None}

        return World(
            {n + by: member for n, member in self.members.items()},
            [move(row) for row in self.statements],
            [move(row) for row in self.values],
            {n + by: name for n, name in self.names.items()},
            [n + by for n in self.described_subjects],
            self.forms,
        )


Described = Callable[[World], dict[tuple[int, str], SparkRow]]


@pytest.fixture(scope="module")
def described(spark: SparkSession) -> Described:
    """The descriptions of worlds side by side, derived at once; given a world, those by its forms, with its own ids."""
    worlds = [build() for build in SIDE_BY_SIDE]
    moved = [world.shift(APART * number) for number, world in enumerate(worlds)]
    forms = list(dict.fromkeys(form for world in worlds for form in world.forms))
    members, names = (
        {k: v for part in parts for k, v in part.items()}
        for parts in ([world.members for world in moved], [world.names for world in moved])
    )
    found = describe(
        spark,
        members,
        [row for world in moved for row in world.statements],
        [n for world in moved for n in world.described_subjects],
        [row for world in moved for row in world.values],
        names,
        forms,
    )

    def select(world: World) -> dict[tuple[int, str], SparkRow]:
        number = next(n for n, other in enumerate(worlds) if other.members == world.members)
        own = {}
        for (n, form), row in found.items():
            if n // APART == number and form in world.forms:
                ids = {"items": [i % APART for i in row["items"]]}
                ids["country"] = None if row.country is None else row.country % APART
                own[n % APART, form] = SparkRow(**(row.asDict() | ids))
        return own

    return select


def build_rivals() -> World:
    members, statements, values = {}, [], []
    for entity, (list_, time, mentioned) in RIVALS.items():
        members[entity] = (list_, time)
        for amount, *more in mentioned:
            fields = more[0] if more else {}
            statements.append(
                build_statement(entity, 1120, amount=None if amount is None else Decimal(amount), **fields)
            )
        best = [amount for amount, *more in mentioned if not more or more[0].get("rank") == "preferred"]
        if best and "reason" not in time:
            values.append({"entity": entity, "attribute": "deaths", "property": 1120, "amount": Decimal(best[-1])})
    described_subjects = [n for n, (_, time) in members.items() if "reason" not in time]
    return World(members, statements, values, {}, described_subjects, ("deaths",))


def test_a_quantity_fits_one_event_only(described: Described) -> None:
    found = described(build_rivals())
    assert {key: row.description for key, row in found.items()} == {
        (110, "deaths"): "the 1996 air crash that killed 54 people",
        (111, "deaths"): "the 1996 air crash that killed 70 people",
        (113, "deaths"): "the 1997 air crash that killed 60 people",
        (116, "deaths"): "the 1999 air crash that killed 57 people",
        (122, "deaths"): "the 2003 air crash that killed 59 people",
        (124, "deaths"): "the 2005 air crash that killed 1,234 people",
        (127, "deaths"): "the 1991 air crash that killed 223 people",
    }
    row = found[(124, "deaths")]
    assert (row.properties, row.mentions_year, row.items, row.country, row.amount) == ([1120], True, [], None, 1234)


@pytest.mark.full
def test_a_country_leaves_out_who_is_elsewhere(spark: SparkSession) -> None:
    thailand, laos, unnamed = {"countries": [20]}, {"countries": [21]}, {"countries": [22]}
    members: dict[int, Member] = {
        # Told apart by the country alone.
        1: (ACCIDENTS, build_times("1991-05-26") | thailand),
        2: (ACCIDENTS, build_times("1991-06-26") | laos),
        # An unknown country, and none stated; one that is stated too, in another rank than the best; a deprecated one.
        3: (ACCIDENTS, build_times("1992-05-26") | thailand),
        4: (ACCIDENTS, build_times("1992-05-26")),
        5: (ACCIDENTS, build_times("1993-05-26") | thailand),
        6: (ACCIDENTS, build_times("1993-05-26")),
        7: (ACCIDENTS, build_times("1994-05-26") | thailand),
        8: (ACCIDENTS, build_times("1994-05-26") | laos),
        9: (ACCIDENTS, build_times("1995-05-26") | thailand),
        10: (ACCIDENTS, build_times("1995-05-26") | laos),
        # Two countries; one beside an unknown one; one without a name; and undated ones of Laos that state nothing.
        11: (ACCIDENTS, build_times("1996-05-26") | {"countries": [20, 21]}),
        12: (ACCIDENTS, build_times("1997-05-26") | thailand),
        13: (ACCIDENTS, build_times("1998-05-26") | unnamed),
        14: (ACCIDENTS, {"reason": "no time stated"} | laos),
        # Earthquakes, whose magnitude has a digit after the point.
        15: ("earthquakes", build_times("1991-05-26") | thailand),
        16: ("earthquakes", build_times("1991-06-26") | laos),
        17: ("earthquakes", build_times("1991-07-26") | laos),
        18: ("earthquakes", build_times("1992-05-26") | laos),
    }
    unknown: Row = {"snak": "somevalue"}
    in_thailand = (1, 3, 5, 7, 8, 9, 11, 12, 15)
    statements = [build_statement(n, 17, 20, rank="deprecated" if n == 10 else "normal") for n in (*in_thailand, 10)]
    statements += [
        build_statement(n, 17, 21, rank="preferred" if n == 8 else "normal") for n in (2, 8, 10, 11, 14, 16, 17, 18)
    ]
    statements += [build_statement(4, 17, **unknown), build_statement(12, 17, **unknown), build_statement(13, 17, 22)]
    statements += [build_statement(n, 1120, amount=Decimal(50)) for n in range(1, 14)]
    magnitudes = {15: "6.7", 16: "6.7", 17: "6.74", 18: "7"}
    statements += [build_statement(n, 2528, amount=Decimal(amount)) for n, amount in magnitudes.items()]
    values = [
        {"entity": n, "attribute": "deaths", "property": 1120, "amount": Decimal(50)} for n in members if n < 14
    ] + [
        {"entity": n, "attribute": "magnitude", "property": 2528, "amount": Decimal(amount)}
        for n, amount in magnitudes.items()
    ]
    described_subjects = [n for n in members if n != 14]
    names = {20: "Thailand", 21: "the {amount}"}
    forms = ["deaths", "deaths_in_country", "magnitude_in_country"]
    found = describe(spark, members, statements, described_subjects, values, names, forms)
    assert {key: row.description for key, row in found.items()} == {
        (1, "deaths_in_country"): "the 1991 air crash in Thailand that killed 50 people",
        (9, "deaths_in_country"): "the 1995 air crash in Thailand that killed 50 people",
        (15, "magnitude_in_country"): "the 1991 magnitude 6.7 earthquake in Thailand",
        (18, "magnitude_in_country"): "the 1992 magnitude 7 earthquake in the {amount}",
    }
    row = found[(1, "deaths_in_country")]
    assert (row.properties, row.country) == ([17, 1120], 20)
    confirmed(found, members, statements, names)


# Films: time and cast; more fields of a statement beside a member of it.
ANNA, BEN, CLEO, DORA, EMIL, NOBODY = 50, 51, 52, 53, 54, 55
PEOPLE = {ANNA: "Anna", BEN: "Ben", CLEO: "Cleo {x}", DORA: "Dora", EMIL: "Emil"}
FILMS: dict[int, tuple[Row, list[Any]]] = {
    # Billed in another order than that of their ids; others have one of the two, or the other one deprecated.
    1: (build_times("1991"), [(CLEO, "normal", 3), (ANNA, "normal", 2), (BEN, "normal", 1)]),
    3: (build_times("1991"), [(ANNA, "deprecated", 1), BEN, CLEO]),
    # The two billed first are in film 1 too, wherever they stand there.
    2: (build_times("1991"), [(ANNA, "normal", 1), (CLEO, "normal", 2), NOBODY]),
    # Of the best rank, and in another year than film 10.
    4: (build_times("1993"), [(BEN, "normal", 1), (DORA, "preferred", 1), (ANNA, "preferred", 2)]),
    10: (build_times("1994"), [ANNA, DORA]),
    # None is billed second; nobody is billed first; one without a name; two are billed first; nobody is billed.
    5: (build_times("1995"), [(DORA, "normal", 1), EMIL]),
    6: (build_times("1995"), [(DORA, "normal", 2), (EMIL, "normal", 3)]),
    7: (build_times("1995"), [(DORA, "normal", 1), (NOBODY, "normal", 2)]),
    8: (build_times("1995"), [(BEN, "normal", 1), (EMIL, "normal", 1), (ANNA, "normal", 2)]),
    9: (build_times("1995"), [CLEO, EMIL]),
    # A film that is not asked about, undated, has the two; it may be of that year.
    11: ({"reason": "no time stated"}, [BEN, DORA]),
    12: (build_times("1996"), [(DORA, "normal", 1), (BEN, "normal", 2)]),
}


def linked(subject: int, property_: int, values: Iterable[Any]) -> list[Row]:
    """Statements of items: each an id, or an id with rank and perhaps ordinal."""
    mentioned = [value if isinstance(value, tuple) else (value, "normal") for value in values]
    return [
        build_statement(subject, property_, item, rank=rank, ordinal=next(iter(n), None))
        for item, rank, *n in mentioned
    ]


def valued(attribute: str, rows: list[Row]) -> list[Row]:
    """The best-rank values, as table `attributes` has them."""
    best = [
        r
        for r in rows
        if r["rank"] == "preferred"
        or (r["rank"] == "normal" and not any(o["subject"] == r["subject"] and o["rank"] == "preferred" for o in rows))
    ]
    return [
        {"entity": r["subject"], "attribute": attribute, "property": r["property"], "value_item": r["value_item"]}
        for r in best
    ]


def build_pairs() -> World:
    members: dict[int, Member] = {n: ("films", time) for n, (time, _) in FILMS.items()}
    # Who is in a list of another class is no rival.
    members[20] = ("books", build_times("1990"))
    statements = [row for n, (_, cast) in FILMS.items() for row in linked(n, 161, cast)]
    values = valued("cast", statements)
    statements += linked(20, 161, [ANNA, BEN])
    return World(members, statements, values, PEOPLE, [n for n in FILMS if n != 11], ("cast_pair",))


def test_the_two_that_are_billed_first(described: Described) -> None:
    world = build_pairs()
    found = described(world)
    assert {n: row.description for (n, _), row in found.items()} == {
        1: "the 1991 film starring Ben and Anna",
        4: "the 1993 film starring Dora and Anna",
    }
    row = found[(1, "cast_pair")]
    # The film's year, and where and when its people were born and died, are all but told.
    assert row.properties == [161, 17, 19, 20, 569, 570, 577, 2047, 577]
    assert (row.mentions_year, row.items, row.amount) == (True, [BEN, ANNA], None)
    confirmed(found, world.members, world.statements, PEOPLE)


def build_trios() -> World:
    def billed(*cast: int) -> list[Any]:
        return [(item, "normal", place) for place, item in enumerate(cast, 1)]

    casts: dict[int, tuple[Row, list[Any]]] = {
        1: (build_times("1991"), [*billed(DORA, ANNA, CLEO), BEN]),
        # Two of the three, and the third deprecated.
        2: (build_times("1991"), [ANNA, DORA, (CLEO, "deprecated")]),
        # The same three in the same year, in another order.
        3: (build_times("1992"), billed(ANNA, BEN, CLEO)),
        4: (build_times("1992"), [ANNA, BEN, CLEO]),
        # In the lower rank.
        5: (build_times("1993"), billed(BEN, CLEO, EMIL)),
        6: (build_times("1993"), [BEN, CLEO, EMIL, (NOBODY, "preferred")]),
        # Undated: it may be of that year.
        7: (build_times("1994"), billed(ANNA, BEN, DORA)),
        8: ({"reason": "no time stated"}, [ANNA, BEN, DORA]),
        # In another year.
        9: (build_times("1995"), billed(DORA, ANNA, CLEO)),
        # Two of them.
        10: (build_times("1991"), billed(ANNA, EMIL)),
    }
    members: dict[int, Member] = {n: ("films", time) for n, (time, _) in casts.items()}
    members[20] = ("books", build_times("1991"))
    statements = [row for n, (_, cast) in casts.items() for row in linked(n, 161, cast)]
    values = valued("cast", statements)
    statements += linked(20, 161, [ANNA, CLEO, DORA])
    described_subjects = [n for n, (_, time) in members.items() if "reason" not in time]
    return World(members, statements, values, PEOPLE, described_subjects, ("cast_trio", "cast_pair"))


def test_the_three_that_are_billed_first_in_a_year(described: Described) -> None:
    world = build_trios()
    found = described(world)
    assert {n: row.description for (n, key), row in found.items() if key == "cast_trio"} == {
        1: "the 1991 film starring Dora, Anna, and Cleo {x}",
        9: "the 1995 film starring Dora, Anna, and Cleo {x}",
    }
    row = found[(1, "cast_trio")]
    assert (row.mentions_year, row.items, row.amount) == (True, [DORA, ANNA, CLEO], None)
    confirmed(found, world.members, world.statements, PEOPLE)


@pytest.mark.full
def test_the_seed_chooses_the_mentioned_pair(spark: SparkSession) -> None:
    # Companies 1 to 8 with three of their own; companies 11 to 18 with thirty, of whom one alone is not of another
    # company too: with twelve of them looked at, he may be passed over.
    members: dict[int, Member] = {
        n: ("companies", build_times("1990")) for n in (*range(1, 9), *range(11, 19), *range(21, 29))
    }
    statements = []
    for n in range(1, 9):
        statements += linked(n, 112, range(100 * n, 100 * n + 3))
        founders = range(1000 * n, 1000 * n + 30)
        statements += linked(10 + n, 112, founders) + linked(20 + n, 112, founders[1:])
    names = {n: f"Founder {n}" for n in {row["value_item"] for row in statements}}
    described_subjects = [n for n in members if n < 20]
    mentioned = []
    for seed in ("a", "d"):
        found = describe(
            spark,
            members,
            statements,
            described_subjects,
            valued("founded_by", statements),
            names,
            ["founder_pair"],
            seed,
        )
        rows = {n: row["items"] for (n, _), row in found.items()}
        assert {n for n in rows if n < 10} == set(range(1, 9))
        assert 0 < len({n for n in rows if n > 10}) < 8
        assert all(rows[n][0] == 1000 * (n - 10) for n in rows if n > 10)
        assert len({tuple(i - 100 * n for i in rows[n]) for n in range(1, 9)}) > 1
        mentioned.append(rows)
    assert mentioned[0] != mentioned[1]


@pytest.mark.full
def test_a_maker_and_a_year_that_fit_one_work_only(spark: SparkSession) -> None:
    coarse = build_times("1999-12", "2000-01") | {"start_last": parse_day("2000-01-31")}
    members: dict[int, Member] = {
        # The same director in the same year; in another one; a coarse date; none.
        1: ("films", build_times("1994-01")),
        2: ("films", build_times("1994-02")),
        3: ("films", build_times("1995")),
        4: ("films", build_times("1990s")),
        5: ("films", build_times("1990")),
        6: ("films", build_times("2001")),
        7: ("films", {"reason": "no time stated"}),
        8: ("films", build_times("1994")),
        # Its own date may be of two years.
        9: ("films", coarse),
        10: ("books", build_times("1994")),
        11: ("companies", build_times("1975-04-04", extent="open")),
        12: ("companies", build_times("1975", "1980")),
        13: ("companies", build_times("1976", extent="open")),
    }
    directors = {1: [ANNA], 2: [ANNA], 3: [ANNA, BEN], 4: [BEN], 5: [CLEO], 6: [DORA], 7: [DORA], 8: [EMIL, NOBODY]}
    directed = [row for n, people in directors.items() for row in linked(n, 57, people)] + linked(9, 57, [CLEO])
    written = linked(10, 50, [ANNA])
    founded = linked(11, 112, [ANNA, BEN]) + linked(12, 112, [ANNA]) + linked(13, 112, [BEN, CLEO])
    statements = directed + written + founded
    values = valued("directed_by", directed) + valued("written_by", written) + valued("founded_by", founded)
    forms = ["director_and_year", "author_and_year", "founder_pair", "founder_and_year"]
    described_subjects = [n for n in members if n != 7]
    found = describe(spark, members, statements, described_subjects, values, PEOPLE, forms)
    assert {key: row.description for key, row in found.items()} == {
        (3, "director_and_year"): "the 1995 film directed by Anna",
        (5, "director_and_year"): "the 1990 film directed by Cleo {x}",
        (8, "director_and_year"): "the 1994 film directed by Emil",
        (10, "author_and_year"): "the book by Anna first published in 1994",
        (11, "founder_pair"): "the company founded by Anna and Ben",
        (11, "founder_and_year"): "the company founded by Ben in 1975",
        (13, "founder_pair"): "the company founded by Ben and Cleo {x}",
        **{key: row.description for key, row in found.items() if key == (13, "founder_and_year")},
    }
    assert found[(13, "founder_and_year")]["items"] in ([BEN], [CLEO])
    assert found[(3, "director_and_year")].properties == [57, 577]
    assert found[(11, "founder_and_year")].properties == [112, 571]
    assert found[(11, "founder_and_year")].mentions_year
    confirmed(found, members, statements, PEOPLE)


def build_universities() -> World:
    members: dict[int, Member] = {
        n: ("universities", build_times(year, extent="open")) for n, year in {1: "1666", 6: "1209", 7: "1810"}.items()
    }
    # The name of the first is that of its town; the third's town has none.
    headquarters = [row for n, town in {1: 11, 6: 12, 7: 13}.items() for row in linked(n, 159, [town])]
    names = {1: "Lund", 6: "Sorbonne", 7: "Humboldt", 11: "Lund", 12: "Paris"}
    values = valued("based_in", headquarters)
    return World(members, headquarters, values, names, list(members), ("headquarters_and_year",))


def test_the_name_of_what_is_described_is_left_out(described: Described) -> None:
    found = described(build_universities())
    assert {key: (row.description, row.properties) for key, row in found.items()} == {
        (6, "headquarters_and_year"): ("the university in Paris founded in 1209", [159, 17, 571]),
    }


@pytest.mark.full
def test_a_fallback_describes_what_no_other_form_does(spark: SparkSession) -> None:
    members: dict[int, Member] = {
        # By its airline; by nothing else, for the airline has two that year; by neither, of 49 deaths; by its airline,
        # whose name is its own.
        1: (ACCIDENTS, build_times("1991-05-26") | {"countries": [20]}),
        2: (ACCIDENTS, build_times("1992-01-01") | {"countries": [20]}),
        3: (ACCIDENTS, build_times("1992-12-31") | {"countries": [20]}),
        4: (ACCIDENTS, build_times("1993-05-01") | {"countries": [20]}),
        5: (ACCIDENTS, build_times("1994-05-01") | {"countries": [20]}),
    }
    airlines = {1: 90, 2: 91, 3: 91, 4: 92, 5: 93}
    deaths = {1: 223, 2: 50, 3: 60, 4: 49, 5: 70}
    operated = [row for n, airline in airlines.items() for row in linked(n, 137, [airline])]
    killed = [build_statement(n, 1120, amount=Decimal(amount)) for n, amount in deaths.items()]
    values = valued("operator", operated) + [
        {"entity": n, "attribute": "deaths", "property": 1120, "amount": Decimal(amount)}
        for n, amount in deaths.items()
    ]
    statements = operated + killed + [row for n in members for row in linked(n, 17, [20])]
    names = {20: "Thailand", 90: "Lauda Air", 91: "Thai Airways", 92: "Air Laos", 93: "Siam Air", 5: "Siam Air"}
    forms = ["deaths", "deaths_in_country", "operator_and_year"]
    found = describe(spark, members, statements, members, values, names, forms)
    assert {key: row.description for key, row in found.items()} == {
        (1, "operator_and_year"): "the 1991 Lauda Air crash",
        (2, "deaths"): "the 1992 air crash that killed 50 people",
        (2, "deaths_in_country"): "the 1992 air crash in Thailand that killed 50 people",
        (3, "deaths"): "the 1992 air crash that killed 60 people",
        (3, "deaths_in_country"): "the 1992 air crash in Thailand that killed 60 people",
        (4, "operator_and_year"): "the 1993 Air Laos crash",
        (5, "deaths"): "the 1994 air crash that killed 70 people",
        (5, "deaths_in_country"): "the 1994 air crash in Thailand that killed 70 people",
    }


def build_coups() -> World:
    members: dict[int, Member] = {
        1: ("coups", build_times("1991-02-23")),
        2: ("coups", build_times("1991-08-19")),
        # Two in a year; one beside an undated one; one over the turn of the year; and one of no country.
        3: ("coups", build_times("1992-01-01")),
        4: ("coups", build_times("1992-12-31")),
        5: ("coups", build_times("1993")),
        6: ("coups", {"reason": "no time stated"}),
        7: ("coups", build_times("1994-12-31", "1995-01-01")),
        8: ("coups", build_times("1996")),
    }
    countries = {1: [20], 2: [21], 3: [20], 4: [20], 5: [22], 6: [22], 7: [20], 8: []}
    statements = [row for n, there in countries.items() for row in linked(n, 17, there)]
    names = {20: "Thailand", 21: "Laos", 22: "Mali"}
    described_subjects = [n for n in members if n != 6]
    values = valued("happened_in", statements)
    return World(members, statements, values, names, described_subjects, ("country_and_year",))


def test_a_country_and_a_year_that_fit_one_coup_only(described: Described) -> None:
    world = build_coups()
    found = described(world)
    assert {key: row.description for key, row in found.items()} == {
        (1, "country_and_year"): "the 1991 coup in Thailand",
        (2, "country_and_year"): "the 1991 coup in Laos",
    }
    row = found[1, "country_and_year"]
    assert (row.properties, row.mentions_year, row["items"], row.country) == ([17], True, [20], None)
    confirmed(found, world.members, world.statements, world.names)


APART = 10_000
SIDE_BY_SIDE = (build_rivals, build_pairs, build_trios, build_universities, build_coups)
"""Worlds that have no class in common, or of a class only what is told by items, whose ids are apart."""


def fill(
    form: str,
    list_: str,
    names: dict[int, str],
    year: int | None,
    country: int | None,
    amount: str | None,
    items: list[int],
) -> str | None:
    """The words of a form with what its check yields; None where something has no name."""
    mentioned = [names.get(item) for item in items]
    if None in mentioned or (country is not None and country not in names):
        return None
    fills = {"class": LISTS[list_].noun, "year": year, "amount": amount, "country": names.get(country or 0)}
    return FORMS[form].says.format(**fills, **dict(zip(("first", "second", "third"), mentioned, strict=False)))


def confirmed(
    found: dict[tuple[int, str], SparkRow],
    members: dict[int, Member],
    statements: list[Row],
    names: dict[int, str],
) -> None:
    """The checks in the templates, over the same facts, give each of these descriptions no rival, and others some."""
    rows = list(statements)
    for n, (list_, time) in members.items():
        rows.append(build_statement(n, 31, LISTS[list_].roots[0]))
        start = LISTS[list_].start[-1]
        if "first_day" in time:
            spans = time["extent"] == "span"
            first = {"first_day": time["first_day"], "last_day": time["start_last"]}
            rows.append(build_statement(n, 580 if spans and start == 585 else start) | first | {"precision": 9})
            if spans and LISTS[list_].end:
                rows.append(
                    build_statement(n, LISTS[list_].end[0], first_day=time["last_day"], last_day=time["last_day"])
                )
    classes = {LISTS[list_].roots[0] for list_, _ in members.values()}
    with duckdb.connect(":memory:") as db:
        labels = [{"item": n, "label": name} for n, name in names.items()]
        _prepare(db, rows, labels, [{"root": c, "class": c} for c in classes])
        # Questions that say every name: a check has all ways to tell a thing to choose from.
        words = " ".join(names.values())
        for n, (list_, _) in members.items():
            db.execute("INSERT INTO d VALUES (?, ?, ?)", [n, list_, LISTS[list_].roots])
            for key in FORMS:
                db.execute("INSERT INTO described VALUES (?, ?, ?)", [n, key, words])
        for key in {key for _, key in found}:
            lists = FORMS[key].lists
            choices = db.execute(
                f"SELECT entity, year, country, amount, items, rivals FROM ({FORMS[key].check})"
            ).fetchall()
            texts = (
                (n, fill(key, members[n][0], names, *mentioned)) for n, *mentioned, rivals in choices if rivals == 0
            )
            free = {(n, text) for n, text in texts if text is not None}
            assert len({(n, *map(str, rest)) for n, *rest in choices}) == len(choices)
            for (n, form), row in found.items():
                if form == key:
                    assert (n, row.description) in free, (n, key, choices)
            assert {n for n, form in found if form == key} >= {
                n for n, _ in free if "reason" not in members[n][1] and (not lists or members[n][0] in lists)
            }, (key, choices)


def _prepare(db: duckdb.DuckDBPyConnection, statements: list[Row], entities: list[Row], classes: list[Row]) -> None:
    """The views that checks read, and the tables `d` and `described`."""
    rows = {STATEMENTS: statements, ENTITIES: entities, SUBCLASSES: classes, POPULARITY: [], QUESTIONS: []}
    rows[DECLARATIONS] = []
    for table, some in rows.items():
        assert not {name for row in some for name in row} - {c.name for c in table.columns}, table.name
        schema = pa.schema([field.with_nullable(True) for field in convert_schema(table)])
        db.register(f"{table.name}_rows", pa.Table.from_pylist(some, schema))
        db.execute(f"CREATE TABLE {table.name} AS FROM {table.name}_rows")
    db.execute(
        "CREATE TABLE parameters AS SELECT NULL::DATE AS window_start, NULL::DATE AS window_end, []::VARCHAR[] AS lists"
    )
    for sql in render_shared_checks().values():
        db.execute(sql)
    db.execute((BUILD.suites.parent / "checks" / "setup.sql").read_text())
    db.execute("CREATE TABLE described (entity BIGINT, form VARCHAR, question VARCHAR)")


def test_every_check_reads_what_there_is() -> None:
    with duckdb.connect(":memory:") as db:
        _prepare(db, [], [], [])
        for form in FORMS.values():
            columns = [(c[0], str(c[1])) for c in db.execute(f"DESCRIBE {form.check}").fetchall()]
            assert [name for name, _ in columns] == ["entity", "year", "country", "amount", "items", "rivals"], form.id


@pytest.mark.parametrize(
    ("attribute", "says"),
    [
        pytest.param("casting", "the {class} in which {first} acted", id="unknown"),
        pytest.param("cast", "the {class} of {year} with {amount}", id="items-told-as-an-amount"),
        pytest.param("deaths", "the {class} of {first}", id="an-amount-told-as-items"),
    ],
)
def test_an_attribute_that_no_pattern_can_mention_is_refused(spark: SparkSession, attribute: str, says: str) -> None:
    form = Description(id="f", kind="item", attribute=attribute, year="{year}" in says, says=says, check="SELECT 1")
    nothing = spark.createDataFrame([], SUBJECTS)
    facts = DescriptionInputs(nothing, nothing, nothing, nothing, nothing)
    with pytest.raises(InputError, match=f"f: {attribute} is no attribute that it can mention"):
        describe_subjects(facts, [form], MENTIONED_ATTRIBUTES, load_entity_lists(), "everwhen")
