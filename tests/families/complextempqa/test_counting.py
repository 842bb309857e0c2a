from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from count_windows import ALL, EARLY, LATE, collect_answers, format_window
from everwhen.families.complextempqa.bind.counting import (
    LEAST_MEMBERS,
    count,
    count_during_term,
)
from everwhen.families.complextempqa.bind.declared import compare_declarations
from everwhen.families.complextempqa.bind.world import World
from everwhen.tables.members import MEMBERS
from table_rows import (
    ACCIDENTS,
    PRESIDENT,
    PRIZE,
    QUAKES,
    build_table,
    build_times,
    parse_day,
)

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("three_windows")]

FILMS: dict[str, Any] = {"list": "films", "maker": "directed_by", "date": "release", "declared": "films_by"}
UNDECIDED = "a member may or may not fall into the window"
FEW = "the window has few members of the class"
IDLE = "all members in the window are above the threshold, or none is"


def test_events_are_counted_by_class_and_window(world: World) -> None:
    rows = count(world, {}).collect()
    # A member that is rejected and one that only a year page links to are not counted.
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


def with_a_crash_more(world: World) -> DataFrame:
    """The members of the small world and an accident more, of 1993, in Laos and in a country without a name."""
    crash = build_times("1993-05-01")
    row = {"list": ACCIDENTS, "entity": 19, "countries": [21, 22]} | crash
    row |= {"earliest": crash["first_day"], "latest": crash["last_day"]}
    return world.members.unionByName(build_table(world.spark, MEMBERS, [row]))


def test_events_are_counted_by_country_where_the_class_has_five(but: Callable[..., World], world: World) -> None:
    assert LEAST_MEMBERS == 5
    # In all five years there are four accidents. Laos has one of them, as has the country without a name.
    four = count(world, {"of": "country"}).collect()
    assert collect_answers(four, "of_id") == {(20, EARLY): FEW, (20, LATE): FEW, (20, ALL): FEW}
    # With another one there are five, and in the others still fewer that surely lie there.
    rows = count(but(members=with_a_crash_more(world)), {"of": "country"}).collect()
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


def test_a_threshold_that_all_members_are_above_is_not_asked(but: Callable[..., World], world: World) -> None:
    days = [parse_day("1990-01-01"), parse_day("1991-01-01"), parse_day("1992-01-01"), parse_day("1993-01-01")]
    members = world.spark.createDataFrame(
        [(QUAKES, n, [], d, d, d, d) for n, d in enumerate(days)],
        "list string, entity bigint, countries array<bigint>, earliest date, latest date, first_day date,"
        " last_day date",
    )
    stated = world.spark.createDataFrame(
        [(n, "deaths", 1120, [], Decimal(amount)) for n, amount in enumerate([10, 20, 35, 40])],
        "entity bigint, key string, property int, hops array<int>, amount decimal(38,9)",
    )
    # The mean of 10, 20, 35 and 40 is 26, and people say 30: in two years both are above it.
    rows = count(but(members=members, amounts=stated), {"above": "attribute"}).collect()
    assert {r.threshold for r in rows} == {30}
    assert collect_answers(rows) == {(EARLY,): IDLE, (LATE,): IDLE, (ALL,): 2}


def test_more_than_the_threshold_is_strict(world: World) -> None:
    rows = count(world, {"above": "attribute"}).collect()
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
    assert count(world, {"above": "attribute", "of": "country"}).count() == 0


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


def test_a_threshold_is_what_people_say_and_splits_the_class(but: Callable[..., World], world: World) -> None:
    """Each list of amounts is that of a class of events."""
    classes = [entity_list.id for entity_list in world.lists if entity_list.kind == "event"]
    cases = list(zip(classes, THRESHOLDS, strict=False))
    assert len(cases) == len(THRESHOLDS)
    events = [
        (name, 10 * case + n, amount)
        for case, (name, (amounts, _)) in enumerate(cases)
        for n, amount in enumerate(amounts)
    ]
    days = parse_day("1990-01-01")
    members = world.spark.createDataFrame(
        [(name, n, [], days, days, days, days) for name, n, _ in events],
        "list string, entity bigint, countries array<bigint>, earliest date, latest date, first_day date,"
        " last_day date",
    )
    stated = world.spark.createDataFrame(
        [(n, "deaths", 1120, [], Decimal(amount)) for _, n, amount in events if amount is not None],
        "entity bigint, key string, property int, hops array<int>, amount decimal(38,9)",
    )
    found: dict[str, set[int]] = {}
    for row in count(but(members=members, amounts=stated), {"above": "attribute"}).collect():
        found.setdefault(row.list, set()).add(row.threshold)
    assert found == {name: {threshold} for name, (_, threshold) in cases if threshold}


def test_events_are_counted_while_somebody_held_a_position(
    offices: Callable[..., World], but: Callable[..., World], world: World
) -> None:
    days = [("1990-01-01", "1990-01-10"), ("1991-06-01", "1991-06-02"), ("1993-05-01", "1993-05-31")]
    members = world.spark.createDataFrame(
        [(QUAKES, n, [], parse_day(a), parse_day(b), parse_day(a), parse_day(b)) for n, (a, b) in enumerate(days)],
        "list string, entity bigint, countries array<bigint>, earliest date, latest date, first_day date,"
        " last_day date",
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
    rows = count_during_term(but(members=members, terms=terms), {}).collect()
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


def declaring(world: World, but: Callable[..., World], *entries: dict[str, Any], open_counts: bool = False) -> World:
    """The small world with declarations of what is complete."""
    settings = {"complete": [{"source": "me", **entry} for entry in entries], "open_counts": open_counts}
    other = but(amounts=world.amounts)
    other.config = world.config.model_copy(update={"families": {"complextempqa": settings}})
    return other


def test_a_term_within_two_declarations_is_counted_over_once(
    offices: Callable[..., World], but: Callable[..., World], world: World
) -> None:
    members = world.spark.createDataFrame(
        [(QUAKES, 1, [], *[parse_day("1992-06-01")] * 4)],
        "list string, entity bigint, countries array<bigint>, earliest date, latest date, first_day date,"
        " last_day date",
    )
    terms = offices({1: [(40, "1991-01-01", "1993-05-31")]}).terms
    declared = [{"list": QUAKES, "start": start, "end": 2000, "members": 1} for start in (1980, 1990)]
    other = declaring(world, lambda **parts: but(members=members, terms=terms, **parts), *declared)
    rows = count_during_term(other, {}).collect()
    assert [(r["count"], r.counted_over, r.reason) for r in rows] == [(1, "complete", None)]


OPEN = "what would be counted is not declared complete"


def test_what_is_declared_is_counted_and_nothing_else(but: Callable[..., World], world: World) -> None:
    early = {"list": QUAKES, "start": 1990, "end": 1992, "members": 3}
    rows = count(declaring(world, but, early), {}).collect()
    # Of earthquakes the window that begins in 1992 and the one of all years reach beyond what is declared.
    assert collect_answers(rows, "list") == {
        (QUAKES, EARLY): 3,
        (ACCIDENTS, EARLY): OPEN,
        (ACCIDENTS, LATE): OPEN,
        (ACCIDENTS, ALL): OPEN,
    }
    assert {r.counted_over for r in rows if r.list == QUAKES} == {"complete"}


def test_a_declaration_that_the_facts_do_not_meet_counts_nothing(but: Callable[..., World], world: World) -> None:
    for members in (2, 4):
        entry = {"list": QUAKES, "start": 1990, "end": 1994, "members": members}
        rows = count(declaring(world, but, entry, open_counts=True), {}).where(f"list = '{QUAKES}'").collect()
        differ = "declared complete with another number of members than the facts hold"
        assert collect_answers(rows) == {(EARLY,): differ, (LATE,): differ, (ALL,): differ}
        (row,) = compare_declarations(declaring(world, but, entry)).where("source = 'me'").collect()
        assert (row.what, row.item, row.members, row.found, row.is_complete) == ("list", 7944, members, 3, False)


def test_a_threshold_that_some_do_not_state_is_one_of_the_facts(but: Callable[..., World], world: World) -> None:
    entry = {"list": "all", "start": 1990, "end": 1994}
    rows = count(declaring(world, but, entry, open_counts=True), {"above": "attribute"}).collect()
    # The accident of New Year's Eve states no deaths.
    assert {(r.list, format_window(r)): r.counted_over for r in rows} == {
        (ACCIDENTS, EARLY): "known facts",
        (ACCIDENTS, LATE): "known facts",
        (ACCIDENTS, ALL): "known facts",
        (QUAKES, EARLY): "complete",
        (QUAKES, LATE): "complete",
        (QUAKES, ALL): "complete",
    }
    rows = count(declaring(world, but, entry), {"above": "attribute"}).where(f"list = '{ACCIDENTS}'").collect()
    assert {r.reason for r in rows} == {OPEN}


def test_what_declarations_number(but: Callable[..., World], world: World) -> None:
    years = {"start": 1990, "end": 1993}
    entries = [
        {"position": PRESIDENT, **years, "members": 2},
        {"award": PRIZE, **years, "members": 5},
        {"films_by": 60, **years, "members": 2},
        {"films_by": "all", **years},
        {"books_by": 1, **years, "members": 1},
    ]
    found = compare_declarations(declaring(world, but, *entries)).where("source = 'me'").orderBy("number").collect()
    assert [(r.what, r.item, r.found, r.is_complete) for r in found] == [
        ("position", PRESIDENT, 2, True),
        ("award", PRIZE, 5, True),
        ("films_by", 60, 2, True),
        ("films_by", None, None, True),
        ("books_by", 1, 0, False),
    ]


def test_no_window_is_outside_the_life_of_a_country(but: Callable[..., World], world: World) -> None:
    begun, ended = (
        F.when(F.col("entity") == 20, F.lit(parse_day("1992-06-01"))),
        F.when(F.col("entity") == 21, F.lit(parse_day("1991-06-01"))),
    )
    members = with_a_crash_more(world).withColumns(
        {
            name: F.when(F.col("list") == "countries", bound).otherwise(F.col(name))
            for name, bound in (("first_day", begun), ("last_day", ended))
        }
    )
    rows = count(but(members=members), {"of": "country"}).where("of_id IN (20, 21)").collect()
    assert collect_answers(rows, "of_id") == {(20, LATE): FEW, (21, EARLY): FEW}
