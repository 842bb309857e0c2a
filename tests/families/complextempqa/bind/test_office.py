from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa.bind.office import (
    find_holders_during,
    find_neighbours,
    find_sole_holders,
    select_terms,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from table_rows import ABBOT, BISHOP, COARSE_OFFICE, CONTESTED, MINISTER, PRESIDENT, UNNAMED_OFFICE, parse_day

pytestmark = pytest.mark.spark

UNNAMED, TWICE = "the position has no unambiguous name", "held the position more than once"
UNCLEAR, NO_HANDOVER = "the order of the holders is unclear", "no handover from one holder to the next"


def neighbours(world: WorldTables, side: str) -> dict[tuple[int, int], Any]:
    """By holder and position: the reason, or else the neighbour."""
    rows = find_neighbours(world, {"side": side}).collect()
    found = {(r.subject.entity, r.position): r.reason or r.neighbour for r in rows}
    assert len(found) == len(rows)
    return found


def test_terms_of_those_who_held_an_office_once(world: WorldTables) -> None:
    rows = {(r.subject.entity, r.position): r for r in select_terms(world, {"closed": False}).collect()}
    assert {key: r.reason for key, r in rows.items()} == {
        (40, PRESIDENT): None,
        (41, PRESIDENT): None,
        (42, PRESIDENT): None,
        (40, UNNAMED_OFFICE): UNNAMED,
        (41, COARSE_OFFICE): None,
        (40, CONTESTED): TWICE,
        (40, BISHOP): None,
        (41, BISHOP): None,
        (42, BISHOP): None,
        (41, ABBOT): None,
    }
    assert {key for key, r in rows.items() if r.popular} == {(40, PRESIDENT), (41, PRESIDENT)}
    term = rows[41, COARSE_OFFICE].term
    assert (term.earliest_start, term.latest_start, term.start_precision) == (
        parse_day("1991-01-01"),
        parse_day("1991-12-31"),
        9,
    )
    assert (term.earliest_end, term.latest_end, term.end_precision) == (
        parse_day("1993-01-01"),
        parse_day("1993-12-31"),
        9,
    )
    closed = {
        (r.subject.entity, r.position)
        for r in select_terms(world, {"closed": True}).select("subject", "position").collect()
    }
    assert set(rows) - closed == {(42, PRESIDENT)}


def test_a_year_has_a_holder_from_its_first_day_to_its_last(world: WorldTables) -> None:
    rows = find_sole_holders(world, {}).collect()
    shared, part = "more than one holder in the year", "not held from the first day of the year to the last"
    not_asked = "the holder is not asked about"
    assert {(r.position, r.year): r.reason or r.holder for r in rows} == {
        (PRESIDENT, 1990): 40,
        (PRESIDENT, 1991): 40,
        (PRESIDENT, 1992): shared,
        (PRESIDENT, 1993): 41,
        (PRESIDENT, 1994): 42,
        (UNNAMED_OFFICE, 1990): part,
        (UNNAMED_OFFICE, 1991): UNNAMED,
        (UNNAMED_OFFICE, 1992): UNNAMED,
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
    assert len(rows) == 23, "a position and year stand there once"
    (row,) = (r for r in rows if (r.position, r.year) == (PRESIDENT, 1991))
    assert (row.span.start, row.span.end) == (parse_day("1991-01-01"), parse_day("1991-12-31"))
    assert (row.popular, row.countries, row.head, row.topic) == (True, [], PRESIDENT, "medtop:heads_of_state")
    ids = world.spark.createDataFrame([(r.holder,) for r in rows], "entity bigint")
    own = dict(ids.select("entity", assign_split(F.col("entity"), world.config)).collect())
    assert {r.holder: r.split for r in rows} == own, "as where it is asked when the holder took office"


def in_splits(but: Callable[..., WorldTables], *groups: tuple[int, ...]) -> WorldTables:
    """The world with a seed by which the subjects of each group are of one split, and those of two groups are not."""
    for seed in map(str, range(1000)):
        found = but(seed=seed)
        ids = found.spark.createDataFrame([(subject,) for group in groups for subject in group], "entity bigint")
        own = dict(ids.select("entity", assign_split(F.col("entity"), found.config)).collect())
        splits = [{own[subject] for subject in group} for group in groups]
        if all(len(each) == 1 for each in splits) and len(set.union(*splits)) == len(groups):
            return found
    raise AssertionError("no seed does so")


def test_a_handover_between_splits_is_not_asked(but: Callable[..., WorldTables]) -> None:
    found = in_splits(but, (40,), (41, 42))
    after, before = neighbours(found, "after"), neighbours(found, "before")
    assert (after[40, PRESIDENT], after[41, PRESIDENT]) == (BindingReason.HOLDER_IN_ANOTHER_SPLIT, 42)
    assert (before[41, PRESIDENT], before[42, PRESIDENT]) == (BindingReason.HOLDER_IN_ANOTHER_SPLIT, 41)


def test_whoever_held_the_office_before_and_after(world: WorldTables) -> None:
    none_before = "nobody is known to have held the position before"
    assert neighbours(world, "before") == {
        (40, PRESIDENT): none_before,
        (41, PRESIDENT): 40,
        (42, PRESIDENT): 41,
        (40, UNNAMED_OFFICE): UNNAMED,
        (41, COARSE_OFFICE): none_before,
        # The first was still in office when the second began; between the second and the third lies a year.
        (40, BISHOP): none_before,
        (41, BISHOP): NO_HANDOVER,
        (42, BISHOP): NO_HANDOVER,
        (41, ABBOT): none_before,
    }
    none_after = "nobody is known to have held the position after"
    assert neighbours(world, "after") == {
        (40, PRESIDENT): 41,
        (41, PRESIDENT): 42,
        (42, PRESIDENT): none_after,
        (40, UNNAMED_OFFICE): UNNAMED,
        (41, COARSE_OFFICE): none_after,
        (40, BISHOP): NO_HANDOVER,
        (41, BISHOP): NO_HANDOVER,
        (42, BISHOP): none_after,
        (41, ABBOT): none_after,
    }


def test_a_handover_shares_one_day_at_most(offices: Callable[..., WorldTables]) -> None:
    ends = {1: "1989-12-30", 2: "1989-12-31", 3: "1990-01-01", 4: "1990-01-02", 5: "1990", 6: "1990-02", 7: None}
    world = offices({n: [(40, "1985-01-01", end), (41, "1990-01-01", None)] for n, end in ends.items()})
    handed = {1: NO_HANDOVER, 2: 40, 3: 40, 4: NO_HANDOVER, 5: 40, 6: NO_HANDOVER, 7: NO_HANDOVER}
    assert {n: found for (who, n), found in neighbours(world, "before").items() if who == 41} == handed
    after = {n: 41 if found == 40 else found for n, found in handed.items()}
    assert {n: found for (who, n), found in neighbours(world, "after").items() if who == 40} == after


def test_no_neighbour_where_a_third_may_have_started_between(offices: Callable[..., WorldTables]) -> None:
    world = offices(
        {
            # Two who start on one day.
            1: [(40, "1990-01-01", "1990-12-31"), (41, "1990-01-01", "1991-12-31"), (42, "1992-01-01", None)],
            # The first of three may have started after the second.
            2: [(40, "1985", "1990-12-31"), (41, "1985-06-01", "1990-12-31"), (42, "1991-01-01", None)],
            # The last of three may have started before the second.
            3: [(40, "1980-01-01", "1990-12-31"), (41, "1990", "1995"), (42, "1990-12-31", None)],
            # Not the next, but the one before it, may have started between.
            4: [
                (60, "1980s", "1990-12-31"),
                (40, "1981", "1982"),
                (41, "1985-01-01", "1990"),
                (42, "1990-01-01", None),
            ],
            # One day is enough to tell the order.
            5: [(40, "1989", "1990-01-01"), (41, "1990-01-01", "1991-01-01"), (42, "1991-01-01", None)],
        }
    )
    before, after = neighbours(world, "before"), neighbours(world, "after")
    assert {key: found for key, found in before.items() if key[0] in (41, 42)} == {
        (41, 1): UNCLEAR,
        (42, 1): UNCLEAR,
        (41, 2): UNCLEAR,
        (42, 2): UNCLEAR,
        (41, 3): UNCLEAR,
        (42, 3): UNCLEAR,
        (41, 4): UNCLEAR,
        (42, 4): UNCLEAR,
        (41, 5): 40,
        (42, 5): 41,
    }
    assert {key: found for key, found in after.items() if key[0] in (40, 41)} == {
        (40, 1): UNCLEAR,
        (41, 1): UNCLEAR,
        (40, 2): UNCLEAR,
        (41, 2): UNCLEAR,
        (40, 3): UNCLEAR,
        (41, 3): UNCLEAR,
        (40, 4): UNCLEAR,
        (41, 4): UNCLEAR,
        (40, 5): 41,
        (41, 5): 42,
    }


def test_only_who_held_the_office_once_has_a_neighbour(world: WorldTables, but: Callable[..., WorldTables]) -> None:
    again = world.terms.withColumns({"complete": world.terms["position"] == CONTESTED})
    rows = find_neighbours(but(terms=again), {"side": "after"}).select("subject.entity", "reason").collect()
    assert [tuple(row) for row in rows] == [(40, TWICE), (40, TWICE)]


def test_who_held_an_office_of_the_country_during_an_event(but: Callable[..., WorldTables]) -> None:
    rows = find_holders_during(in_splits(but, (1, 31, 32, 40, 41, 49)), {"kind": "event"}).collect()
    # Events of several countries, of none, or of a mere year give nothing; nor do offices of no or of another country,
    # and offices whose terms are not all known.
    assert {(r.subject.entity, r.position): r.reason or r.holder for r in rows} == {
        (1, PRESIDENT): 40,
        (1, UNNAMED_OFFICE): UNNAMED,
        (1, MINISTER): 49,
        (30, PRESIDENT): "more than one holder during the event",
        (30, UNNAMED_OFFICE): UNNAMED,
        (31, PRESIDENT): 41,
        (31, UNNAMED_OFFICE): "not held from the first day of the event to the last",
        (32, PRESIDENT): 40,
        (32, UNNAMED_OFFICE): UNNAMED,
    }
    assert len(rows) == 9
    by = {(r.subject.entity, r.position): r for r in rows}
    row = by[1, PRESIDENT]
    assert (row.popular, row.countries, row.head, row.split) == (True, [20], 1, "train")
    assert (row.span.start, row.span.end) == (parse_day("1991-05-26"), parse_day("1991-05-26"))
    assert (by[1, MINISTER].popular, by[32, PRESIDENT].popular) == (False, False)


def test_who_held_an_office_when_a_film_came_out(but: Callable[..., WorldTables]) -> None:
    rows = find_holders_during(in_splits(but, (10, 40, 49)), {"kind": "item", "lists": ["films", "books"]}).collect()
    # A film that nobody knows the day of, of no country, or of a country without offices gives nothing.
    assert {(r.subject.entity, r.position): r.reason or r.holder for r in rows} == {
        (10, PRESIDENT): 40,
        (10, UNNAMED_OFFICE): UNNAMED,
        (10, MINISTER): 49,
    }
    assert {r.verbs["happened"] for r in rows} == {"was first released"}


def test_a_holder_of_another_split_is_not_asked_for(but: Callable[..., WorldTables]) -> None:
    rows = find_holders_during(in_splits(but, (1, 49), (40,)), {"kind": "event"}).collect()
    found = {r.position: r.reason or r.holder for r in rows if r.subject.entity == 1}
    assert (found[PRESIDENT], found[MINISTER]) == (BindingReason.HOLDER_IN_ANOTHER_SPLIT, 49)
