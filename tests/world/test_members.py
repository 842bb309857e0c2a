from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from everwhen.catalog.load import load_entity_lists
from everwhen.tables.facts import LIST_MEMBERS, STATEMENTS, SUBCLASSES
from everwhen.tables.world import MEMBERS
from everwhen.world.members import (
    assign_primary_lists,
    derive_item_candidates,
    derive_lifetimes,
    list_members,
    with_countries,
)
from table_rows import Row, build_statement, build_table, build_times, parse_day

pytestmark = pytest.mark.spark

LISTS = {e.id: e for e in load_entity_lists()}
FILM, SILENT_FILM, ROCK = 11424, 226730, 1
HEAD, PRESIDENT, JUDGE = 48352, 11696, 16533
CLASSES = [(FILM, FILM), (SILENT_FILM, FILM), (HEAD, HEAD), (PRESIDENT, HEAD)]


def test_membership_follows_classes_and_ranks(spark: SparkSession) -> None:
    rows = [
        build_statement(1, 31, FILM),
        build_statement(1, 31, SILENT_FILM),
        build_statement(2, 31, SILENT_FILM),
        build_statement(3, 31, ROCK),
        build_statement(4, 31, FILM),
        build_statement(4, 31, ROCK, rank="preferred"),
        build_statement(5, 31, FILM, rank="deprecated"),
        build_statement(6, 31, FILM),
        build_statement(6, 31, None, rank="preferred", snak="somevalue"),
        build_statement(7, 279, FILM),
        build_statement(11, 39, PRESIDENT),
        build_statement(11, 39, JUDGE, rank="preferred"),
        build_statement(12, 39, PRESIDENT, rank="deprecated"),
        build_statement(13, 39, PRESIDENT),
        build_statement(13, 39, None, rank="preferred", snak="somevalue"),
        build_statement(14, 31, PRESIDENT),
        build_statement(15, 31, FILM, snak="hedged"),
        build_statement(16, 31, FILM, snak="hedged"),
        build_statement(16, 31, SILENT_FILM),
    ]
    found = list_members(
        build_table(spark, STATEMENTS, rows),
        spark.createDataFrame(CLASSES, SUBCLASSES.ddl),
        spark.createDataFrame([], LIST_MEMBERS.ddl),
        [LISTS["films"], LISTS["heads_of_state"]],
    )
    assert sorted(map(tuple, found.collect())) == [
        ("films", 1, True),
        ("films", 2, True),
        ("films", 15, False),
        ("films", 16, True),
        ("heads_of_state", 11, True),
        ("heads_of_state", 13, True),
    ]


def test_a_pulled_list_is_taken_as_it_was_answered(spark: SparkSession) -> None:
    rows = [build_statement(1, 31, FILM), build_statement(11, 39, PRESIDENT)]
    pulled = [("films", 8), ("films", 8), ("films", 9), ("mountains", 10)]
    found = list_members(
        build_table(spark, STATEMENTS, rows),
        spark.createDataFrame(CLASSES, SUBCLASSES.ddl),
        spark.createDataFrame(pulled, LIST_MEMBERS.ddl),
        [LISTS["films"], LISTS["heads_of_state"]],
    )
    assert sorted(map(tuple, found.collect())) == [
        ("films", 8, True),
        ("films", 9, True),
        ("heads_of_state", 11, True),
    ]


# What is stated of a member: pairs of property and time, with other fields of the statement where a third stands.
# Then what comes of it: first day, last day, last day of the start, precision of the start, of all, and extent; or the
# reason why nothing does.
EVENTS: dict[str, tuple[list[tuple[Any, ...]], Any]] = {
    "one day": ([(585, "1991-05-26")], ("1991-05-26", "1991-05-26", "1991-05-26", 11, 11, "instant")),
    "one month": ([(585, "2000-02")], ("2000-02-01", "2000-02-29", "2000-02-29", 10, 10, "instant")),
    "start and end": (
        [(580, "1988-09-17"), (582, "1988-10")],
        ("1988-09-17", "1988-10-31", "1988-09-17", 11, 10, "span"),
    ),
    "a point and an end": ([(585, "1990"), (582, "1991")], ("1990-01-01", "1991-12-31", "1990-12-31", 9, 9, "span")),
    "the start before the point": (
        [(585, "1995"), (580, "1990-01-01"), (582, "1990-01-02")],
        ("1990-01-01", "1990-01-02", "1990-01-01", 11, 11, "span"),
    ),
    "same day": (
        [(580, "1990-01-01"), (582, "1990-01-01")],
        ("1990-01-01", "1990-01-01", "1990-01-01", 11, 11, "span"),
    ),
    "end in the start's year": (
        [(580, "1990"), (582, "1990-03-04")],
        ("1990-01-01", "1990-03-04", "1990-12-31", 9, 9, "span"),
    ),
    "preferred start": (
        [(585, "1990"), (585, "1991", {"rank": "preferred"}), (585, "1992", {"rank": "deprecated"})],
        ("1991-01-01", "1991-12-31", "1991-12-31", 9, 9, "instant"),
    ),
    "nothing": ([], "no time stated"),
    "deprecated alone": ([(585, "1990", {"rank": "deprecated"})], "no time stated"),
    "end alone": ([(582, "1990")], "end without start"),
    "start alone": ([(580, "1990")], "start without end"),
    "somevalue": ([(585, None, {"snak": "somevalue"})], "start unknown"),
    "preferred somevalue": ([(585, "1990"), (585, None, {"snak": "somevalue", "rank": "preferred"})], "start unknown"),
    "unreadable time": ([(585, None)], "start unknown"),
    "hedged": ([(585, "1990", {"snak": "hedged"})], "start unknown"),
    "unreadable and preferred": (
        [(585, "1990"), (585, None, {"snak": "unreadable", "rank": "preferred"})],
        "start unknown",
    ),
    "two starts": ([(585, "1990"), (585, "1991")], "several starts"),
    "two ends": ([(580, "1990"), (582, "1991"), (582, "1992")], "several ends"),
    "unknown end": ([(580, "1990"), (582, None, {"snak": "somevalue"})], "end unknown"),
    "stated not to end": ([(580, "1990"), (582, None, {"snak": "novalue"})], "end unknown"),
    "backwards": ([(580, "1990-05-02"), (582, "1990-05-01")], "end before start"),
}
ITEMS: dict[str, tuple[str, list[tuple[Any, ...]], Any]] = {
    "alive": ("persons", [(569, "1956-07-09")], ("1956-07-09", None, "1956-07-09", 11, 11, "open")),
    "dead": (
        "persons",
        [(569, "1928-05"), (570, "1990-01-02")],
        ("1928-05-01", "1990-01-02", "1928-05-31", 10, 10, "span"),
    ),
    "death unknown": (
        "persons",
        [(569, "1928"), (570, None, {"snak": "somevalue"})],
        ("1928-01-01", None, "1928-12-31", 9, 9, "open"),
    ),
    "two deaths": ("persons", [(569, "1928"), (570, "1990"), (570, "1991")], "several ends"),
    "first release": (
        "films",
        [(577, "1994-07-06"), (577, "1994-06-23"), (577, "1995")],
        ("1994-06-23", "1994-06-23", "1994-06-23", 11, 11, "instant"),
    ),
    "release of a year and of a day in it": (
        "films",
        [(577, "1994"), (577, "1994-06-23")],
        "several publication dates, none clearly the first",
    ),
    "same release twice": (
        "films",
        [(577, "1994"), (577, "1994")],
        ("1994-01-01", "1994-12-31", "1994-12-31", 9, 9, "instant"),
    ),
    "one release unknown": ("films", [(577, "1994"), (577, None, {"snak": "somevalue"})], "start unknown"),
    "a mountain": ("mountains", [(571, "1990")], "no time stated"),
}


def test_every_lifetime_and_every_reason(spark: SparkSession) -> None:
    cases = {name: ("aviation_accidents", stated, expected) for name, (stated, expected) in EVENTS.items()} | ITEMS
    rows: list[Row] = []
    for entity, (_, stated, _) in enumerate(cases.values()):
        rows += [build_statement(entity, p, value, **(more[0] if more else {})) for p, value, *more in stated]
    members = spark.createDataFrame(
        [(list_, entity, True) for entity, (list_, _, _) in enumerate(cases.values())],
        "list string, entity bigint, certain boolean",
    )
    found = derive_lifetimes(members, build_table(spark, STATEMENTS, rows), list(LISTS.values())).collect()
    assert len(found) == len(cases)
    actual, expected, ends = {}, {}, {}
    names = list(cases)
    for row in found:
        time = (row.first_day, row.last_day, row.start_last, row.start_precision, row.precision, row.extent)
        actual[names[row.entity]] = row.reason or time
        ends[names[row.entity]] = row.end_first
        assert row.reason is None or time == (None,) * 6
    for name, (_, _, outcome) in cases.items():
        days = () if isinstance(outcome, str) else tuple(d and parse_day(d) for d in outcome[:3])
        expected[name] = outcome if isinstance(outcome, str) else (*days, *outcome[3:])
    assert actual == expected
    assert (ends["one month"], ends["start and end"]) == (parse_day("2000-02-01"), parse_day("1988-10-01"))
    assert (ends["end in the start's year"], ends["alive"], ends["backwards"]) == (parse_day("1990-03-04"), None, None)


def test_a_time_that_says_how_far_off_it_is_bounds_a_member(spark: SparkSession) -> None:
    wide = {"snak": "hedged", "first_day": parse_day("1985-01-01"), "last_day": parse_day("1995-12-31")}
    rows = [
        *(build_statement(1, 580, "1990", **wide), build_statement(1, 582, "1999")),
        *(
            build_statement(2, 580, "1990", snak="hedged", first_day=None, last_day=None),
            build_statement(2, 582, "1999"),
        ),
    ]
    members = spark.createDataFrame(
        [("aviation_accidents", 1, True), ("aviation_accidents", 2, True)],
        "list string, entity bigint, certain boolean",
    )
    found = derive_lifetimes(members, build_table(spark, STATEMENTS, rows), list(LISTS.values())).collect()
    assert {row.entity: (row.reason, row.earliest, row.latest) for row in found} == {
        1: ("start unknown", parse_day("1985-01-01"), parse_day("1999-12-31")),
        2: ("start unknown", None, None),
    }


def test_the_calendars_of_a_members_time_are_told(spark: SparkSession) -> None:
    rows = [build_statement(1, 580, "1700-01-11", calendar="julian"), build_statement(1, 582, "1760")]
    members = spark.createDataFrame([("aviation_accidents", 1, True)], "list string, entity bigint, certain boolean")
    (row,) = derive_lifetimes(members, build_table(spark, STATEMENTS, rows), list(LISTS.values())).collect()
    assert (row.start_calendar, row.end_calendar) == ("julian", "gregorian")


def test_an_item_list_comes_first_then_the_least_precedence(spark: SparkSession) -> None:
    rows = [
        ("occurrences", 1),
        ("persons", 1),
        ("persons", 2),
        ("heads_of_state", 2),
        ("heads_of_government", 2),
        ("occurrences", 3),
        ("battles", 3),
        ("wars", 3),
        ("occurrences", 4),
        ("no list in use", 5),
    ]
    members = build_table(spark, MEMBERS, [{"list": name, "entity": entity} for name, entity in rows])
    found = assign_primary_lists(members, list(LISTS.values())).collect()
    assert {row.entity: (row.list, row.kind, row.linked) for row in found} == {
        1: ("persons", "item", False),
        2: ("heads_of_state", "item", False),
        3: ("battles", "event", False),
        4: ("occurrences", "event", True),
    }
    assert len(found) == 4


def test_which_items_can_be_asked_about(spark: SparkSession) -> None:
    members = [
        {"list": "films", "entity": 1} | build_times("1994"),
        {"list": "films", "entity": 2, "reason": "no time stated"},
        {"list": "films", "entity": 3},
        {"list": "films", "entity": 4},
        {"list": "books", "entity": 1} | build_times("1986"),
    ]
    primary = [(1, True, None), (2, True, None), (3, False, "few views"), (4, True, "few views")]
    found = derive_item_candidates(
        build_table(spark, MEMBERS, members),
        spark.createDataFrame(
            [(entity, "films", named, place) for entity, named, place in primary],
            "entity bigint, list string, named boolean, place_reason string",
        ),
    ).collect()
    assert sorted((row.entity, row.list, row.reason or "") for row in found) == [
        (1, "films", ""),
        (2, "films", ""),
        (3, "films", "no unambiguous name"),
        (4, "films", "few views"),
    ]


def test_countries_are_those_of_the_list_s_properties(spark: SparkSession) -> None:
    rows = [
        build_statement(1, 495, 30),
        build_statement(1, 495, 16),
        build_statement(1, 495, 16),
        build_statement(1, 17, 99),
        build_statement(2, 495, 30),
        build_statement(2, 495, 16, rank="preferred"),
        build_statement(3, 495, None, snak="somevalue"),
        build_statement(4, 17, 30),
    ]
    members = [{"list": "films", "entity": n} for n in (1, 2, 3)]
    members += [{"list": "wars", "entity": 4}, {"list": "countries", "entity": 4}]
    found = with_countries(
        build_table(spark, MEMBERS, members).drop("countries"),
        build_table(spark, STATEMENTS, rows),
        list(LISTS.values()),
    ).collect()
    assert {(row.list, row.entity): row.countries for row in found} == {
        ("films", 1): [16, 30],
        ("films", 2): [16],
        ("films", 3): [],
        ("wars", 4): [30],
        ("countries", 4): [4],
    }
    assert len(found) == 5
