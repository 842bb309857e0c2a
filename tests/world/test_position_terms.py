from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.tables.position_terms import POSITION_TERMS
from everwhen.tables.statements import STATEMENTS
from everwhen.tables.temporal_facts import TEMPORAL_FACTS
from everwhen.world.position_terms import derive_position_terms, find_term_candidates
from everwhen.world.temporal_facts import find_temporal_facts
from table_rows import build_qualifier, build_statement, build_table, parse_day

pytestmark = pytest.mark.spark

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
