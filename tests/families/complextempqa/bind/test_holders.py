from __future__ import annotations

from collections.abc import Callable

import pytest

from count_windows import ALL, EARLY, LATE, collect_answers, format_window
from everwhen.families.complextempqa.bind.holders import (
    MAX_DAYS_BETWEEN,
    MAX_VACANT_DAYS,
    count_handovers,
    count_holders,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from table_rows import ABBOT, BISHOP, COARSE_OFFICE, MINISTER, PRESIDENT, UNNAMED_OFFICE, parse_day

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("three_windows")]

NOT_AT_START = "nobody is known to have held the position at the window's start"
NOT_AT_END = "nobody is known to have held the position at the window's end"
VACANT = "nobody is known to have held the position for some time in the window"
TERM_UNDECIDED = "a term may or may not fall into the window"
AT_EDGE = "a handover touches the first or the last day of the window"
BETWEEN = "days without a known holder lie between two terms"


def test_holders_are_counted_on_any_day_of_the_window(world: WorldTables) -> None:
    rows = count_holders(world, {}).collect()
    assert collect_answers(rows, "position") == {
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
    row = next(r for r in rows if (r.position, format_window(r)) == (PRESIDENT, LATE))
    assert (row.head, row.popular, row.countries, row.topic) == (PRESIDENT, False, [], "medtop:20000610")
    assert (row.span.start, row.span.end) == (parse_day("1992-01-01"), parse_day("1993-12-31"))


def test_a_short_vacancy_is_none(offices: Callable[..., WorldTables]) -> None:
    assert MAX_VACANT_DAYS == 92
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
    rows = [r for r in count_holders(world, {}).collect() if format_window(r) == EARLY]
    assert {r.position: r.reason or r["count"] for r in rows} == {
        1: 2,
        2: VACANT,
        3: 3,
        4: 1,
        5: 2,
        6: NOT_AT_START,
        0: "the position has no unambiguous name",
    }


def test_a_position_changes_hands(offices: Callable[..., WorldTables]) -> None:
    assert MAX_DAYS_BETWEEN == 7
    world = offices(
        {
            # In office again, after somebody else and at once.
            1: [
                (40, "1985-01-01", "1990-06-30"),
                (41, "1990-06-30", "1990-09-30"),
                (40, "1990-09-30", "1992-01-31"),
                (40, "1992-01-31", None),
            ],
            2: [(40, "1985-01-01", None)],
            # Some day of a year; at New Year; seven and eight days later; nobody before.
            3: [(40, "1985-01-01", "1992"), (41, "1992", None)],
            4: [(40, "1985-01-01", "1991-12-31"), (41, "1992-01-01", None)],
            5: [(40, "1985-01-01", "1990-01-31"), (41, "1990-02-07", None)],
            6: [(40, "1985-01-01", "1990-01-31"), (41, "1990-02-08", None)],
            7: [(41, "1990-02-08", None)],
            8: [(40, "1985-01-01", "1992-06-01")],
            0: [(40, "1985-01-01", None)],
        }
    )
    rows = count_handovers(world, {}).collect()
    nameless = "the position has no unambiguous name"
    assert collect_answers(rows, "position") == {
        (1, EARLY): 2,
        (1, LATE): 0,
        (1, ALL): 2,
        (2, EARLY): 0,
        (2, LATE): 0,
        (2, ALL): 0,
        (3, EARLY): 0,
        (3, LATE): AT_EDGE,
        (3, ALL): 1,
        (4, EARLY): AT_EDGE,
        (4, LATE): NOT_AT_START,
        (4, ALL): 1,
        (5, EARLY): 1,
        (5, LATE): 0,
        (5, ALL): 1,
        (6, EARLY): BETWEEN,
        (6, LATE): 0,
        (6, ALL): BETWEEN,
        (7, EARLY): NOT_AT_START,
        (7, LATE): 0,
        (7, ALL): NOT_AT_START,
        (8, EARLY): 0,
        (8, LATE): NOT_AT_END,
        (8, ALL): NOT_AT_END,
        (0, EARLY): nameless,
        (0, LATE): nameless,
        (0, ALL): nameless,
    }
