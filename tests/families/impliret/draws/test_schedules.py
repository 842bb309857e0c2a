"""Schedules of four weeks."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import pairwise

import pytest

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.draws.schedules import Activity, draw_schedule

FIRST = dt.date(2024, 2, 15)
SCHEDULES = [draw_schedule(KeyedRandom("seed", "schedule", number), FIRST) for number in range(150)]
ACTIVITIES = [activity for schedule in SCHEDULES for activity in schedule]


def list_dates(activity: Activity) -> list[dt.date]:
    return [activity.message_date + dt.timedelta(offset) for offset in activity.offsets]


def find_asked(activity: Activity) -> dt.date:
    return list_dates(activity)[activity.asked_index]


def list_gaps(activity: Activity) -> set[int]:
    return {(later - earlier).days for earlier, later in pairwise(list_dates(activity))}


def list_hours(activity: Activity) -> list[tuple[dt.date, int]]:
    hours = range(activity.start_hour, activity.start_hour + activity.hours)
    return [(date, hour) for date in list_dates(activity) for hour in hours]


def test_a_schedule_has_thirty_activities() -> None:
    assert {len(schedule) for schedule in SCHEDULES} == {30}


@pytest.mark.parametrize("block", [0, 1])
def test_a_block_has_runs_repeated_and_single_activities(block: int) -> None:
    days = range(block * 14, block * 14 + 14)
    for schedule in SCHEDULES:
        inside = [each for each in schedule if all((date - FIRST).days in days for date in list_dates(each))]
        kinds = Counter((each.kind, len(list_dates(each))) for each in inside)
        assert kinds == {("run", 3): 2, ("run", 4): 1, ("several", 2): 2, ("several", 3): 1, ("once", 1): 9}


def test_the_days_of_a_run_are_consecutive() -> None:
    assert all(list_gaps(activity) == {1} for activity in ACTIVITIES if activity.kind == "run")


def test_no_two_days_of_a_repeated_activity_are_adjacent() -> None:
    assert all(min(list_gaps(activity)) > 1 for activity in ACTIVITIES if activity.kind == "several")


def test_slots_have_two_to_four_hours() -> None:
    assert {activity.hours for activity in ACTIVITIES} == {2, 3, 4}


def test_slots_are_between_seven_and_nineteen() -> None:
    assert min(activity.start_hour for activity in ACTIVITIES) == 7
    assert max(activity.start_hour + activity.hours for activity in ACTIVITIES) == 19


def test_no_two_slots_overlap() -> None:
    for schedule in SCHEDULES:
        hours = [hour for activity in schedule for hour in list_hours(activity)]
        assert len(set(hours)) == len(hours)


def test_the_asked_hour_is_strictly_inside_its_slot() -> None:
    assert all(each.start_hour < each.asked_hour < each.start_hour + each.hours for each in ACTIVITIES)


def test_the_asked_date_of_a_run_is_in_its_middle() -> None:
    assert all(find_asked(each) in list_dates(each)[1:-1] for each in ACTIVITIES if each.kind == "run")


def test_one_activity_answers_a_question() -> None:
    for schedule in SCHEDULES:
        for asked in schedule:
            time = (find_asked(asked), asked.asked_hour)
            assert [each for each in schedule if time in list_hours(each)] == [asked]


def test_the_messages_are_dealt_from_the_questions() -> None:
    for schedule in SCHEDULES:
        asked = Counter((find_asked(each), each.asked_hour) for each in schedule)
        assert asked == Counter((each.message_date, each.message_hour) for each in schedule)


def test_no_message_is_on_a_day_of_its_own_activity() -> None:
    assert all(activity.message_date not in list_dates(activity) for activity in ACTIVITIES)


def test_offsets_cross_a_leap_day() -> None:
    leap = dt.date(2024, 2, 29)
    assert any(each.message_date < leap < list_dates(each)[0] for each in ACTIVITIES)
    assert any(list_dates(each)[-1] < leap < each.message_date for each in ACTIVITIES)


def test_some_repeated_activities_are_on_both_sides_of_their_message() -> None:
    assert any(min(each.offsets) < 0 < max(each.offsets) for each in ACTIVITIES if each.kind == "several")


def test_the_same_keys_give_the_same_schedule() -> None:
    assert draw_schedule(KeyedRandom("seed", "schedule", 3), FIRST) == SCHEDULES[3] != SCHEDULES[4]
