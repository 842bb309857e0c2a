from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.tables.awards import AWARDS
from everwhen.tables.statements import STATEMENTS
from everwhen.tables.temporal_facts import TEMPORAL_FACTS
from everwhen.world.awards import derive_awards
from everwhen.world.temporal_facts import find_temporal_facts
from table_rows import build_qualifier, build_statement, build_table, parse_day

pytestmark = pytest.mark.spark

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
