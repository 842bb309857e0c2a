from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Row as SparkRow
from pyspark.sql import SparkSession

from everwhen.tables.facts import STATEMENTS
from everwhen.tables.world import AWARDS, POSITION_TERMS, TEMPORAL_FACTS, count_profiles
from everwhen.world.temporal_facts import (
    derive_awards,
    derive_position_terms,
    find_temporal_facts,
    find_term_candidates,
    select_property,
)
from table_rows import Row, build_qualifier, build_statement, build_table, parse_day

pytestmark = pytest.mark.spark

NONE = (None, None, None)
YEAR_1990 = (parse_day("1990-01-01"), parse_day("1990-12-31"), 9)
MONTH_1995 = (parse_day("1995-03-01"), parse_day("1995-03-31"), 10)
DAY_1990 = (parse_day("1990-05-02"), parse_day("1990-05-02"), 11)
DECADE = (parse_day("1990-01-01"), parse_day("1999-12-31"), 8)

# What the qualifiers P580, P582 and P585 say; the kind or the reason, and days and precision of start and end.
CASES: dict[str, tuple[tuple[str | None, str | None, str | None], str, tuple[Any, ...], tuple[Any, ...]]] = {
    "start and end": (("1990", "1995-03", None), "closed", YEAR_1990, MONTH_1995),
    "an end within the start's year": (("1990", "1990-05-02", None), "closed", YEAR_1990, DAY_1990),
    "a point within start and end": (("1990", "1995-03", "1990-05-02"), "closed", YEAR_1990, MONTH_1995),
    "several points within start and end": (("1990", "1995-03", "several"), "closed", YEAR_1990, MONTH_1995),
    "a start alone": (("1990-05-02", None, None), "begun", DAY_1990, NONE),
    "a start and an unknown end": (("1990", "somevalue", None), "begun", YEAR_1990, NONE),
    "a start and no end": (("1990", "novalue", None), "begun", YEAR_1990, NONE),
    "a start and a point": (("1990", None, "1995-03"), "begun", YEAR_1990, NONE),
    "an end alone": ((None, "1995-03", None), "ended", NONE, MONTH_1995),
    "an unknown start and an end": (("somevalue", "1990", None), "ended", NONE, YEAR_1990),
    "a point alone": ((None, None, "1990"), "point", YEAR_1990, YEAR_1990),
    "a point of a decade": ((None, None, "1990s"), "point", DECADE, DECADE),
    "a point and an unknown start": (("somevalue", None, "1990"), "point", YEAR_1990, YEAR_1990),
    "a hedged start": (("hedged", "1990", None), "ended", NONE, YEAR_1990),
    "a hedged end": (("1990", "hedged", None), "begun", YEAR_1990, NONE),
    "several starts": (("several", "1990", None), "several starts", NONE, NONE),
    "several ends": (("1990", "several", None), "several ends", NONE, NONE),
    "several points": ((None, None, "several"), "several points in time", NONE, NONE),
    "nothing known": (("somevalue", "novalue", "somevalue"), "time unknown", NONE, NONE),
    "reversed": (("1990-05-02", "1980", None), "end before start", NONE, NONE),
}
KINDS = {"closed", "begun", "ended", "point"}


def dated(number: int, start: str | None, end: str | None, point: str | None, **fields: Any) -> Row:
    named = {"start_time": start, "end_time": end, "point_in_time": point}
    times = {name: build_qualifier(text) for name, text in named.items() if text}
    return build_statement(number, 26, 500 + number, statement_id=f"s{number}", **times, **fields)


@pytest.fixture(scope="module")
def found(spark: SparkSession) -> dict[str, SparkRow]:
    """Each case as a row of the table."""
    names = list(CASES)
    rows = [dated(number, *CASES[name][0]) for number, name in enumerate(names)]
    facts = TEMPORAL_FACTS.select(find_temporal_facts(build_table(spark, STATEMENTS, rows))).collect()
    assert len(facts) == len(CASES)
    return {names[row.subject_id]: row for row in facts}


@pytest.mark.parametrize("name", CASES)
def test_kind_and_bounds_follow_from_the_qualifiers(found: dict[str, SparkRow], name: str) -> None:
    _, outcome, start, end = CASES[name]
    row = found[name]
    assert (row.kind, row.reason) == ((outcome, None) if outcome in KINDS else (None, outcome))
    assert (row.earliest_start, row.latest_start, row.start_precision) == start
    assert (row.earliest_end, row.latest_end, row.end_precision) == end


def test_each_qualifier_is_kept_as_it_is_stated(found: dict[str, SparkRow]) -> None:
    def snaks(name: str) -> tuple[str | None, ...]:
        return found[name].start_snak, found[name].end_snak, found[name].point_snak

    assert snaks("a start alone") == ("value", None, None)
    assert snaks("a start and an unknown end") == ("value", "somevalue", None)
    assert snaks("a start and no end") == ("value", "novalue", None)
    assert snaks("several points within start and end") == ("value", "value", "several")
    row = found["a point within start and end"]
    assert (row.earliest_point, row.latest_point, row.point_precision) == DAY_1990


def test_deprecated_and_undated_statements_are_no_temporal_facts(spark: SparkSession) -> None:
    rows = [
        dated(1, "1990", None, None, rank="deprecated"),
        dated(2, "1990", None, None, rank="preferred"),
        dated(3, None, None, None),
        dated(4, "1990", None, None),
        dated(5, "1990", None, None, rank="preferred") | {"snak": "somevalue", "value_item": None},
        build_statement(
            6, 1082, amount=Decimal(70), value_text="+70", statement_id="s6", point_in_time=build_qualifier("1990")
        ),
    ]
    facts = TEMPORAL_FACTS.select(find_temporal_facts(build_table(spark, STATEMENTS, rows))).collect()
    assert {
        (r.statement_id, r.subject_id, r.property, r.rank, r.snak, r.value_id, r.amount, r.unit) for r in facts
    } == {
        ("s2", 2, 26, "preferred", "value", 502, None, None),
        ("s4", 4, 26, "normal", "value", 504, None, None),
        ("s5", 5, 26, "preferred", "somevalue", None, None, None),
        ("s6", 6, 1082, "normal", "value", None, Decimal(70), 0),
    }


@pytest.mark.parametrize(
    ("snak", "reason"),
    [("hedged", "Wikidata does not call it certain"), ("unreadable", "the statement could not be read")],
)
def test_the_time_of_an_uncertain_statement_is_of_no_use(spark: SparkSession, snak: str, reason: str) -> None:
    rows = [dated(1, "1990", "1995", None, snak=snak)]
    (row,) = TEMPORAL_FACTS.select(find_temporal_facts(build_table(spark, STATEMENTS, rows))).collect()
    assert (row.kind, row.reason, row.earliest_start, row.start_snak) == (None, reason, None, "value")


def test_a_julian_bound_says_so(spark: SparkSession) -> None:
    start = ("value", "+1700-01-01T00:00:00Z", parse_day("1700-01-11"), parse_day("1700-01-11"), 11, "julian")
    rows = [dated(1, None, "1760", None) | {"start_time": start}]
    (row,) = TEMPORAL_FACTS.select(find_temporal_facts(build_table(spark, STATEMENTS, rows))).collect()
    assert (row.start_calendar, row.end_calendar, row.point_calendar) == ("julian", "gregorian", None)


def test_a_property_is_selected_with_and_without_times(spark: SparkSession) -> None:
    rows = [
        dated(1, "1990", None, None),
        dated(2, None, None, None),
        dated(3, None, None, None, rank="deprecated"),
        dated(4, None, None, None) | {"snak": "novalue", "value_item": None},
        dated(5, "1990", None, None) | {"snak": "somevalue", "value_item": None},
        dated(6, "several", None, None),
        dated(7, None, None, None) | {"property": 27},
        dated(8, None, None, None, snak="hedged"),
        dated(9, "1990", None, None, snak="unreadable"),
        dated(10, None, None, None) | {"snak": "unreadable", "value_item": None},
    ]
    statements = build_table(spark, STATEMENTS, rows)
    facts = TEMPORAL_FACTS.select(find_temporal_facts(statements))
    selected = select_property(facts, statements, 26).collect()
    assert sorted((r.subject_id, r.value_id, r.kind or "", r.start_snak or "", r.reason or "") for r in selected) == [
        (1, 501, "begun", "value", ""),
        (2, 502, "", "", ""),
        (6, 506, "", "several", "several starts"),
        (8, 508, "", "", "Wikidata does not call it certain"),
        (9, 509, "", "value", "the statement could not be read"),
    ]


def test_facts_of_one_profile_become_one_row(spark: SparkSession) -> None:
    rows = [dated(n, "1990", "1995", None) for n in (2, 1)] + [dated(3, None, None, "1990")]
    facts = TEMPORAL_FACTS.select(find_temporal_facts(build_table(spark, STATEMENTS, rows)))
    profiles = {row.kind: row for row in count_profiles(facts).collect()}
    closed, point = profiles["closed"], profiles["point"]
    assert (closed.statement_id, closed.facts, closed.start_bounds, closed.end_bounds) == (
        "s1",
        2,
        "ordered",
        "ordered",
    )
    assert (closed.point_bounds, closed.ends_after_start, closed.bounds_agree) == ("none", True, False)
    assert (point.facts, point.point_bounds, point.bounds_agree) == (1, "ordered", True)


COMPLETE, GAPPED, CONTESTED, OPEN, UNASKED = 100, 200, 300, 400, 500


def test_terms_of_all_ranks_but_deprecated(spark: SparkSession) -> None:
    def term(holder: int, position: int, start: str | None, end: str | None, **fields: str) -> dict[str, object]:
        times = {
            "start_time": build_qualifier(start) if start else None,
            "end_time": build_qualifier(end) if end else None,
        }
        return build_statement(holder, 39, position, statement_id=f"{holder}-{position}", **fields, **times)

    rows = [
        term(1, COMPLETE, "1989-01-20", "1993-01-20"),
        term(2, COMPLETE, "1993-01", "2001"),
        # The one in office is preferred; this hides no earlier term.
        term(3, COMPLETE, "2001-01-20", "novalue", rank="preferred"),
        term(4, COMPLETE, "1950", "1960", rank="deprecated"),
        term(1, GAPPED, "1970", "1980"),
        term(2, GAPPED, None, "1990"),
        term(3, GAPPED, "somevalue", "1990"),
        term(5, GAPPED, "several", "1990"),
        term(6, GAPPED, "1990", "somevalue"),
        term(7, GAPPED, "1990", "several"),
        term(8, GAPPED, "1990-05-02", "1990-05-01"),
        term(10, GAPPED, "1990", "hedged"),
        term(11, GAPPED, "1991", "1992", snak="hedged"),
        term(12, GAPPED, None, None, snak="unreadable"),
        term(1, CONTESTED, "1990", None),
        term(9, CONTESTED, "1991", "novalue"),
        term(1, OPEN, "1990", "1991"),
        term(9, OPEN, "1991", None),
        {**term(9, GAPPED, "1981", "1982"), "statement_id": "9-200"},
        {**term(9, GAPPED, None, None), "statement_id": "9-200-again"},
        term(9, UNASKED, "1991", "1992"),
        build_statement(1, 39, None, snak="somevalue"),
        build_statement(COMPLETE, 1001, 30),
        build_statement(COMPLETE, 1001, 31, rank="deprecated"),
        build_statement(OPEN, 1001, 30),
        build_statement(OPEN, 1001, 31),
        build_statement(1, 31, OPEN),
    ]
    statements = build_table(spark, STATEMENTS, rows)
    facts = TEMPORAL_FACTS.select(find_temporal_facts(statements))
    holders = spark.createDataFrame([(1,), (1,), (77,)], "item_id bigint")
    candidates = find_term_candidates(facts, statements, holders).cache()
    reasons = {row.statement_id: row.reason for row in candidates.collect()}
    assert reasons == {
        "1-100": None,
        "2-100": None,
        "3-100": None,
        "1-200": None,
        "2-200": "no usable start",
        "3-200": "no usable start",
        "5-200": "no usable start",
        "6-200": "no usable end",
        "7-200": "no usable end",
        "8-200": "end before start",
        "10-200": "no usable end",
        "11-200": "Wikidata does not call it certain",
        "12-200": "the statement could not be read",
        "9-200": None,
        "9-200-again": "no usable start",
        "1-300": None,
        "9-300": None,
        "1-400": None,
        "9-400": None,
    }
    found = POSITION_TERMS.select(derive_position_terms(candidates, statements)).collect()
    candidates.unpersist()
    assert {row.statement_id: row.is_complete for row in found} == {
        "1-100": True,
        "2-100": True,
        "3-100": True,
        "1-200": False,
        "9-200": False,
        "1-300": False,
        "9-300": False,
        "1-400": True,
        "9-400": True,
    }
    assert {row.position_id: row.jurisdiction_id for row in found} == {
        COMPLETE: 30,
        GAPPED: None,
        CONTESTED: None,
        OPEN: None,
    }
    # An unusable term counts: who held the position twice has no one day on which he took it up.
    assert {row.statement_id for row in found if not row.is_only_term} == {"9-200"}
    rows_by_id = {row.statement_id: tuple(row)[4:12] for row in found}
    assert rows_by_id["2-100"] == (
        parse_day("1993-01-01"),
        parse_day("1993-01-31"),
        10,
        "gregorian",
        parse_day("2001-01-01"),
        parse_day("2001-12-31"),
        9,
        "gregorian",
    )
    in_office = (parse_day("2001-01-20"), parse_day("2001-01-20"), 11, "gregorian", None, None, None, None)
    assert rows_by_id["3-100"] == in_office


PRIZE, MEDAL, CUP = 100, 200, 300


def test_awards_of_all_ranks_but_deprecated(spark: SparkSession) -> None:
    def won(recipient: int, award: int, when: str | None, key: str, **fields: str) -> dict[str, object]:
        time = {"point_in_time": build_qualifier(when)} if when else {}
        return build_statement(recipient, 166, award, statement_id=key, **fields, **time)

    rows = [
        won(1, PRIZE, "1994", "a"),
        won(1, PRIZE, "1995-03-27", "b", rank="preferred"),
        won(2, PRIZE, "1996", "c"),
        won(3, PRIZE, "1997", "d", rank="deprecated"),
        won(2, MEDAL, None, "e"),
        won(3, MEDAL, "1990s", "f"),
        won(4, MEDAL, "somevalue", "g"),
        won(5, MEDAL, "1990", "h"),
        won(7, CUP, "1990", "k", snak="hedged"),
        won(8, CUP, "1991", "l"),
        won(8, CUP, "hedged", "m"),
        build_statement(6, 166, None, snak="somevalue", statement_id="i"),
        build_statement(6, 31, 5, statement_id="j"),
    ]
    statements = build_table(spark, STATEMENTS, rows)
    facts = TEMPORAL_FACTS.select(find_temporal_facts(statements))
    found = AWARDS.select(derive_awards(facts, statements)).collect()
    assert {r.statement_id: (r.award, r.recipient, r.first_day, r.precision, r.once, r.complete) for r in found} == {
        "a": (PRIZE, 1, parse_day("1994-01-01"), 9, False, True),
        "b": (PRIZE, 1, parse_day("1995-03-27"), 11, False, True),
        "c": (PRIZE, 2, parse_day("1996-01-01"), 9, True, True),
        "e": (MEDAL, 2, None, None, True, False),
        "f": (MEDAL, 3, None, None, True, False),
        "g": (MEDAL, 4, None, None, True, False),
        "h": (MEDAL, 5, parse_day("1990-01-01"), 9, True, False),
        "k": (CUP, 7, None, None, True, False),
        "l": (CUP, 8, parse_day("1991-01-01"), 9, False, False),
        "m": (CUP, 8, None, None, False, False),
    }
