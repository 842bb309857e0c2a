"""What the parser reads of days and hours, from texts of ours and of others."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import re

import pytest

from everwhen.families.impliret.parsing.messages import split_messages
from everwhen.families.impliret.parsing.temporal import read_deed, read_plan
from hostile_world import ROOT

SHARED = ROOT.parent / "shared" / "data" / "impliret" / "multispeaker-temporal.jsonl.gz"


def read_offsets(text: str) -> tuple[int, ...] | None:
    deed = read_deed(f"2024-03-02 09:15, Ada: {text}")
    return deed.offsets if deed else None


@pytest.mark.skipif(not SHARED.exists(), reason="the shared pool is not there")
def test_each_date_of_the_shared_pool_is_right() -> None:
    wrong = []
    with gzip.open(SHARED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        (asked,) = re.findall(r"on (\w+ \d+, \d{4})\?", row["question"])
        expected = dt.datetime.strptime(asked, "%B %d, %Y").date()
        deed = read_deed(row["pos_document"])
        if deed is None or (deed.speaker, deed.dates) != (row["answer"], (expected,)):
            wrong.append(row["id"])
    assert (len(rows), wrong) == (1500, [])


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("I flew a kite three days ago.", (-3,)),
        ("3 days ago I flew a kite.", (-3,)),
        ("I flew a kite twenty-one days ago.", (-21,)),
        ("I flew a kite yesterday.", (-1,)),
        ("I flew a kite the day before yesterday.", (-2,)),
        ("I flew a kite exactly a week ago.", (-7,)),
        ("I flew a kite two weeks ago.", (-14,)),
        ("I flew a kite five and three days ago.", (-5, -3)),
        ("I flew a kite zero days ago.", (0,)),
        ("I let go of the anger that I was holding in three days ago.", (-3,)),
        ("I read it in two days, and began five days ago.", (-5,)),
        ("I am happy today, as I flew a kite three days ago.", (-3,)),
        ("I will fly a kite in three days.", None),
        ("I flew a kite a few days ago.", None),
    ],
)
def test_days_of_a_post_are_read(text: str, offsets: tuple[int, ...] | None) -> None:
    assert read_offsets(text) == offsets


def test_a_day_is_counted_back_over_a_leap_day() -> None:
    deed = read_deed("2024-03-02 09:15, Ada: I flew a kite three days ago.")
    assert deed is not None
    assert deed.dates == (dt.date(2024, 2, 28),)


def test_a_day_that_is_named_again_is_counted() -> None:
    deed = read_deed("2024-03-02 09:15, Ada: I flew a kite three days ago. Yes, three days ago.")
    assert deed is not None
    assert (deed.offsets, deed.mentions) == ((-3,), 2)


def test_a_text_without_a_header_is_no_post() -> None:
    assert read_deed("I flew a kite three days ago.") is None


@pytest.mark.parametrize(
    ("text", "offsets", "start_hour", "hours"),
    [
        ("I painted yesterday from 7 in the morning for three hours.", (-1,), 7, 3),
        ("I paint tomorrow from 14:00, three hours.", (1,), 14, 3),
        ("I paint in four days, from nine in the morning, for 2 hours.", (4,), 9, 2),
        ("I paint the day after tomorrow, at noon, for a 3-hour session.", (2,), 12, 3),
        (
            "Starting in 3 days for 4 consecutive days, I paint from 1 p.m. until three hours after that.",
            (3, 4, 5, 6),
            13,
            3,
        ),
        ("I painted three days in a row, starting nine days ago, from 10 AM for two hours.", (-9, -8, -7), 10, 2),
        ("Starting tomorrow, I paint 3 days in a row, from 2 pm for two hours.", (1, 2, 3), 14, 2),
        ("In two days, three days in a row, I paint from 5 in the afternoon for 2 hours.", (2, 3, 4), 17, 2),
        ("I painted two days ago and will again in three days, from 9:00 for 2 hours.", (-2, 3), 9, 2),
        ("Two, four, and six days ago I painted from 8 o'clock in the morning for three hours.", (-6, -4, -2), 8, 3),
        ("I paint in 2 days, 4 days, and 6 days, from 4 p.m. for three hours.", (2, 4, 6), 16, 3),
        ("I paint three days from now, from 2 for two hours.", (3,), 14, 2),
    ],
)
def test_days_and_hours_of_a_chat_are_read(text: str, offsets: tuple[int, ...], start_hour: int, hours: int) -> None:
    plan = read_plan(f"2024-02-28 12:00, Ada: Hello!\n2024-02-28 12:01, Bo: {text}\n2024-02-28 12:02, Ada: I see.")
    assert plan is not None
    assert (plan.speaker, plan.offsets, plan.start_hour, plan.hours, plan.strays) == (
        "Bo",
        offsets,
        start_hour,
        hours,
        0,
    )


@pytest.mark.parametrize("text", ["See you tomorrow.", "It takes three hours.", "I painted yesterday for two hours."])
def test_a_chat_without_days_start_and_length_has_no_plan(text: str) -> None:
    assert read_plan(f"2024-02-28 12:00, Ada: {text}") is None


@pytest.mark.parametrize("other", ["See you tomorrow.", "It takes three hours.", "At 3 pm?"])
def test_times_of_other_utterances_are_counted(other: str) -> None:
    plan = read_plan(
        f"2024-02-28 12:00, Bo: I painted yesterday from 9 am for 2 hours.\n2024-02-28 12:00, Ada: {other}"
    )
    assert plan is not None
    assert plan.strays == 1


def test_a_day_that_a_plan_names_again_is_counted() -> None:
    plan = read_plan("2024-02-28 12:00, Bo: I painted yesterday, yes, yesterday, from 9 am for 2 hours.")
    assert plan is not None
    assert plan.strays == 1


def test_messages_are_split_at_their_headers() -> None:
    found = split_messages("2024-02-28 12:00, Ada: Hello:\nyou!\n2024-02-28 12:01, Bo: Hi.")
    assert [(each.speaker, each.text) for each in found] == [("Ada", "Hello:\nyou!"), ("Bo", "Hi.")]
