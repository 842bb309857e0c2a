"""Answers to requests, compared with every choice that coarse dates leave."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

import tdbench_reference as reference
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.reasons import BindReason
from everwhen.families.tdbench.requests.answer import find_answers
from everwhen.families.tdbench.requests.model import Request
from everwhen.families.tdbench.rows import read_tables

pytestmark = pytest.mark.spark

TIME = "start: Start, end: End, as_of: 2025-01-02"
SETS = "sets: [{given: [Key], asked: [Value]}]"
SIGNS = {"before": operator.lt, "after": operator.gt, "on": operator.eq}
DATES = {
    "day": ["2000-01-01", "2000-01-02", "2000-01-03", "2000-02-01", "2001-06-15", "2002-01-01"],
    "month": ["2000-01", "2000-02", "2000-12", "2001-01", "2001-06"],
    "year": ["1999", "2000", "2001", "2002"],
}
ANY_DATE = st.sampled_from([each for dates in DATES.values() for each in dates])


def may_be_in_order(row: reference.Row) -> bool:
    return reference.bound(row.start, "day")[0] <= reference.bound(row.end, "day")[1]


ROWS = st.lists(
    st.builds(reference.Row, st.sampled_from("uvwx"), ANY_DATE, st.none() | ANY_DATE).filter(may_be_in_order),
    min_size=1,
    max_size=4,
    unique=True,
)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    unit = draw(st.sampled_from(list(DATES)))
    dates = st.sampled_from(DATES[unit])
    if draw(st.booleans()):
        first, last = sorted(draw(st.lists(dates, min_size=2, max_size=2, unique=True)))
        relation = draw(st.sampled_from(list(reference.RELATIONS)))
        return {"relation": relation, "b": {"start": first, "end": last}, "granularity": unit}
    sides = draw(st.lists(st.sampled_from(["start", "end"]), min_size=1, max_size=2, unique=True))
    conditions = {side: {draw(st.sampled_from(list(SIGNS))): draw(dates)} for side in sides}
    return {"conditions": conditions, "granularity": unit}


def expect(rows: Sequence[reference.Row], question: dict[str, Any], ends: str) -> list[str] | None:
    unit, is_inclusive = question["granularity"], ends == "inclusive"
    if relation := question.get("relation"):
        first, last = (reference.bound(question["b"][side], unit)[0] for side in ("start", "end"))
        test = reference.RELATIONS[relation]
        fits = lambda start, end: test(start, end, first, last)  # noqa: E731
        if not is_possible(fits, [first, last], lag=int(is_inclusive)):
            return None
        points = relation in reference.OF_POINTS
        return reference.answer(rows, fits, [first, last], unit, points=points, is_inclusive=is_inclusive)
    compared = [  # an end as the table states it, which is the last one
        (side, SIGNS[name], reference.bound(text, unit)[0] + int(is_inclusive and side == "end"))
        for side, condition in question["conditions"].items()
        for name, text in condition.items()
    ]
    fits = lambda start, end: all(test({"start": start, "end": end}[side], at) for side, test, at in compared)  # noqa: E731
    constants = [at for _, _, at in compared]
    if not is_possible(fits, constants, lag=int(is_inclusive)):
        return None
    return reference.answer(rows, fits, constants, unit, points=True, is_inclusive=is_inclusive)


def is_possible(fits: reference.Test, constants: Sequence[int], *, lag: int) -> bool:
    """Whether any row could answer."""
    near = [each + step for each in constants for step in range(-3, 4)]
    return any(fits(start, end) for start in near for end in [*near, reference.NEVER] if start + lag <= end)


def write_csv(keys: Sequence[Sequence[reference.Row]]) -> str:
    lines = [f"{key},{row.value},{row.start},{row.end or ''}" for key, rows in enumerate(keys) for row in rows]
    return "\n".join(["Key,Value,Start,End", *lines, ""])


@pytest.mark.parametrize("ends", ["handover", "inclusive"])
def test_answers_are_those_of_every_choice(spark: SparkSession, declare: Callable[..., Declaration], ends: str) -> None:
    @settings(max_examples=3, phases=[Phase.generate])  # smaller cases would take as long, each
    @given(st.lists(st.tuples(ROWS, st.lists(questions(), min_size=6, max_size=6)), min_size=30, max_size=30))
    def compare(cases: list[tuple[list[reference.Row], list[dict[str, Any]]]]) -> None:
        declaration = declare(write_csv([rows for rows, _ in cases]), f"{TIME}, ends: {ends}", SETS)
        asked = [(key, rows, question) for key, (rows, several) in enumerate(cases) for question in several]
        requests = [
            Request.model_validate({"given": {"Key": str(key)}, "asked": ["Value"], **question})
            for key, _, question in asked
        ]
        answers = list(find_answers(spark, declaration, requests))
        expected = [expect(rows, question, ends) for _, rows, question in asked]
        compared = zip(asked, [each.get("answer") for each in answers], expected, strict=True)
        assert [case for case in compared if case[1] != case[2]] == []
        check_queries(read_tables(spark, [declaration]).rows.toPandas(), answers)

    compare()


def check_queries(rows: Any, answers: Sequence[dict[str, Any]]) -> None:
    """Run the queries in DuckDB: they yield the answers."""
    rows["fields"] = rows["fields"].map(dict)
    with duckdb.connect() as db:
        db.register("pandas_rows", rows)
        db.execute(
            "CREATE TABLE rows AS SELECT * REPLACE (map_from_entries([{'k': 'Key', 'v': fields['Key']},"
            " {'k': 'Value', 'v': fields['Value']}]) AS fields) FROM pandas_rows"
        )
        for each in answers:
            if "sql" in each:
                assert [value for (value,) in db.execute(each["sql"]).fetchall()] == each["answer"]


CSV = """Key,Value,Start,End
a,u,1990,1995
a,v,1995,2001
a,w,2001,
b,u,1990-05-01,1992-05-01
b,v,1991-05-01,1993-05-01
"""


ASKED: list[tuple[str, dict[str, Any], list[str] | str]] = [
    ("a", {"relation": "meets", "b": {"start": "1995", "end": "1997"}}, ["u"]),
    ("a", {"conditions": {"start": {"within": ["1991", "2001"]}}}, ["v", "w"]),
    ("a", {"conditions": {"end": {"after": "2024"}}}, ["w"]),
    ("a", {"conditions": {"start": {"within": ["2011", "1995"]}}}, BindReason.IMPOSSIBLE),
    ("a", {"conditions": {"start": {"before": "1990", "after": "1995"}}}, BindReason.IMPOSSIBLE),
    ("a", {"conditions": {"end": {"on": "1990", "after": "1990"}}}, BindReason.IMPOSSIBLE),
    ("a", {"conditions": {"end": {"on": "2012", "within": ["1995", "2011"]}}}, BindReason.IMPOSSIBLE),
    ("a", {"conditions": {"end": {"after": "2025"}}}, "a date after the last day of the table"),
    ("a", {"conditions": {"end": {"after": "1995-05"}}}, "a date is too coarse to decide"),
    ("b", {"conditions": {"end": {"after": "1980"}}}, "rows of the key contradict its dependency"),
    ("c", {"conditions": {"end": {"after": "1980"}}}, "no row has the given values; none has c as Key"),
    (
        "A",
        {"conditions": {"end": {"after": "1980"}}},
        "no row has the given values; none has A as Key; did you mean a?",
    ),
]


def test_requests_are_answered_or_refused_in_their_order(
    spark: SparkSession, declare: Callable[..., Declaration]
) -> None:
    declaration = declare(CSV, TIME)
    requests = [
        Request.model_validate({"id": number, "given": {"Key": key}, "asked": ["Value"], **question})
        for number, (key, question, _) in enumerate(ASKED)
    ]
    found = list(find_answers(spark, declaration, requests))
    assert [each["id"] for each in found] == list(range(len(ASKED)))
    assert [each.get("answer", each.get("not_asked")) for each in found] == [expected for _, _, expected in ASKED]


def test_an_inclusive_end_is_compared_as_it_is_stated(spark: SparkSession, declare: Callable[..., Declaration]) -> None:
    declaration = declare("Key,Value,Start,End\na,u,1990,1995\na,v,1996,2001\n", f"{TIME}, ends: inclusive")
    request = Request.model_validate({"given": {"Key": "a"}, "asked": ["Value"], "conditions": {"end": {"on": "1995"}}})
    (found,) = find_answers(spark, declaration, [request])
    assert (found["answer"], found["references"][0]["date"]) == (["u"], "1995")


def test_an_inclusive_end_is_before_since_or_after_as_of_as_it_is_stated(
    spark: SparkSession, declare: Callable[..., Declaration]
) -> None:
    csv = "Key,Value,Start,End\na,u,1990-01-01,1995-12-31\na,v,1996-01-01,2024-12-31\n"
    declaration = declare(csv, "start: Start, end: End, since: 1990-01-01, as_of: 2024-12-31, ends: inclusive")
    days = ("1989-12-31", "1995-12-31", "2024-12-31", "2025-01-01")
    requests = [
        Request.model_validate({"given": {"Key": "a"}, "asked": ["Value"], "conditions": {"end": {"on": day}}})
        for day in days
    ]
    found = find_answers(spark, declaration, requests)
    assert [each.get("answer", each.get("not_asked")) for each in found] == [
        BindReason.BEFORE_SINCE,
        ["u"],
        ["v"],
        BindReason.AFTER_AS_OF,
    ]


def test_a_key_that_reads_as_another_is_not_asked(spark: SparkSession, declare: Callable[..., Declaration]) -> None:
    declaration = declare("Key,Value,Start,End\nKöln,u,1990,1995\nKÖLN,v,1996,2001\nBonn,w,1990,1995\n", TIME)
    requests = [
        Request.model_validate({"given": {"Key": key}, "asked": ["Value"], "conditions": {"end": {"on": "1995"}}})
        for key in ("Köln", "Bonn")
    ]
    found = find_answers(spark, declaration, requests)
    assert [each.get("answer", each.get("not_asked")) for each in found] == [BindReason.READS_THE_SAME, ["w"]]
