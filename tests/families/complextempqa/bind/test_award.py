from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.families.complextempqa.bind.award import (
    count_receipts,
    count_recipients,
    find_sole_recipients,
    select_receipts,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from table_rows import LION, MEDAL, NOBEL, OSCAR, PRIZE, parse_day

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("three_windows")]

EARLY, LATE, ALL = "between 1990 and 1991", "between 1992 and 1993", "between 1990 and 1994"
NAMELESS = 999
UNDECIDED = "an award may or may not fall into the window"


def test_awards_are_named_with_their_article(world: WorldTables) -> None:
    rows = world.awards.select("award", "award_label", "award_popular").distinct().collect()
    assert {r.award: (r.award_label, r.award_popular) for r in rows} == {
        PRIZE: ("the Booker Prize", True),
        LION: ("the Golden Lion", False),
        OSCAR: (None, False),
        NOBEL: ("the Nobel Prize in Literature", False),
        MEDAL: ("the Odd Medal", False),
    }


def test_who_won_an_award_once_won_it_at_a_time(world: WorldTables) -> None:
    twice = "received the award more than once"
    rows = {(r.subject.entity, r.award): r for r in select_receipts(world, {}).collect()}
    assert {key: r.reason for key, r in rows.items()} == {
        (60, PRIZE): twice,
        (61, PRIZE): twice,
        (63, PRIZE): None,
        (40, PRIZE): None,
        (41, PRIZE): None,
        (60, LION): twice,
        (60, OSCAR): BindingReason.NAMELESS_AWARD,
        (61, OSCAR): BindingReason.NAMELESS_AWARD,
        (60, NOBEL): "no usable time",
        (61, NOBEL): None,
        (40, NOBEL): twice,
        (63, NOBEL): twice,
        (61, MEDAL): None,
    }
    assert (rows[61, NOBEL].receipt.first_day, rows[61, NOBEL].receipt.precision) == (parse_day("1991-01-01"), 9)
    assert (rows[40, PRIZE].popular, rows[61, NOBEL].popular) == (True, False)
    assert (rows[40, PRIZE].head, rows[40, PRIZE].countries) == (40, [20])


def test_single_recipient_of_an_award_by_year(world: WorldTables) -> None:
    rows = find_sole_recipients(world, {}).collect()
    assert {(r.award, r.year): r.reason or r.recipient for r in rows} == {
        (PRIZE, 1990): 60,
        (PRIZE, 1991): 61,
        (PRIZE, 1992): "more than one recipient in the year",
        (PRIZE, 1993): 40,
        (PRIZE, 1994): 41,
        (LION, 1990): 60,
        (LION, 1992): 60,
        (OSCAR, 1990): BindingReason.NAMELESS_AWARD,
        (OSCAR, 1991): BindingReason.NAMELESS_AWARD,
        (MEDAL, 1991): 61,
    }
    assert len(rows) == 10
    row = next(r for r in rows if (r.award, r.year) == (PRIZE, 1993))
    assert (row.popular, row.countries, row.head) == (True, [], PRIZE)
    assert (row.span.start, row.span.end) == (parse_day("1993-01-01"), parse_day("1993-12-31"))
    assert row.topic == next(e.topic for e in world.lists if e.id == "award_ceremonies")
    ids = world.spark.createDataFrame([(r.recipient,) for r in rows], "entity bigint")
    own = dict(ids.select("entity", assign_split(F.col("entity"), world.config)).collect())
    assert {r.recipient: r.split for r in rows} == own, "as where it is asked when the recipient won"


def window(row: Any) -> str:
    """The years of a row's window, in one form."""
    return f"between {row.span.start.year} and {row.span.end.year}"


def counted(rows: list[Any], *keys: str) -> dict[tuple[Any, ...], Any]:
    found = {(*(r[key] for key in keys), window(r)): r.reason or r["count"] for r in rows}
    assert len(found) == len(rows)
    return found


def test_wins_are_counted_of_those_who_won_more_than_once(world: WorldTables) -> None:
    rows = count_receipts(world, {}).collect()
    undated, doubled = "an award was received at an unknown time", "the award is stated twice for the same time"
    # Of what somebody received once nothing is counted, nor a time in which it was never.
    assert counted(rows, "recipient", "award") == {
        (60, PRIZE, EARLY): 1,
        (60, PRIZE, LATE): BindingReason.NONE_IN_PERIOD,
        (60, PRIZE, ALL): 1,
        (61, PRIZE, EARLY): 1,
        (61, PRIZE, LATE): 1,
        (61, PRIZE, ALL): 2,
        (60, LION, EARLY): 1,
        (60, LION, LATE): 1,
        (60, LION, ALL): 2,
        (40, NOBEL, EARLY): undated,
        (40, NOBEL, LATE): undated,
        (40, NOBEL, ALL): undated,
        (63, NOBEL, EARLY): doubled,
        (63, NOBEL, LATE): doubled,
        (63, NOBEL, ALL): doubled,
    }
    assert {r.counted_over for r in rows} == {"known facts"}
    row = next(r for r in rows if (r.recipient, r.award, window(r)) == (60, LION, LATE))
    assert (row.subject.entity, row.head, row.popular, row.countries) == (60, 60, False, [20])
    assert (row.span.start, row.span.end) == (parse_day("1992-01-01"), parse_day("1993-12-31"))


def test_a_win_on_a_known_day_may_be_for_the_year_before(world: WorldTables, but: Callable[..., WorldTables]) -> None:
    # 63 won at the end of 1992, and 40 on the first day of 1993: each once more, on a day.
    more = {63: "1990-05-05", 40: "1991-06-06"}
    again = world.awards.where(f"award = {PRIZE} AND recipient IN (40, 63)")
    won_on = F.to_date(F.create_map(*(F.lit(x) for pair in more.items() for x in pair))[F.col("recipient").cast("int")])
    again = again.withColumns({"first_day": won_on, "last_day": won_on, "statement_id": F.lit("more")})
    rows = count_receipts(but(awards=world.awards.unionByName(again)), {}).where("recipient IN (40, 63)").collect()
    edge = BindingReason.CEREMONY_AT_EDGE
    assert {key: number for key, number in counted(rows, "recipient", "award").items() if key[1] == PRIZE} == {
        (63, PRIZE, EARLY): 1,
        # By the years that the awards are for it would be none, for none came in 1993 or 1994; then one in all.
        (63, PRIZE, LATE): edge,
        (63, PRIZE, ALL): edge,
        (40, PRIZE, EARLY): 1,
        (40, PRIZE, LATE): 1,
        # What was given in 1995 is not known.
        (40, PRIZE, ALL): edge,
    }


def test_recipients_are_counted_of_annual_awards(world: WorldTables, but: Callable[..., WorldTables]) -> None:
    nameless = world.awards.where(f"award = {PRIZE}").withColumns(
        {"award": F.lit(NAMELESS).cast("bigint"), "award_label": F.lit(None).cast("string")}
    )
    rows = count_recipients(but(awards=world.awards.unionByName(nameless)), {}).collect()
    gap, one_a_year = "a year of the window has no known recipient", BindingReason.ONE_A_YEAR
    assert counted(rows, "award") == {
        # Two in two years; three in two; and five in five: who received it twice counts once.
        (PRIZE, EARLY): one_a_year,
        (PRIZE, LATE): 3,
        (PRIZE, ALL): one_a_year,
        (LION, EARLY): gap,
        (LION, LATE): gap,
        (LION, ALL): gap,
        (OSCAR, EARLY): one_a_year,
        (OSCAR, ALL): gap,
        (MEDAL, EARLY): UNDECIDED,
        (MEDAL, LATE): UNDECIDED,
        (MEDAL, ALL): gap,
        # As the first one, but without a name.
        (NAMELESS, EARLY): one_a_year,
        (NAMELESS, LATE): BindingReason.NAMELESS_AWARD,
        (NAMELESS, ALL): one_a_year,
    }
    row = next(r for r in rows if (r.award, window(r)) == (PRIZE, LATE))
    assert (row.head, row.popular, row.span.start, row.span.end) == (
        PRIZE,
        False,
        parse_day("1992-01-01"),
        parse_day("1993-12-31"),
    )
