from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from everwhen.families.complextempqa.bind.counting import MOST_VACANT, count, count_costars, count_holders, count_works
from everwhen.families.complextempqa.bind.world import World
from frames import ABBOT, ACCIDENTS, BISHOP, COARSE_OFFICE, MINISTER, PRESIDENT, QUAKES, UNNAMED_OFFICE, day

pytestmark = pytest.mark.spark

RUNS: dict[str, Any] = {"periods": ["window", "span"]}
EVENTS = RUNS | {"kind": "event"}
EARLY, LATE, ALL = "between 1990 and 1991", "between 1992 and 1993", "between 1990 and 1994"
UNDECIDED = "a member may or may not fall into the window"


def answers(rows: list[Any], *keys: str, n: str = "n") -> dict[tuple[Any, ...], Any]:
    found = {(*(r[key] for key in keys), r.when): r.reason or r[n] for r in rows}
    assert len(found) == len(rows), "a question stands there once"
    return found


def test_events_are_counted_by_class_and_window(world: World) -> None:
    rows = count(world, EVENTS).collect()
    # A member that is rejected and one that only a year page links to are not counted.
    assert answers(rows, "list") == {
        (ACCIDENTS, EARLY): UNDECIDED,
        (ACCIDENTS, LATE): UNDECIDED,
        (ACCIDENTS, ALL): 4,
        (QUAKES, EARLY): 3,
        (QUAKES, ALL): 3,
    }
    (row,) = (r for r in rows if (r.list, r.when) == (QUAKES, EARLY))
    assert (row["class"], row.head, row.plural, row.noun, row.a_noun) == (
        7944,
        7944,
        "earthquakes",
        "earthquake",
        "an earthquake",
    )
    assert (row.popular, row.countries, row.threshold, row.more, row.of_id, row.hops) == (
        False,
        [],
        None,
        None,
        None,
        [],
    )
    assert (row.span.start, row.span.end) == (day("1990-01-01"), day("1991-12-31"))


def test_events_are_counted_year_by_year(world: World) -> None:
    rows = count(world, EVENTS | {"periods": ["year"]}).where(f"list = '{QUAKES}'").collect()
    assert answers(rows) == {("in 1990",): 2, ("in 1991",): 1}


def test_events_are_counted_by_country(world: World) -> None:
    rows = count(world, EVENTS | {"of": "country"}).collect()
    assert answers(rows, "of_id") == {
        (20, EARLY): 1,
        (20, LATE): 1,
        (20, ALL): 2,
        (21, LATE): 1,
        (21, ALL): 1,
        (22, EARLY): UNDECIDED,
        (22, LATE): UNDECIDED,
        (22, ALL): "the country has no unambiguous name",
    }
    assert {(r.of_id, *r.countries) for r in rows if r.reason is None} == {(20, 20), (21, 21)}
    assert {r.of_id: r.of_name for r in rows} == {20: "Thailand", 21: "Laos", 22: None}


def test_events_are_counted_by_operator(world: World) -> None:
    rows = count(world, EVENTS | {"of": "operator"}).collect()
    unnamed = "the operator has no unambiguous name"
    assert answers(rows, "of_id") == {
        (90, EARLY): UNDECIDED,
        (90, LATE): UNDECIDED,
        (90, ALL): 2,
        (91, LATE): unnamed,
        (91, ALL): unnamed,
    }
    assert {tuple(r.countries) for r in rows} == {()}


def test_more_than_the_threshold_is_strict(world: World) -> None:
    rows = count(world, EVENTS | {"above": "attribute"}).collect()
    # Deaths of accidents in the window: 223, 100, 101, and one that states none: T = floor(424 / 3). Of earthquakes:
    # 10, 20 (at the threshold and not above), 30; the one of 1989 with 1000 lies outside. Survivors: floor(3 / 2). Of
    # two accidents with as many participants, and of one earthquake alone, none is above the mean.
    assert {(r.list, r.key, int(r.threshold), r.more, r.property) for r in rows} == {
        (ACCIDENTS, "deaths", 141, "more than 141 deaths", 1120),
        (ACCIDENTS, "survivors", 1, "more than one survivor", 1561),
        (QUAKES, "deaths", 20, "more than 20 deaths", 1120),
    }
    assert answers(rows, "list", "key") == {
        (ACCIDENTS, "deaths", EARLY): 1,
        (ACCIDENTS, "deaths", ALL): 1,
        (ACCIDENTS, "survivors", EARLY): 1,
        (ACCIDENTS, "survivors", ALL): 1,
        (QUAKES, "deaths", EARLY): 1,
        (QUAKES, "deaths", ALL): 1,
    }
    of_country = count(world, EVENTS | {"above": "attribute", "of": "country"}).where("key = 'deaths'").collect()
    assert answers(of_country, "of_id") == {(20, EARLY): 1, (20, ALL): 1}
    # By the mean of the class, not of those of the country.
    assert {int(r.threshold) for r in of_country} == {141}


def test_thresholds_at_the_end_of_hop_chains(world: World) -> None:
    rows = count(world, EVENTS | {"above": "hop"}).collect()
    assert {(r.key, int(r.threshold), r.more, tuple(r.hops), r.property) for r in rows} == {
        ("height", 1332, "a height above 1,332 metres", (17, 610), 2044)
    }
    assert answers(rows) == {(EARLY,): 1, (ALL,): 1}
    # The mean of -2, -2 and -1 is rounded down too; the films are those of the list, whatever it counts.
    rows = count(world, RUNS | {"kind": "item", "above": "hop"}).collect()
    assert {(r.list, int(r.threshold)) for r in rows} == {("films", -2)}
    assert answers(rows) == {(EARLY,): 1, (ALL,): 1}


def test_years_are_counted_once(world: World) -> None:
    rows = count(world, EVENTS | {"every": "year"}).collect()
    assert answers(rows, "list", n="years") == {
        (ACCIDENTS, EARLY): UNDECIDED,
        (ACCIDENTS, LATE): UNDECIDED,
        (ACCIDENTS, ALL): "a member lasts over a turn of the year",
        (QUAKES, EARLY): 2,
        (QUAKES, ALL): 2,
    }


NOT_AT_START = "nobody is known to have held the position at the window's start"
NOT_AT_END = "nobody is known to have held the position at the window's end"
VACANT = "nobody is known to have held the position for some time in the window"
TERM_UNDECIDED = "a term may or may not fall into the window"


def test_holders_are_counted_on_any_day_of_the_window(world: World) -> None:
    rows = count_holders(world, RUNS).collect()
    assert answers(rows, "position") == {
        (PRESIDENT, EARLY): 1,
        (PRESIDENT, LATE): 2,
        (PRESIDENT, ALL): 3,
        (UNNAMED_OFFICE, EARLY): NOT_AT_START,
        (UNNAMED_OFFICE, LATE): NOT_AT_END,
        (UNNAMED_OFFICE, ALL): NOT_AT_START,
        (MINISTER, EARLY): NOT_AT_END,
        (MINISTER, ALL): NOT_AT_END,
        (COARSE_OFFICE, EARLY): NOT_AT_START,
        (COARSE_OFFICE, LATE): NOT_AT_END,
        (COARSE_OFFICE, ALL): NOT_AT_START,
        (BISHOP, EARLY): VACANT,
        (BISHOP, LATE): NOT_AT_END,
        (BISHOP, ALL): NOT_AT_END,
        # In office until some day of the nineties.
        (ABBOT, EARLY): NOT_AT_END,
        (ABBOT, LATE): TERM_UNDECIDED,
        (ABBOT, ALL): NOT_AT_END,
    }
    row = next(r for r in rows if (r.position, r.when) == (PRESIDENT, LATE))
    assert (row.head, row.popular, row.countries, row.topic) == (PRESIDENT, False, [], "medtop:20000610")
    assert (row.span.start, row.span.end) == (day("1992-01-01"), day("1993-12-31"))


def test_a_short_vacancy_is_none(offices: Callable[..., World]) -> None:
    assert MOST_VACANT == 92
    world = offices(
        {
            # 92 and 93 days later.
            1: [(40, "1985-01-01", "1990-01-31"), (41, "1990-05-03", None)],
            2: [(40, "1985-01-01", "1990-01-31"), (41, "1990-05-04", None)],
            # Somebody else was still there.
            3: [(60, "1980-01-01", "1990-12-31"), (40, "1985-01-01", "1990-01-31"), (41, "1990-12-31", None)],
            # The vacancy is over when the window begins.
            4: [(40, "1980-01-01", "1985-12-31"), (41, "1990-01-01", None)],
            # On the first day, and to the last.
            5: [(40, "1985", "1990-01-01"), (41, "1990-01-02", "1991-12-31"), (60, "1992-01-01", None)],
            6: [(40, "1985", "1989-12-31"), (41, "1990-01-02", None)],
            0: [(40, "1985-01-01", None)],
        }
    )
    rows = count_holders(world, RUNS).where(f"when = '{EARLY}'").collect()
    assert {r.position: r.reason or r.n for r in rows} == {
        1: 2,
        2: VACANT,
        3: 3,
        4: 1,
        5: 2,
        6: NOT_AT_START,
        0: "the position has no unambiguous name",
    }


UNDATED, WORK_UNDECIDED = "a work has no usable date", "a work may or may not fall into the window"
NO_YEAR = "a work's year is not known"


def test_works_are_counted_by_maker(world: World) -> None:
    params = RUNS | {"list": "films", "maker": "directed_by", "date": "release"}
    rows = count_works(world, params).collect()
    # The director 62 is not asked about.
    assert answers(rows, "maker") == {
        (60, EARLY): 1,
        (60, LATE): 1,
        (60, ALL): 2,
        (61, EARLY): UNDATED,
        (61, ALL): UNDATED,
        (63, EARLY): WORK_UNDECIDED,
        (63, LATE): WORK_UNDECIDED,
        (63, ALL): WORK_UNDECIDED,
        (64, EARLY): NO_YEAR,
        (64, ALL): NO_YEAR,
    }
    assert {(r.a.entity, tuple(r.countries), r.head) for r in rows} == {
        (60, (20,), 60),
        (61, (), 61),
        (63, (), 63),
        (64, (), 64),
    }
    row = next(r for r in rows if (r.maker, r.when) == (60, LATE))
    assert (row.span.start, row.span.end, row.popular) == (day("1992-01-01"), day("1993-12-31"), False)


def test_years_with_a_film_of_two_are_counted(world: World) -> None:
    rows = [r.asDict() | {"two": tuple(sorted((r.a.entity, r.b.entity)))} for r in count_costars(world, RUNS).collect()]
    found = {(r["two"], r["when"]): r["reason"] or (r["n"], r["years"]) for r in rows}
    assert len(found) == len(rows), "two are asked about in one order"
    # Three films of two years, and one of a third. Others of the casts are of another split, are not asked about, or
    # appear with each other once.
    assert found == {
        ((60, 61), EARLY): (3, 2),
        ((60, 61), LATE): (1, 1),
        ((60, 61), ALL): (4, 3),
        ((60, 63), EARLY): WORK_UNDECIDED,
        ((60, 63), LATE): WORK_UNDECIDED,
        ((60, 63), ALL): WORK_UNDECIDED,
        ((61, 63), EARLY): UNDATED,
        ((61, 63), ALL): UNDATED,
        ((63, 64), EARLY): NO_YEAR,
        ((63, 64), ALL): NO_YEAR,
    }
    assert {(r["head"], r["split"]) for r in rows if r["two"] == (60, 61)} <= {(60, "train"), (61, "train")}
    assert {tuple(r["countries"]) for r in rows if r["two"] == (60, 61)} == {(20,)}
