from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from count_windows import ALL, EARLY, LATE, collect_answers, format_window, set_windows
from everwhen.families.complextempqa.bind.counting import (
    MIN_MEMBERS,
    count,
    count_during_term,
)
from everwhen.families.complextempqa.bind.declared import compare_declarations, with_ranges
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.tables.facts import STATEMENTS
from everwhen.tables.world import MEMBERS
from table_rows import (
    ACCIDENTS,
    PRESIDENT,
    PRIZE,
    QUAKES,
    Row,
    build_statement,
    build_table,
    build_times,
    parse_day,
)

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("three_windows")]

UNDECIDED = "a member may or may not fall into the window"
FEW = "too few members of the class in the window"
IDLE = "the threshold separates nothing in the window"


def declaring(
    world: WorldTables, but: Callable[..., WorldTables], *entries: dict[str, Any], open_counts: bool = False
) -> WorldTables:
    """The small world with declarations of what is complete."""
    settings = {"complete": [{"source": "me", **entry} for entry in entries], "open_counts": open_counts}
    other = but(amounts=world.amounts)
    other.config = world.config.model_copy(update={"families": {"complextempqa": settings}})
    return other


THRESHOLDS: list[tuple[list[int | None], int | None]] = [
    ([24, 32, 32, 32], 30),
    ([52, 52, 64, 64], 60),
    # 155, to one figure 200, which none is above; to two 160.
    ([140, 150, 160, 170], 160),
    # 145, to one figure 100, which all are above; to two 150, a half upwards.
    ([140, 145, 145, 150], None),
    ([5, 5, 5, 5], None),
    ([7, 8, 9, 9], 8),
    # Nobody says what fewer than half of them state.
    ([100, 300, None, None], 200),
    ([100, None, None, None], None),
    ([0, 0, 1, 0], None),
]
"""The amounts of a class, and its threshold."""


def name_classes(world: WorldTables) -> list[str]:
    """The classes of THRESHOLDS, in their order."""
    counted = {row.list for row in world.list_words.where("NOT linked AND list_kind = 'event'").collect()}
    left = counted - {ACCIDENTS, QUAKES, CRASHES, LANDS, IDLE_CLASS, TOO_FEW, TOO_MANY}
    assert len(left) >= len(THRESHOLDS)
    return sorted(left)[: len(THRESHOLDS)]


def name_complete(world: WorldTables) -> tuple[str, str]:
    """Two classes that are declared complete: one whose members all state an amount, and one of which half do."""
    names, amounts = name_classes(world), [amounts for amounts, _ in THRESHOLDS]
    return names[amounts.index([24, 32, 32, 32])], names[amounts.index([100, 300, None, None])]


def list_amounts(world: WorldTables) -> list[tuple[str, int, int | None]]:
    """The amounts of classes whose thresholds are tested: class, member, and what is stated of it."""
    known = [amounts for amounts, _ in THRESHOLDS]
    cases = [(IDLE_CLASS, [10, 20, 35, 40]), *zip(name_classes(world), known, strict=True)]
    return [(of, 1000 + 10 * case + n, x) for case, (of, amounts) in enumerate(cases) for n, x in enumerate(amounts)]


@pytest.fixture(scope="module")
def crowd(world: WorldTables, but: Callable[..., WorldTables]) -> Callable[..., WorldTables]:
    """The small world with more classes of events, by what is declared complete beside two of these."""
    spark = world.spark
    stated = [(n, amount) for _, n, amount in list_amounts(world) if amount is not None]
    amounts = spark.createDataFrame(
        [(n, "deaths", 1120, [], Decimal(amount)) for n, amount in stated],
        "entity bigint, key string, property int, hops array<int>, amount decimal(38,9)",
    )
    lands = spark.createDataFrame([(n, "x", False, [n]) for n in (BEGUN, ENDED)], world.named.schema)
    parts = {
        "members": world.members.unionByName(build_table(spark, MEMBERS, list_members(world))).localCheckpoint(),
        "amounts": world.amounts.unionByName(amounts).localCheckpoint(),
        "named": world.named.unionByName(lands),
    }
    complete = [{"list": of, "start": 1990, "end": 1994, "members": 4} for of in name_complete(world)]
    return lambda *declared, open_counts: declaring(
        world, lambda **more: but(**more | parts), *complete, *declared, open_counts=open_counts
    )


def member(of: str, entity: int, start: str, end: str | None = None, countries: Sequence[int] = ()) -> Row:
    """A member of a list whose time is clear."""
    time = build_times(start, end)
    row: Row = {"list": of, "entity": entity, "certain": True, "countries": list(countries)}
    return row | time | {"earliest": time["first_day"], "latest": time["last_day"]}


CRASHES, LANDS, IDLE_CLASS = "wars", "terrorist_attacks", "tropical_cyclones"
TOO_FEW, TOO_MANY = "battles", "coups"
"""Classes: with another member than accidents have, so too of two countries that begin and end, of a threshold that
splits nothing in two years, and two that are declared with another number of members than there is."""
BEGUN, ENDED = 70, 71


def list_members(world: WorldTables) -> list[Row]:
    """The members of the classes that the crowd has beside those of the small world."""
    amounts, quakes = list_amounts(world), ["1990-01-01", "1990-06-01", "1991-12-31", "1989-12-31"]
    misjudged = [(of, 950 + 10 * k) for k, of in enumerate((TOO_FEW, TOO_MANY))]
    # The accidents of the small world, and one more, of 1993.
    times = [
        ("1991-05-26", None),
        ("1992-03", None),
        ("1990", None),
        ("1991-12-31", "1992-01-01"),
        ("1993-05-01", None),
    ]
    rows = []
    for number, (of, one, other) in enumerate([(CRASHES, 20, 21), (LANDS, BEGUN, ENDED)]):
        countries = [[one], [one, other], [], [22], [other, 22]]
        rows += [
            member(of, 900 + 10 * number + n, *time, countries=those)
            for n, (time, those) in enumerate(zip(times, countries, strict=True))
        ]
    return [
        *rows,
        *(member(of, first + n, day) for of, first in misjudged for n, day in enumerate(quakes)),
        # A year each where a threshold splits nothing; else all on a day.
        *(member(of, n, f"{1990 + n % 10}-01-01" if of == IDLE_CLASS else "1990-01-01") for of, n, _ in amounts),
        {"list": "countries", "entity": BEGUN, "countries": [], "first_day": parse_day("1992-06-01")},
        {"list": "countries", "entity": ENDED, "countries": [], "last_day": parse_day("1991-06-01")},
    ]


YEARS: dict[str, Any] = {"start": 1990, "end": 1993}
DECLARED: list[dict[str, Any]] = [
    {"list": TOO_FEW, "start": 1990, "end": 1994, "members": 2},
    {"list": TOO_MANY, "start": 1990, "end": 1994, "members": 4},
    {"position": PRESIDENT, **YEARS, "members": 2},
    {"award": PRIZE, **YEARS, "members": 5},
    {"films_by": 60, **YEARS, "members": 2},
    {"films_by": "all", **YEARS},
    {"books_by": 1, **YEARS, "members": 1},
]
"""What the crowd declares beside two classes that are complete (`name_complete`)."""


Counted = Callable[..., list[Any]]


WAYS: dict[str, dict[str, Any]] = {
    "": {},
    "country": {"of": "country"},
    "amount": {"above": "attribute"},
    "both": {"of": "country", "above": "attribute"},
}


def count_classes(world: WorldTables, *ways: str) -> Counted:
    """What is counted of these or of all classes: plainly, by country, above a threshold, or both."""
    with pytest.MonkeyPatch.context() as patch:
        set_windows(patch)
        rows = {way: count(world, WAYS[way]).collect() for way in ways}
    return lambda way, *classes: [row for row in rows[way] if not classes or row.list in classes]


@pytest.fixture(scope="module")
def opened(crowd: Callable[..., WorldTables]) -> WorldTables:
    """The crowd in which what is not declared complete is counted, too."""
    return crowd(*DECLARED, open_counts=True)


@pytest.fixture(scope="module")
def counted(opened: WorldTables) -> Counted:
    """What is counted where open counts are."""
    return count_classes(opened, *WAYS)


@pytest.fixture(scope="module")
def closed(crowd: Callable[..., WorldTables]) -> Counted:
    """What is counted where nothing is that is not declared complete."""
    early = {"list": QUAKES, "start": 1990, "end": 1992, "members": 3}
    return count_classes(crowd(early, open_counts=False), "", "amount")


def test_events_are_counted_by_class_and_window(counted: Counted) -> None:
    rows = counted("", ACCIDENTS, QUAKES)
    # A member that is rejected and one that only a year page links to are not counted.
    assert counted("", "occurrences") == []
    assert collect_answers(rows, "list") == {
        (ACCIDENTS, EARLY): UNDECIDED,
        (ACCIDENTS, LATE): UNDECIDED,
        (ACCIDENTS, ALL): 4,
        (QUAKES, EARLY): 3,
        (QUAKES, LATE): 0,
        (QUAKES, ALL): 3,
    }
    (row,) = (r for r in rows if (r.list, format_window(r)) == (QUAKES, EARLY))
    assert (row["class"], row.head, row.plural) == (7944, 7944, "earthquakes")
    assert (row.popular, row.countries, row.threshold, row.more, row.of_id) == (False, [], None, None, None)
    assert (row.happened, row.counted_over) == ("occurred", "known facts")
    assert (row.span.start, row.span.end) == (parse_day("1990-01-01"), parse_day("1991-12-31"))


def test_events_are_counted_by_country_where_the_class_has_five(counted: Counted) -> None:
    assert MIN_MEMBERS == 5
    # In all five years there are four accidents. Laos has one of them, as has the country without a name.
    four = counted("country", ACCIDENTS, QUAKES)
    assert collect_answers(four, "of_id") == {(20, EARLY): FEW, (20, LATE): FEW, (20, ALL): FEW}
    # With another one there are five, and in the others still fewer that surely lie there.
    rows = counted("country", CRASHES)
    assert collect_answers(rows, "of_id") == {
        (20, EARLY): FEW,
        (20, LATE): FEW,
        (20, ALL): 2,
        (21, EARLY): FEW,
        (21, LATE): FEW,
        (21, ALL): 2,
        (22, EARLY): UNDECIDED,
        (22, LATE): UNDECIDED,
        (22, ALL): "the country has no unambiguous name",
    }
    assert {(r.of_id, *r.countries) for r in rows if r.reason is None} == {(20, 20), (21, 21)}


def count_by_country(
    but: Callable[..., WorldTables], world: WorldTables, **changes: Any
) -> dict[int, tuple[str | int, str]]:
    """Count six members of a class that is declared complete, four of country 20 and two of 21, by country over all
    years: the reason or the count, and what it was counted over. `changes` are columns of the last member, or its
    statements of the country."""
    stated = changes.pop("statements", [build_statement(985, 17, 21)])
    rows = [member(CRASHES, 980 + n, "1992-05-01", countries=[21 if n > 3 else 20]) for n in range(6)]
    rows[-1] |= changes
    tables = {MEMBERS: rows, STATEMENTS: stated}
    declared = {"list": CRASHES, "start": 1990, "end": 1994, "members": 6}
    other = declaring(world, lambda **more: but(tables=tables, **more), declared, open_counts=True)
    with pytest.MonkeyPatch.context() as patch:
        set_windows(patch)
        found = [row for row in count(other, WAYS["country"]).collect() if format_window(row) == ALL]
    return {row.of_id: (row.reason or row["count"], row.counted_over) for row in found}


HEDGED = "a possible member is hedged"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {20: (4, "complete"), 21: (2, "complete")}),
        (
            {"countries": [], "statements": [build_statement(985, 17, 20, snak="hedged")]},
            {20: (HEDGED, "complete")},
        ),
        (
            {"statements": [build_statement(985, 17, 21), build_statement(985, 17, 20, snak="hedged")]},
            {20: (HEDGED, "complete"), 21: (2, "complete")},
        ),
        ({"countries": [], "statements": []}, {20: (4, "known facts")}),
        (
            {"countries": [], "statements": [build_statement(985, 17, None, snak="somevalue")]},
            {20: (4, "known facts")},
        ),
        ({"countries": [], "statements": [build_statement(985, 17, None, snak="novalue")]}, {20: (4, "complete")}),
        ({"certain": False}, {20: (4, "complete")}),
    ],
    ids=["certain", "hedged", "another hedged", "not stated", "unknown", "none", "hedged class"],
)
def test_a_count_by_country_tells_what_it_does_not_know(
    but: Callable[..., WorldTables],
    world: WorldTables,
    changes: dict[str, Any],
    expected: dict[int, tuple[str | int, str]],
) -> None:
    assert count_by_country(but, world, **changes) == expected


def test_a_member_by_a_hedged_class_leaves_no_count(but: Callable[..., WorldTables], world: WorldTables) -> None:
    rows = [member(CRASHES, 980 + n, "1992-05-01") for n in range(6)]
    rows[-1]["certain"] = False
    other = declaring(world, lambda **more: but(tables={MEMBERS: rows}, **more), open_counts=True)
    assert collect_answers(count_classes(other, "")("", CRASHES), "list") == {
        (CRASHES, EARLY): 0,
        (CRASHES, LATE): HEDGED,
        (CRASHES, ALL): HEDGED,
    }


def test_no_window_is_outside_the_life_of_a_country(counted: Counted) -> None:
    rows = [row for row in counted("country", LANDS) if row.of_id != 22]
    assert collect_answers(rows, "of_id") == {(BEGUN, LATE): FEW, (ENDED, EARLY): FEW}


def test_a_threshold_that_all_members_are_above_is_not_asked(counted: Counted) -> None:
    # The mean of 10, 20, 35 and 40 is 26, and people say 30: in two years both are above it.
    rows = counted("amount", IDLE_CLASS)
    assert {r.threshold for r in rows} == {30}
    assert collect_answers(rows) == {(EARLY,): IDLE, (LATE,): IDLE, (ALL,): 2}


def test_more_than_the_threshold_is_strict(counted: Counted) -> None:
    rows = counted("amount", ACCIDENTS, QUAKES)
    # Deaths of accidents in the window: 223, 100, 101, and one that states none: the mean is 141, and people say 100.
    # Of earthquakes: 10, 20 (at the threshold and not above), 30; the one of 1989 with 1000 is outside. Survivors: 2
    # and 1, whose mean rounds to 2, and none is above. Two accidents have as many participants.
    assert {(r.list, r.key, int(r.threshold), r.more, r.property) for r in rows} == {
        (ACCIDENTS, "deaths", 100, "had more than 100 deaths", 1120),
        (QUAKES, "deaths", 20, "had more than 20 deaths", 1120),
    }
    assert collect_answers(rows, "list", "key") == {
        # Of these two years a third accident lasts over the end.
        (ACCIDENTS, "deaths", EARLY): IDLE,
        (ACCIDENTS, "deaths", LATE): IDLE,
        (ACCIDENTS, "deaths", ALL): 2,
        (QUAKES, "deaths", EARLY): 1,
        (QUAKES, "deaths", LATE): IDLE,
        (QUAKES, "deaths", ALL): 1,
    }
    assert counted("both") == []


def test_a_threshold_is_what_people_say_and_splits_the_class(world: WorldTables, counted: Counted) -> None:
    """Each list of amounts is that of a class of events."""
    found = [{row.threshold for row in counted("amount", name)} for name in name_classes(world)]
    assert found == [{threshold} if threshold else set() for _, threshold in THRESHOLDS]


@pytest.fixture(scope="module")
def during_terms(world: WorldTables, offices: Callable[..., WorldTables], but: Callable[..., WorldTables]) -> list[Any]:
    """What is counted during terms of office of two classes, of which two declarations say that one is complete."""
    days = [
        (QUAKES, "1990-01-01", "1990-01-10"),
        (QUAKES, "1991-06-01", "1991-06-02"),
        (QUAKES, "1993-05-01", "1993-05-31"),
        (CRASHES, "1992-06-01", "1992-06-01"),
    ]
    members = world.spark.createDataFrame(
        [(of, n, True, [], *map(parse_day, (a, b, a, b))) for n, (of, a, b) in enumerate(days)],
        "list string, entity bigint, certain boolean, countries array<bigint>, earliest date, latest date,"
        " first_day date, last_day date",
    )
    terms = offices(
        {
            # From the day on which an event ends; before all; over two; with an uncertain end.
            1: [(40, "1990-01-10", "1990-12-31"), (41, "1991-01-01", "1993-05-31")],
            2: [(40, "1990-01-11", "1990-12-31"), (41, "1990-12-31", "1993-06-01"), (60, "1993-06-01", None)],
            3: [(42, "1990-02-01", "1991")],
            0: [(61, "1990-02-01", "1990-12-31")],
        }
    ).terms
    declared = [{"list": CRASHES, "start": start, "end": 2000, "members": 1} for start in (1980, 1990)]
    other = declaring(world, lambda **parts: but(members=members, terms=terms, **parts), *declared, open_counts=True)
    return count_during_term(other, {}).collect()


def test_events_are_counted_while_somebody_held_a_position(during_terms: list[Any]) -> None:
    rows = [r for r in during_terms if r.list == QUAKES]
    assert {(r.position, r.subject.entity): r.reason or r["count"] for r in rows} == {
        (1, 40): UNDECIDED,
        (1, 41): UNDECIDED,
        (2, 40): 0,
        (2, 41): 2,
        (3, 42): UNDECIDED,
    }
    row = next(r for r in rows if (r.position, r.subject.entity) == (2, 41))
    assert (row["class"], row.head, row.split, row.countries, row.popular) == (7944, 7944, row.subject.split, [], False)
    assert (row.span.start, row.span.end) == (parse_day("1990-12-31"), parse_day("1993-06-01"))


def test_a_term_within_two_declarations_is_counted_over_once(during_terms: list[Any]) -> None:
    rows = [r for r in during_terms if r.list == CRASHES and r.position == 1 and r.subject.entity == 41]
    assert [(r["count"], r.counted_over, r.reason) for r in rows] == [(1, "complete", None)]


OPEN = "the class is not declared complete"


def test_what_is_declared_is_counted_and_nothing_else(world: WorldTables, closed: Counted) -> None:
    rows = [row for row in closed("") if row.list not in name_complete(world)]
    # Of earthquakes the window that begins in 1992 and the one of all years reach beyond what is declared.
    assert (
        collect_answers(rows, "list").items()
        >= {
            (QUAKES, EARLY): 3,
            (ACCIDENTS, EARLY): OPEN,
            (ACCIDENTS, LATE): OPEN,
            (ACCIDENTS, ALL): OPEN,
        }.items()
    )
    assert {r.reason for r in rows if r.list != QUAKES} >= {OPEN}
    assert [(format_window(r), r.counted_over) for r in rows if r.list == QUAKES] == [(EARLY, "complete")]
    assert {r.list for r in rows if r.reason is None} == {QUAKES}


def test_all_classes_may_be_declared(but: Callable[..., WorldTables], world: WorldTables) -> None:
    other = declaring(world, but, {"list": "all", "start": 1991, "end": 1993})
    classes = world.spark.createDataFrame([(1,), (2,)], "class bigint")
    rows = with_ranges(other, classes, "list", "class").where("since > 1990").orderBy("class").collect()
    assert [tuple(row) for row in rows] == [(n, 1991, 1993, "complete", None) for n in (1, 2)]


@pytest.mark.parametrize("class_", [TOO_FEW, TOO_MANY])
def test_a_declaration_that_the_facts_do_not_meet_counts_nothing(counted: Counted, class_: str) -> None:
    differ = "the facts have another number of members than declared"
    assert collect_answers(counted("", class_)) == {(EARLY,): differ, (LATE,): differ, (ALL,): differ}


def test_a_threshold_that_some_do_not_state_is_one_of_the_facts(world: WorldTables, counted: Counted) -> None:
    for class_, over in zip(name_complete(world), ("complete", "known facts"), strict=True):
        found = {format_window(r): r.counted_over for r in counted("amount", class_)}
        # In the later years there are none, and so none that do not state it.
        assert found == {EARLY: over, LATE: "complete", ALL: over}


def test_a_threshold_that_some_do_not_state_is_open(world: WorldTables, closed: Counted) -> None:
    stated, unstated = name_complete(world)
    assert collect_answers(closed("amount", stated)) == {(EARLY,): 3, (LATE,): IDLE, (ALL,): 3}
    assert collect_answers(closed("amount", unstated)) == {(EARLY,): OPEN, (LATE,): IDLE, (ALL,): OPEN}


def test_what_declarations_number(opened: WorldTables) -> None:
    found = compare_declarations(opened).where("source = 'me'").orderBy("number").collect()
    roots = {entity_list.id: entity_list.roots[0] for entity_list in opened.lists}
    stated, unstated = name_complete(opened)
    assert [(r.what, r.item, r.members, r.found, r.is_complete) for r in found] == [
        ("list", roots[stated], 4, 4, True),
        ("list", roots[unstated], 4, 4, True),
        ("list", roots[TOO_FEW], 2, 3, False),
        ("list", roots[TOO_MANY], 4, 3, False),
        ("position", PRESIDENT, 2, 2, True),
        ("award", PRIZE, 5, 5, True),
        ("films_by", 60, 2, 2, True),
        ("films_by", None, None, None, True),
        # The world has no book by 1.
        ("books_by", 1, 1, None, False),
    ]
