from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.catalog.load import load_entity_lists
from everwhen.tables.members import MEMBERS
from everwhen.tables.statements import STATEMENTS
from everwhen.world.items import assign_primary_lists, derive_item_candidates, with_countries
from table_rows import build_statement, build_table, build_times

pytestmark = pytest.mark.spark

LISTS = {e.id: e for e in load_entity_lists()}


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
