"""Schedules of four weeks: 30 activities whose slots do not overlap, and when each of them is told of.

A schedule has two blocks of two weeks. Of each activity an hour is asked for, within its slot; when an activity is told
of is when another is asked for (Taghavi et al. 2025, Algorithm 3). What fails is drawn again under the number of its
next attempt.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cache
from itertools import combinations, count, pairwise
from typing import Literal, NamedTuple

from everwhen.core.keyed_random import KeyedRandom

Kind = Literal["run", "several", "once"]

DAYS = 28
"""Days of a schedule."""
BLOCK_DAYS = 14
"""Days of a block."""
FIRST_HOUR, LAST_HOUR = 7, 19
"""When a day's slots begin at the earliest, and end at the latest."""
SHORTEST, LONGEST = 2, 4
"""Hours of a slot."""
BLOCK: Sequence[tuple[Kind, int]] = (
    *(("run", 3), ("run", 3), ("run", 4)),
    *(("several", 2), ("several", 3), ("several", 2)),
    *((("once", 1),) * 9),
)
"""The activities of a block: on how many days, and whether these are consecutive or no two of them are adjacent."""


class Activity(NamedTuple):
    """An activity of a schedule.

    Attributes:
        kind: run: on consecutive days; several: on days of which no two are adjacent; once: on one day.
        message_date: When it is told of: none of its days.
        message_hour: The hour of the message.
        offsets: Days from `message_date` to each of its days, in order; negative ones are past.
        start_hour: When it begins on each of them.
        hours: How long it lasts.
        asked_index: Which of its days is asked for, from 0; of a run, neither the first nor the last.
        asked_hour: An hour after it begins and before it ends.
    """

    kind: Kind
    message_date: dt.date
    message_hour: int
    offsets: list[int]
    start_hour: int
    hours: int
    asked_index: int
    asked_hour: int


class _Slot(NamedTuple):
    """Days from the schedule's first one, the hour at which it begins on each, and how many hours it lasts."""

    kind: Kind
    days: tuple[int, ...]
    start_hour: int
    hours: int


class _Time(NamedTuple):
    """A day, from the schedule's first one, and an hour."""

    day: int
    hour: int


def draw_schedule(rng: KeyedRandom, first: dt.date) -> list[Activity]:
    """Draw the activities of four weeks, block by block in the order of BLOCK."""
    slots = [slot for block in range(DAYS // BLOCK_DAYS) for slot in _place_block(rng, block)]
    asked = [_choose_time(rng, slot, place) for place, slot in enumerate(slots)]
    return [
        Activity(
            kind=slot.kind,
            message_date=first + dt.timedelta(message.day),
            message_hour=message.hour,
            offsets=[day - message.day for day in slot.days],
            start_hour=slot.start_hour,
            hours=slot.hours,
            asked_index=slot.days.index(question.day),
            asked_hour=question.hour,
        )
        for slot, question, message in zip(slots, asked, _deal_times(rng, slots, asked), strict=True)
    ]


def _place_block(rng: KeyedRandom, block: int) -> list[_Slot]:
    """Place the activities of a block so that no two overlap; where one finds no place, all are placed anew."""
    attempts = (_try_block(rng, f"schedule block {block} attempt {attempt}") for attempt in count())
    slots = next(slots for slots in attempts if slots)
    return [slot._replace(days=tuple(block * BLOCK_DAYS + day for day in slot.days)) for slot in slots]


def _try_block(rng: KeyedRandom, what: str) -> list[_Slot] | None:
    """Place the activities of a block of days from 0; None where one finds no place."""
    taken: set[_Time] = set()
    slots: list[_Slot] = []
    for place, (kind, days) in enumerate(BLOCK):
        slot = _find_slot(rng, kind, days, taken, f"{what} place {place}")
        if slot is None:
            return None
        taken.update(_list_times(slot))
        slots.append(slot)
    return slots


def _find_slot(rng: KeyedRandom, kind: Kind, days: int, taken: set[_Time], what: str) -> _Slot | None:
    """Find a slot of a drawn length whose hours are free on all of its days."""
    hours = rng.sample_between(SHORTEST, LONGEST, f"{what} hours")
    for start in rng.shuffle(range(FIRST_HOUR, LAST_HOUR - hours + 1), f"{what} start"):
        free = {day for day in range(BLOCK_DAYS) if taken.isdisjoint(_list_times(_Slot(kind, (day,), start, hours)))}
        options = [option for option in _list_days(kind, days) if free.issuperset(option)]
        if options:
            return _Slot(kind, rng.pick(options, f"{what} days"), start, hours)
    return None


@cache
def _list_days(kind: Kind, days: int) -> list[tuple[int, ...]]:
    """List the choices of so many days of a block that are consecutive, or of which no two are adjacent."""
    return [
        option
        for option in combinations(range(BLOCK_DAYS), days)
        if all((later - earlier == 1) == (kind == "run") for earlier, later in pairwise(option))
    ]


def _list_times(slot: _Slot) -> list[_Time]:
    """List the hours of a slot on all of its days."""
    return [_Time(day, slot.start_hour + hour) for day in slot.days for hour in range(slot.hours)]


def _choose_time(rng: KeyedRandom, slot: _Slot, place: int) -> _Time:
    """Choose the time that is asked for."""
    days = slot.days[1:-1] if slot.kind == "run" else slot.days
    hour = rng.sample_between(1, slot.hours - 1, f"schedule asked hour {place}")
    return _Time(rng.pick(days, f"schedule asked day {place}"), slot.start_hour + hour)


def _deal_times(rng: KeyedRandom, slots: Sequence[_Slot], asked: Sequence[_Time]) -> list[_Time]:
    """Deal out the times that are asked for, none to an activity of the same day."""
    attempts = (rng.shuffle(asked, f"schedule messages attempt {attempt}") for attempt in count())
    return next(
        dealt for dealt in attempts if all(time.day not in slot.days for time, slot in zip(dealt, slots, strict=True))
    )
