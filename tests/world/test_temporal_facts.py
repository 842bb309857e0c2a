from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Row as SparkRow
from pyspark.sql import SparkSession

from everwhen.tables.statements import STATEMENTS
from everwhen.tables.temporal_facts import TEMPORAL_FACTS, count_profiles
from everwhen.world.temporal_facts import find_temporal_facts, select_property
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
