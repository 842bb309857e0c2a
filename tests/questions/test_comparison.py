from __future__ import annotations

import pytest
from frames import day

from pipeline.questions.bind.comparison import pair
from pipeline.questions.bind.world import World

pytestmark = pytest.mark.spark


def test_events_are_paired_by_time_inside_a_split(world: World) -> None:
    rows = pair(world, {"kind": "event", "by": "time"}).collect()
    assert {frozenset((r.a.entity, r.b.entity)) for r in rows} == {
        frozenset({1, 2}),
        frozenset({1, 3}),
        frozenset({2, 3}),
    }
    assert len(rows) == 3
    by_pair = {frozenset((r.a.entity, r.b.entity)): r for r in rows}
    row = by_pair[frozenset({1, 2})]
    assert (row.popular, row.countries, row.split, row.reason) == (False, [20, 21], "train", None)
    assert (row.span.start, row.span.end) == (day("1991-05-26"), day("1992-03-31"))
    assert (row.topic, row.head) == (row.a.topic, row.a.entity)
    assert by_pair[frozenset({1, 3})].popular is True
    assert {r.coin for r in rows} <= {0, 1}


def test_items_are_paired_by_the_same_attribute_of_the_same_list(world: World) -> None:
    params = {"kind": "item", "by": ["release", "publication", "running_time", "birth"], "within": "list"}
    rows = pair(world, params).collect()
    assert sorted((r.va.attribute, *sorted((r.a.entity, r.b.entity))) for r in rows) == [
        ("release", 10, 11),
        ("running_time", 10, 11),
    ]
    for row in rows:
        assert (row.va.entity, row.vb.entity) == (row.a.entity, row.b.entity)
        assert row.va.attribute == row.vb.attribute == row.attribute
    assert {r.attribute: r.words.get("verb") or r.words["adjective_high"] for r in rows} == {
        "release": "released",
        "running_time": "longer",
    }


def test_nothing_without_an_end_is_paired_by_time(world: World) -> None:
    rows = pair(world, {"kind": "item", "by": "time", "within": "list"}).collect()
    assert [{r.a.entity, r.b.entity} for r in rows] == [{10, 11}]
