from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from pyspark.sql import DataFrame

from everwhen.families.complextempqa.bind.counting import count
from everwhen.families.complextempqa.bind.holders import count_holders
from everwhen.families.complextempqa.bind.periods import (
    LOOKED_AT,
    is_inside,
    keep_few_of_each_answer,
    list_windows,
    may_be_inside,
    with_windows,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from table_rows import PRESIDENT, QUAKES, parse_day, parse_interval

pytestmark = pytest.mark.spark


def test_windows_are_decades_and_times_between_round_years() -> None:
    # From 1985 to 1995 and to 2000, the nineties, and from 1990 to 2000; the decade from 2000 on ends too late.
    assert list_windows(1984, 2001, 5) == [(1985, 1995), (1985, 2000), (1990, 1999), (1990, 2000)]
    assert list_windows(1990, 1999, 5) == [(1990, 1999)]
    assert list_windows(1990, 1998, 5) == list_windows(1991, 1999, 5) == list_windows(1990, 1990, 5) == []
    assert list_windows(1, 0, 5) == [], "no years at all"


def test_windows_between_round_decades_leave_out_the_years_between() -> None:
    assert list_windows(1984, 2001, 10) == [(1990, 1999), (1990, 2000)]
    assert list_windows(1975, 2005, 10) == [
        (1980, 1989),
        (1980, 1990),
        (1980, 2000),
        (1990, 1999),
        (1990, 2000),
    ]


def test_no_window_is_longer_than_fifty_years() -> None:
    decades = [(year, year + 9) for year in range(1900, 2000, 10)]
    assert list_windows(1900, 2000, 50) == sorted([*decades, (1900, 1950), (1950, 2000)])
    assert max(b - a for a, b in list_windows(1900, 2000, 5)) == 50


def test_each_subject_has_windows_of_its_own_in_its_ranges(world: WorldTables, but: Callable[..., WorldTables]) -> None:
    rows = [("a", 1851, 1999), ("b", 1990, 2003), ("b", 1980, 1989), ("c", 1991, 1999)]
    ranges = make_ranges(world, [(*row, None) for row in rows])
    found = with_windows(world, ranges, ["subject"]).collect()
    of = {subject: {(r.first.year, r.last.year) for r in found if r.subject == subject} for subject in "abc"}
    assert len(of["a"]) == LOOKED_AT
    assert of["b"] == {(1990, 1999), (1990, 2000), (1980, 1989)}
    assert of["c"] == set()
    for r in found:
        years = r.first.year, r.last.year
        assert (r.first, r.last) == (parse_day(f"{years[0]}-01-01"), parse_day(f"{years[1]}-12-31"))
    expected = {"in the 1980s", "in the 1990s", "from 1990 to 2000"}
    assert {r.when for r in found if r.subject == "b"} == expected
    assert {r.when for r in found if (r.first.year, r.last.year) == (1990, 2000)} == {"from 1990 to 2000"}
    again = with_windows(world, ranges.repartition(7), ["subject"]).collect()
    assert sorted(map(tuple, again)) == sorted(map(tuple, found))
    coarse = but(settings={"round_years": 20})
    rounded = with_windows(coarse, ranges.where("subject = 'b'"), ["subject"]).collect()
    assert {r.when for r in rounded} == {"in the 1980s", "in the 1990s"}, "1990 is no round year then"


def make_ranges(world: WorldTables, rows: list[tuple[str, int, int, str | None]]) -> DataFrame:
    return world.spark.createDataFrame(rows, "subject string, since int, until int, range_reason string")


def test_a_window_in_several_ranges_is_of_a_sound_one_then_of_the_latest(world: WorldTables) -> None:
    rows = [("a", 1980, 2010, "why"), ("a", 1989, 2001, None), ("a", 1990, 2003, None), ("a", 1988, 2003, None)]
    for ranges in (make_ranges(world, rows), make_ranges(world, rows[::-1]).repartition(5)):
        found = with_windows(world, ranges, ["subject"]).where("when = 'in the 1990s'").collect()
        assert [(r.since, r.until, r.range_reason) for r in found] == [(1988, 2003, None)]


@pytest.mark.full
def test_classes_are_counted_between_round_years(but: Callable[..., WorldTables]) -> None:
    classes = count(but(years=(1985, 2005)), {}).where(f"list = '{QUAKES}'").collect()
    assert sorted(r.when for r in classes) == ["from 1990 to 2000", "in the 1990s"]
    assert {r["count"] for r in classes} == {3}


def test_holders_are_counted_between_round_years(but: Callable[..., WorldTables]) -> None:
    world = but(years=(1985, 2005), settings={"round_years": 5})
    holders = count_holders(world, {}).where(f"position = {PRESIDENT}").collect()
    assert {r.when: r.reason or r["count"] for r in holders} == {
        # Handed over on the first day of 1992 and on that of 1994.
        "in the 1990s": 3,
        "from 1985 to 1995": 3,
        "from 1985 to 2000": 3,
        "from 1985 to 2005": 3,
        "from 1990 to 2000": 3,
        "from 1990 to 2005": 3,
        "from 1995 to 2005": 1,
    }


def test_few_windows_of_the_same_answer_are_asked(world: WorldTables) -> None:
    rows = [("a", f"w{n}", n % 2, None) for n in range(40)] + [("b", "w", 0, "why"), ("b", "v", 0, None)]
    counted = world.spark.createDataFrame(rows, "subject string, when string, count int, reason string")
    kept = keep_few_of_each_answer(world, counted, ["subject"], "count")
    assert Counter((r.subject, r["count"], r.reason) for r in kept.collect()) == {
        ("a", 0, None): 9,
        ("a", 1, None): 9,
        ("b", 0, "why"): 1,
        ("b", 0, None): 1,
    }


def test_the_window_s_edges(world: WorldTables) -> None:
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
        (n, parse_interval(first)[0], parse_interval(last)[1], parse_day("1990-01-01"), parse_day("1990-12-31"))
        for n, (first, last) in enumerate(cases)
    ]
    df = world.spark.createDataFrame(rows, "n int, first_day date, last_day date, first date, last date")
    found = df.select("n", may_be_inside().alias("overlaps"), is_inside().alias("inside")).collect()
    assert {list(cases)[r.n]: (r.overlaps, r.inside) for r in found} == cases
