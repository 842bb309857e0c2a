"""Which statements texts mention, from which sides they are seen, and which timelines are complete."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from everwhen.families.time_benchmark.facts import find_whole_timelines, judge_statements, list_sides
from everwhen.families.time_benchmark.reasons import FactReason
from everwhen.tables.facts import STATEMENTS
from everwhen.tables.world import NAMES, TEMPORAL_FACTS
from everwhen.world.temporal_facts import find_temporal_facts
from table_rows import Row, build_qualifier, build_statement, build_table

pytestmark = pytest.mark.spark

ADA, BO, UNITED, ROVERS, COUNCIL, MEMBER, TWIN = 1, 2, 11, 12, 13, 14, 15
LABELS = {
    ADA: "Ada Stone",
    BO: "Bo Reed",
    UNITED: "Southam United",
    ROVERS: "Eastbury Rovers",
    COUNCIL: "Council of Westford",
    MEMBER: "member of the Council of Westford",
}


def state(
    name: str, subject: int, property_: int, value: int | None, start: str | None = None, **fields: object
) -> Row:
    times = {"start_time": build_qualifier(start)} if start else {}
    ended = {"end_time": build_qualifier(str(end))} if (end := fields.pop("end", None)) else {}
    return build_statement(subject, property_, value, statement_id=name, **times, **ended, **fields)


ROWS = {
    "closed": (state("closed", ADA, 54, UNITED, "1990", end="1995-03"), None),
    "begun": (state("begun", ADA, 54, ROVERS, "1996-05-02"), None),
    "no time": (state("no time", BO, 54, UNITED), FactReason.UNDATED),
    "again": (state("closed again", ADA, 54, UNITED, "1990", end="1995-03"), FactReason.DUPLICATE),
    "hedged": (state("hedged", BO, 54, ROVERS, "1990", snak="hedged"), FactReason.NO_VALUE),
    "unknown": (state("unknown", BO, 69, None, "1990", snak="somevalue"), FactReason.NO_VALUE),
    "nameless": (state("nameless", BO, 69, TWIN, "1990"), FactReason.NO_NAME),
    "decade": (state("decade", BO, 108, COUNCIL, "1990s"), FactReason.COARSE),
    "itself": (state("itself", COUNCIL, 463, COUNCIL, "1990"), FactReason.SAME),
    "married": (state("married", ADA, 26, BO, "1991-06-01"), None),
    "married, of the other": (state("married, of the other", BO, 26, ADA, "1991-06-01"), FactReason.DUPLICATE),
    "office of members": (state("office of members", ADA, 39, MEMBER, "2001"), FactReason.SAME_CLAUSE),
    "membership": (state("membership", ADA, 463, COUNCIL, "2002"), FactReason.SAME_CLAUSE),
}


@pytest.fixture(scope="module")
def judged(spark: SparkSession) -> dict[str, Row]:
    """Each statement as it is judged, by its id."""
    return {row["statement_id"]: row.asDict() for row in judge(spark).collect()}


def judge(spark: SparkSession) -> DataFrame:
    statements = build_table(spark, STATEMENTS, [row for row, _ in ROWS.values()])
    names = [
        {"entity": item, "name": label, "long_name": label, "label": label, "method": "label"}
        for item, label in LABELS.items()
    ]
    facts = TEMPORAL_FACTS.select(find_temporal_facts(statements))
    return judge_statements(statements, facts, build_table(spark, NAMES, names))


@pytest.mark.parametrize("case", ROWS)
def test_a_statement_is_a_fact_or_has_a_reason(judged: dict[str, Row], case: str) -> None:
    row, reason = ROWS[case]
    assert judged[row["statement_id"]]["reason"] == reason


def test_what_has_begun_may_end_on_any_later_day(judged: dict[str, Row]) -> None:
    row = judged["begun"]
    assert row["latest_end"] is None
    assert row["earliest_start"] == row["latest_start"] == row["earliest_end"]


def test_spouses_are_on_one_side(spark: SparkSession) -> None:
    rows = list_sides(judge(spark).where("statement_id = 'married'")).collect()
    assert {(row["entity"], row["side"], row["other"]) for row in rows} == {(ADA, "subject", BO), (BO, "subject", ADA)}


def test_a_timeline_with_a_statement_that_is_no_fact_is_not_whole(spark: SparkSession) -> None:
    rows = {(row["entity"], row["property"], row["side"]) for row in find_whole_timelines(judge(spark)).collect()}
    assert (ADA, 54, "subject") in rows
    assert {(UNITED, 54, "value"), (ROVERS, 54, "value"), (BO, 54, "subject")}.isdisjoint(rows)
