from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from frames import BISHOP, PRESIDENT, day

from pipeline.questions.bind.comparison import held_first, pair, trio
from pipeline.questions.bind.world import World

pytestmark = pytest.mark.spark


def sets(rows: list[Any], sides: str = "ab") -> Counter[tuple[str, tuple[int, ...]]]:
    """What is compared, and who with whom; however often."""
    return Counter((r.va.key, tuple(sorted(r[x].entity for x in sides))) for r in rows)


def once(*found: tuple[str, tuple[int, ...]]) -> Counter[tuple[str, tuple[int, ...]]]:
    return Counter(found)


def test_events_are_paired_by_time_inside_a_split(world: World) -> None:
    rows = pair(world, {"kind": "event", "by": "time"}).collect()
    assert sets(rows) == once(
        *(("time", two) for two in [(1, 2), (1, 3), (2, 3)]),
        *(("time", two) for two in [(30, 31), (30, 32), (30, 33), (31, 32), (31, 33), (32, 33)]),
    )
    by_pair = {frozenset((r.a.entity, r.b.entity)): r for r in rows}
    row = by_pair[frozenset({1, 2})]
    assert (row.popular, row.countries, row.split, row.reason) == (False, [20, 21], "train", None)
    assert (row.span.start, row.span.end) == (day("1991-05-26"), day("1992-03-31"))
    assert (row.topic, row.head) == (row.a.topic, row.a.entity)
    assert by_pair[frozenset({1, 3})].popular is True
    assert {r.coin for r in rows} == {0, 1}
    for r in rows:
        assert (r.va.first_day, r.va.last_day, r.va.precision) == (r.a.first_day, r.a.last_day, r.a.precision)
    # An item has no time of its own to be compared by.
    assert pair(world, {"kind": "item", "by": "time"}).collect() == []


@pytest.mark.parametrize(
    ("kind", "by", "found"),
    [
        (
            "event",
            "amounts",
            # Death tolls are compared across lists, participants are not.
            once(
                *(("deaths", two) for two in [(1, 2), (1, 3), (2, 3)]), ("survivors", (1, 2)), ("participants", (1, 2))
            ),
        ),
        ("event", "hop amounts", once(("height", (1, 2)))),
        ("item", "times", once(("release", (10, 11)))),
        ("item", "amounts", once(("running_time", (10, 11)))),
        ("item", "hop times", once(("film_birth", (10, 11)))),
        ("item", "hop amounts", once(("film_height", (10, 11)))),
        ("event", "times", once()),
        ("event", "hop times", once()),
    ],
)
def test_things_are_paired_by_the_same_value(
    world: World, kind: str, by: str, found: Counter[tuple[str, tuple[int, ...]]]
) -> None:
    rows = pair(world, {"kind": kind, "by": by}).collect()
    assert sets(rows) == found
    own = {"deaths": {1: 223, 2: 100, 3: 10}, "height": {1: 2565, 2: 100}}
    for row in rows:
        assert row.va.key == row.vb.key
        assert "verb" in row.words or row.words["high"]
        if row.va.key in own:
            assert (row.va.amount, row.vb.amount) == (own[row.va.key][row.a.entity], own[row.va.key][row.b.entity])


def test_three_are_compared_at_once(world: World) -> None:
    params = [("event", "time"), ("event", "amounts"), ("item", "times")]
    rows = [row for kind, by in params for row in trio(world, {"kind": kind, "by": by}).collect()]
    assert sets(rows, "abc") == once(
        ("time", (1, 2, 3)),
        *(("time", three) for three in [(30, 31, 32), (30, 31, 33), (30, 32, 33), (31, 32, 33)]),
        ("deaths", (1, 2, 3)),
    )
    row = next(r for r in rows if r.va.key == "time" and r.split == "train")
    assert (row.popular, row.countries, row.head) == (False, [20, 21], row.a.entity)
    assert (row.span.start, row.span.end) == (day("1990-02-01"), day("1992-03-31"))
    deaths = next(r for r in rows if r.va.key == "deaths")
    assert {x: int(deaths[f"v{x}"].amount) for x in "abc"} == {
        x: {1: 223, 2: 100, 3: 10}[deaths[x].entity] for x in "abc"
    }


def test_order_and_coin_follow_the_seed_alone(world: World, but: Callable[..., World]) -> None:
    def chosen(of: World, relation: Callable[..., Any], sides: str) -> set[tuple[Any, ...]]:
        rows = relation(of, {"kind": "event", "by": "time"}).collect()
        return {(*(r[x].entity for x in sides), r.coin) for r in rows}

    spread = but(things=world.things.repartition(5), values=world.values.repartition(5))
    other = but(seed="other")
    for relation, sides in ((pair, "ab"), (trio, "abc")):
        plain = chosen(world, relation, sides)
        assert chosen(spread, relation, sides) == plain
        assert chosen(other, relation, sides) != plain


def test_who_held_an_office_first(world: World) -> None:
    rows = held_first(world, {}).collect()
    assert Counter((r.position, *sorted((r.a.entity, r.b.entity))) for r in rows) == Counter(
        (office, *two) for office in (PRESIDENT, BISHOP) for two in [(40, 41), (40, 42), (41, 42)]
    )
    starts = {
        PRESIDENT: {40: "1985-01-01", 41: "1992-01-01", 42: "1994-01-01"},
        BISHOP: {40: "1980-01-01", 41: "1985-01-01", 42: "1991-12-01"},
    }
    for r in rows:
        assert r.ta.first_day == day(starts[r.position][r.a.entity])
        assert r.tb.first_day == day(starts[r.position][r.b.entity])
        assert (r.head, r.reason) == (r.a.entity, None)
        assert r.popular == (r.position == PRESIDENT and {r.a.entity, r.b.entity} == {40, 41})
