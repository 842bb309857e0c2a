from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from count_windows import ALL, EARLY, LATE, collect_answers, format_window
from everwhen.families.complextempqa.bind.works import count_costars, count_works
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.tables.facts import STATEMENTS
from table_rows import build_statement, parse_day

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("three_windows")]

FILMS: dict[str, Any] = {"list": "films", "maker": "directed_by", "date": "release", "declared": "films_by"}
UNDATED, WORK_UNDECIDED = "a work has no usable date", "a work may or may not fall into the window"


def test_works_are_counted_by_maker(world: WorldTables) -> None:
    rows = count_works(world, FILMS).collect()
    # The director 62 is not asked about.
    assert collect_answers(rows, "maker") == {
        (60, EARLY): 1,
        (60, LATE): 1,
        (60, ALL): 2,
        (61, EARLY): UNDATED,
        (61, LATE): UNDATED,
        (61, ALL): UNDATED,
        (63, EARLY): WORK_UNDECIDED,
        (63, LATE): WORK_UNDECIDED,
        (63, ALL): WORK_UNDECIDED,
        # Whether in 1990 or 1991 is not known.
        (64, EARLY): 1,
        (64, LATE): 0,
        (64, ALL): 1,
    }
    assert {(r.subject.entity, tuple(r.countries), r.head) for r in rows} == {
        (60, (20,), 60),
        (61, (), 61),
        (63, (), 63),
        (64, (), 64),
    }
    row = next(r for r in rows if (r.maker, format_window(r)) == (60, LATE))
    assert (row.span.start, row.span.end, row.popular) == (parse_day("1992-01-01"), parse_day("1993-12-31"), False)


def test_no_works_are_counted_of_whom_a_hedged_statement_names(
    but: Callable[..., WorldTables], world: WorldTables
) -> None:
    hedged = [build_statement(12, 57, 60, snak="hedged")]
    rows = count_works(but(tables={STATEMENTS: hedged}), FILMS).collect()
    assert {r.reason for r in rows if r.maker == 60} == {"a possible member is hedged"}
    assert {r.reason for r in rows if r.maker == 64} == {None}


def test_films_of_two_are_counted(world: WorldTables) -> None:
    counted = count_costars(world, {"declared": "films_with"}).collect()
    rows = [
        r.asDict()
        | {"two": tuple(sorted((r.first_subject.entity, r.second_subject.entity))), "window": format_window(r)}
        for r in counted
    ]
    found = {(r["two"], r["window"]): r["reason"] or r["count"] for r in rows}
    assert len(found) == len(rows), "two are asked about in one order"
    # Others of the casts are of another split, are not asked about, or appear with each other once.
    assert found == {
        ((60, 61), EARLY): 3,
        ((60, 61), LATE): 1,
        ((60, 61), ALL): 4,
        ((60, 63), EARLY): WORK_UNDECIDED,
        ((60, 63), LATE): WORK_UNDECIDED,
        ((60, 63), ALL): WORK_UNDECIDED,
        ((61, 63), EARLY): UNDATED,
        ((61, 63), LATE): UNDATED,
        ((61, 63), ALL): UNDATED,
        ((63, 64), EARLY): 2,
        ((63, 64), LATE): 0,
        ((63, 64), ALL): 2,
    }
    assert {(r["head"], r["split"]) for r in rows if r["two"] == (60, 61)} <= {(60, "train"), (61, "train")}
    assert {tuple(r["countries"]) for r in rows if r["two"] == (60, 61)} == {(20,)}
