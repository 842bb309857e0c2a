from __future__ import annotations

from decimal import Decimal

import pytest
from frames import ABBOT, BISHOP, COARSE_OFFICE, CONTESTED, MINISTER, PRESIDENT, UNNAMED_OFFICE, day

from pipeline.questions.bind.attribute import became, described, hop_chain, lifetime, reign, single_value
from pipeline.questions.bind.world import World

pytestmark = pytest.mark.spark


def test_lifetimes_by_kind_and_extent(world: World) -> None:
    rows = lifetime(world, {"kind": "event", "extents": ["instant"]}).collect()
    assert sorted(r.a.entity for r in rows) == [1, 2, 4]
    assert [r.a.entity for r in lifetime(world, {"kind": "event", "extents": ["span", "open"]}).collect()] == [3]
    assert {r.a.entity for r in lifetime(world, {"kind": "item", "extents": ["span"]}).collect()} == {41}
    (row,) = (r for r in rows if r.a.entity == 2)
    assert (row.popular, row.countries, row.topic, row.split, row.head, row.reason) == (
        False,
        [20, 21],
        "medtop:aviation_accidents",
        "train",
        2,
        None,
    )
    assert (row.span.start, row.span.end) == (day("1992-03-01"), day("1992-03-31"))
    assert (row.a.noun, row.a.which, row.a.kind) == ("aviation accident", "Which aviation accident", "event")


def test_single_values_of_things_alone(world: World) -> None:
    rows = single_value(world, {"attributes": ["deaths", "director"]}).collect()
    assert sorted((r.a.entity, r.v.attribute, r.v.amount or r.v.value_item) for r in rows) == [
        (1, "deaths", Decimal(223)),
        (2, "deaths", Decimal(100)),
        (3, "deaths", Decimal(10)),
        (10, "director", 60),
    ]
    assert {r.words.get("noun") for r in rows} == {"death toll", None}
    (film,) = (r for r in rows if r.a.entity == 10)
    assert film.v.entity == 10
    (open_end,) = (r for r in lifetime(world, {"kind": "item", "extents": ["open"]}).collect() if r.a.entity == 42)
    assert (open_end.span.start, open_end.span.end) == (day("1950-02-01"), None)


def test_a_description_tells_another_attribute_than_is_asked(world: World) -> None:
    rows = described(world, {}).collect()
    assert sorted(r.a.entity for r in rows) == [1, 2], "one description an event"
    assert {r.a.entity: r.d.attribute for r in rows}[1] == "deaths"
    rows = described(world, {"attributes": ["country", "deaths"]}).collect()
    assert (1, "country", "deaths") in {(r.a.entity, r.v.attribute, r.d.attribute) for r in rows}
    assert all(r.v.attribute != r.d.attribute for r in rows)


def test_hop_chains(world: World) -> None:
    (row,) = hop_chain(world, {"hops": ["highest_point_of_country"]}).collect()
    assert (row.a.entity, row.h.path, row.h.bridges, row.h.amount) == (1, [17, 610], [20, 70], Decimal(2565))
    assert row.words == {"asked": "elevation of the highest point"}
    assert hop_chain(world, {"hops": []}).collect() == []


def test_who_held_an_office_once_became_its_holder_once(world: World) -> None:
    rows = {(r.a.entity, r.position): r for r in became(world, {}).collect()}
    assert {key: r.reason for key, r in rows.items()} == {
        (40, PRESIDENT): None,
        (41, PRESIDENT): None,
        (42, PRESIDENT): None,
        (40, UNNAMED_OFFICE): "the position has no unambiguous name",
        (41, COARSE_OFFICE): None,
        (40, CONTESTED): "held the position more than once",
        (40, BISHOP): None,
        (41, BISHOP): None,
        (42, BISHOP): None,
        (41, ABBOT): None,
    }
    assert {key for key, r in rows.items() if r.popular} == {(40, PRESIDENT), (41, PRESIDENT)}
    first = rows[41, PRESIDENT].t
    assert (first.first_day, first.start_last, first.start_precision) == (day("1992-01-01"), day("1992-01-01"), 11)


def test_a_year_has_a_holder_from_its_first_day_to_its_last(world: World) -> None:
    rows = reign(world, {}).collect()
    shared, part = "more than one holder in the year", "not held from the first day of the year to the last"
    unnamed, not_asked = "the position has no unambiguous name", "the holder is not asked about"
    assert {(r.position, r.year): r.reason or r.holder for r in rows} == {
        (PRESIDENT, 1990): 40,
        (PRESIDENT, 1991): 40,
        (PRESIDENT, 1992): shared,
        (PRESIDENT, 1993): 41,
        (PRESIDENT, 1994): 42,
        (UNNAMED_OFFICE, 1990): part,
        (UNNAMED_OFFICE, 1991): unnamed,
        (UNNAMED_OFFICE, 1992): unnamed,
        (UNNAMED_OFFICE, 1993): part,
        (MINISTER, 1990): not_asked,
        (MINISTER, 1991): part,
        (COARSE_OFFICE, 1991): part,
        (COARSE_OFFICE, 1992): 41,
        (COARSE_OFFICE, 1993): part,
        (BISHOP, 1990): part,
        (BISHOP, 1991): part,
        (BISHOP, 1992): 42,
        (BISHOP, 1993): part,
        **{(ABBOT, year): part for year in range(1990, 1995)},
    }
    (row,) = (r for r in rows if (r.position, r.year) == (PRESIDENT, 1991))
    assert (row.span.start, row.span.end) == (day("1991-01-01"), day("1991-12-31"))
    assert (row.popular, row.countries, row.head, row.topic) == (True, [], PRESIDENT, "medtop:heads_of_state")
    assert len({r.split for r in rows if r.position == PRESIDENT}) == 1
