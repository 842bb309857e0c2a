from __future__ import annotations

from typing import Any

import pytest
from frames import ABBOT, ACCIDENTS, BISHOP, COARSE_OFFICE, MINISTER, PRESIDENT, QUAKES, UNNAMED_OFFICE, day

from pipeline.questions.bind.counting import count_events, count_holders, count_works, count_years, periods
from pipeline.questions.bind.world import World

pytestmark = pytest.mark.spark

RUNS = {"periods": ["window", "span"]}
UNDECIDED = "a member may or may not fall into the window"


def answers(rows: list[Any], *keys: str) -> dict[tuple[Any, ...], Any]:
    found = {(*(r[key] for key in keys), r.from_year, r.to_year): r.reason or r.n for r in rows}
    assert len(found) == len(rows), "a question stands there once"
    return found


def test_periods_lie_in_the_window(world: World) -> None:
    rows = periods(world, ["year", "window", "span"]).collect()
    assert sorted((r.from_year, r.to_year) for r in rows) == [
        (1990, 1990),
        (1990, 1991),
        (1990, 1994),
        (1991, 1991),
        (1992, 1992),
        (1992, 1993),
        (1993, 1993),
        (1994, 1994),
    ]
    assert all((r.first, r.last) == (day(f"{r.from_year}-01-01"), day(f"{r.to_year}-12-31")) for r in rows)


def test_events_are_counted_by_class_and_window(world: World) -> None:
    rows = count_events(world, RUNS).collect()
    assert answers(rows, "list") == {
        (ACCIDENTS, 1990, 1991): UNDECIDED,
        (ACCIDENTS, 1992, 1993): UNDECIDED,
        (ACCIDENTS, 1990, 1994): 4,
        (QUAKES, 1990, 1991): 3,
        (QUAKES, 1990, 1994): 3,
    }
    (row,) = (r for r in rows if (r.list, r.to_year) == (QUAKES, 1991))
    assert (row["class"], row.head, row.plural, row.popular, row.countries, row.threshold, row.country) == (
        7944,
        7944,
        "earthquakes",
        False,
        [],
        None,
        None,
    )
    assert (row.span.start, row.span.end) == (day("1990-01-01"), day("1991-12-31"))


def test_events_are_counted_by_country(world: World) -> None:
    rows = count_events(world, RUNS | {"by_country": True}).collect()
    assert answers(rows, "country") == {
        (20, 1990, 1991): 1,
        (20, 1992, 1993): 1,
        (20, 1990, 1994): 2,
        (21, 1992, 1993): 1,
        (21, 1990, 1994): 1,
        (22, 1990, 1991): UNDECIDED,
        (22, 1992, 1993): UNDECIDED,
        (22, 1990, 1994): "the country has no unambiguous name",
    }
    assert {tuple(r.countries) for r in rows} == {(20,), (21,), (22,)}


def test_more_than_the_threshold_is_strict(world: World) -> None:
    rows = count_events(world, RUNS | {"above": "deaths"}).collect()
    # Accidents in the window: 223, 100, 101, and one that states none: T = floor(424 / 3). Earthquakes: 10, 20, 30;
    # the one of 1989 with 1000 lies outside.
    assert {(r.list, int(r.threshold)) for r in rows} == {(ACCIDENTS, 141), (QUAKES, 20)}
    assert answers(rows, "list") == {
        (ACCIDENTS, 1990, 1991): 1,
        (ACCIDENTS, 1990, 1994): 1,
        (QUAKES, 1990, 1991): 1,
        (QUAKES, 1990, 1994): 1,
    }


def test_years_are_counted_once(world: World) -> None:
    assert answers(count_years(world, RUNS).collect(), "list") == {
        (ACCIDENTS, 1990, 1991): UNDECIDED,
        (ACCIDENTS, 1992, 1993): UNDECIDED,
        (ACCIDENTS, 1990, 1994): "a member lasts over a turn of the year",
        (QUAKES, 1990, 1991): 2,
        (QUAKES, 1990, 1994): 2,
    }


def test_holders_are_counted_on_any_day_of_the_window(world: World) -> None:
    unknown_before = "nobody is known to have held the position at the window's start"
    undecided = "a term may or may not fall into the window"
    unnamed = "the position has no unambiguous name"
    assert answers(count_holders(world, RUNS).collect(), "position") == {
        (PRESIDENT, 1990, 1991): 1,
        (PRESIDENT, 1992, 1993): 2,
        (PRESIDENT, 1990, 1994): 3,
        (UNNAMED_OFFICE, 1990, 1991): unknown_before,
        (UNNAMED_OFFICE, 1992, 1993): unnamed,
        (UNNAMED_OFFICE, 1990, 1994): unknown_before,
        (MINISTER, 1990, 1991): 1,
        (MINISTER, 1990, 1994): 1,
        (COARSE_OFFICE, 1990, 1991): unknown_before,
        (COARSE_OFFICE, 1992, 1993): 1,
        (COARSE_OFFICE, 1990, 1994): unknown_before,
        # In office until some day of 1990: on its first day at least. From some day of December 1991: on its last.
        (BISHOP, 1990, 1991): 2,
        (BISHOP, 1992, 1993): 1,
        (BISHOP, 1990, 1994): 2,
        # In office until some day of the nineties.
        (ABBOT, 1990, 1991): 1,
        (ABBOT, 1992, 1993): undecided,
        (ABBOT, 1990, 1994): 1,
    }


def test_works_are_counted_by_maker(world: World) -> None:
    params = RUNS | {"list": "films", "maker": "directed_by", "date": "release"}
    rows = count_works(world, params).collect()
    undated, undecided = "a work has no usable date", "a work may or may not fall into the window"
    assert answers(rows, "maker") == {
        (60, 1990, 1991): 1,
        (60, 1992, 1993): 1,
        (60, 1990, 1994): 2,
        (61, 1990, 1991): undated,
        (61, 1990, 1994): undated,
        (63, 1990, 1991): undecided,
        (63, 1992, 1993): undecided,
        (63, 1990, 1994): undecided,
    }
    assert {(r.maker, tuple(r.countries), r.head) for r in rows} == {(60, (20,), 60), (61, (), 61), (63, (), 63)}
