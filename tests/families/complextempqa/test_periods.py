from __future__ import annotations

import pytest

from everwhen.families.complextempqa.bind.periods import (
    LENGTHS,
    LOOKED_AT,
    few_of_each_answer,
    inside,
    list_windows,
    overlaps,
    with_windows,
)
from everwhen.families.complextempqa.bind.world import World
from frames import day, interval

pytestmark = pytest.mark.spark


def test_windows_begin_or_end_with_a_round_year() -> None:
    assert list_windows(1990, 1996) == [(1990, 1994), (1990, 1996), (1991, 1995)]
    assert list_windows(1990, 1993) == []
    windows = list_windows(1900, 2000)
    assert {b - a for a, b in windows} == set(LENGTHS)
    assert all(1900 <= a < b <= 2000 and (a % 5 == 0 or b % 5 == 0) for a, b in windows)


def test_each_thing_has_windows_of_its_own_in_its_ranges(world: World) -> None:
    rows = [("a", 1, 1901, 1999), ("b", 1, 1990, 1996), ("b", 2, 1980, 1985), ("c", 1, 1990, 1993)]
    ranges = world.spark.createDataFrame(rows, "thing string, number int, since int, until int")
    found = with_windows(world, ranges, ["thing"]).collect()
    of = {thing: {(r.first.year, r.last.year) for r in found if r.thing == thing} for thing in "abc"}
    assert len(of["a"]) == LOOKED_AT
    assert of["b"] == {(1990, 1994), (1990, 1996), (1991, 1995), (1980, 1984), (1981, 1985)}
    assert of["c"] == set()
    for r in found:
        years = r.first.year, r.last.year
        assert (r.first, r.last) == (day(f"{years[0]}-01-01"), day(f"{years[1]}-12-31"))
        assert r.when == "from {} to {}".format(*years)
    again = with_windows(world, ranges.repartition(7), ["thing"]).collect()
    assert sorted(map(tuple, again)) == sorted(map(tuple, found))


def test_few_windows_of_the_same_answer_are_asked(world: World) -> None:
    rows = [("a", f"w{n}", n % 2, None) for n in range(40)] + [("b", "w", 0, "why"), ("b", "v", 0, None)]
    counted = world.spark.createDataFrame(rows, "thing string, when string, n int, reason string")
    kept = few_of_each_answer(world, counted, ["thing"], "n")
    assert {(r.thing, r.n, r.reason): r["count"] for r in kept.groupBy("thing", "n", "reason").count().collect()} == {
        ("a", 0, None): 9,
        ("a", 1, None): 9,
        ("b", 0, "why"): 1,
        ("b", 0, None): 1,
    }


def test_the_window_s_edges(world: World) -> None:
    cases = {
        ("1989-12-31", "1989-12-31"): (False, False),
        ("1989-12-31", "1990-01-01"): (True, False),
        ("1990-01-01", "1990-01-01"): (True, True),
        ("1990", "1990"): (True, True),
        ("1990-12-31", "1990-12-31"): (True, True),
        ("1990-12-31", "1991-01-01"): (True, False),
        ("1991-01-01", "1991-01-01"): (False, False),
        ("1980s", "1990s"): (True, False),
    }
    rows = [
        (n, interval(first)[0], interval(last)[1], day("1990-01-01"), day("1990-12-31"))
        for n, (first, last) in enumerate(cases)
    ]
    frame = world.spark.createDataFrame(rows, "n int, first_day date, last_day date, first date, last date")
    found = frame.select("n", overlaps().alias("overlaps"), inside().alias("inside")).collect()
    assert {list(cases)[r.n]: (r.overlaps, r.inside) for r in found} == cases
