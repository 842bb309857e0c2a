from __future__ import annotations

from dataclasses import replace

import pytest

from everwhen.families.complextempqa.bind.periods import inside, overlaps, periods
from everwhen.families.complextempqa.bind.world import World
from frames import day, interval

pytestmark = pytest.mark.spark


def test_periods_lie_in_the_window_and_a_run_cut_short_is_left_out(world: World) -> None:
    rows = periods(world, ["year", "window", "span"]).collect()
    assert [(r.first.isoformat(), r.last.isoformat(), r.when) for r in sorted(rows)] == [
        ("1990-01-01", "1990-12-31", "in 1990"),
        ("1990-01-01", "1991-12-31", "between 1990 and 1991"),
        ("1990-01-01", "1994-12-31", "between 1990 and 1994"),
        ("1991-01-01", "1991-12-31", "in 1991"),
        ("1992-01-01", "1992-12-31", "in 1992"),
        ("1992-01-01", "1993-12-31", "between 1992 and 1993"),
        ("1993-01-01", "1993-12-31", "in 1993"),
        ("1994-01-01", "1994-12-31", "in 1994"),
    ]


def test_a_period_of_two_kinds_stands_there_once(world: World) -> None:
    wide = world.config.model_copy(update={"families": {"complextempqa": {"window_years": 5}}})
    rows = periods(replace(world, config=wide), ["window", "span"]).collect()
    assert [r.when for r in rows] == ["between 1990 and 1994"]


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
