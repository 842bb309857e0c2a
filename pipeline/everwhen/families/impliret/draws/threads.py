"""The dates of threads: what each post tells of was done on a day, and the post is written some days later.

All posts but the last are dated on the day that the next of them tells of: the header of one bears the date that the
query of another asks for (Taghavi et al. 2025, Algorithm 2).
"""

from __future__ import annotations

import datetime as dt
from itertools import accumulate
from typing import NamedTuple

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom

NEAREST, FARTHEST = 2, 7
"""Days from a work date to the next one."""
REMAINING = 14
"""Days that remain of the year after the last work date, at least."""


class PostDates(NamedTuple):
    """The dates of a post.

    Attributes:
        message_date: When it is written.
        date: When that was done which it tells of.
        offset: Days from `message_date` to `date`; negative.
    """

    message_date: dt.date
    date: dt.date
    offset: int


def draw_thread(rng: KeyedRandom, year: int, count: int) -> list[PostDates]:
    """Draw the dates of a thread's posts, in their order, all within a year.

    Raises:
        InputError: The year is too short for so many posts.
    """
    first = dt.date(year, 1, 1)
    room = (dt.date(year, 12, 31) - first).days - REMAINING
    most = room // NEAREST + 1
    if count > most:
        raise InputError(
            f"temporal: {count:,} work dates do not fit into a year: {most} of {year} are {NEAREST} days apart and"
            f" {REMAINING} before its end; ask for fewer tuples"
        )
    gaps = _draw_gaps(rng, count - 1, room)
    start = rng.sample_below(room - sum(gaps) + 1, "thread start")
    dates = [first + dt.timedelta(days) for days in accumulate(gaps, initial=start)]
    last = dates[-1] + dt.timedelta(rng.sample_between(1, FARTHEST, "thread last message"))
    return [
        PostDates(message, date, (date - message).days) for message, date in zip([*dates[1:], last], dates, strict=True)
    ]


def _draw_gaps(rng: KeyedRandom, count: int, room: int) -> list[int]:
    """Draw days between dates; where they exceed the room, shorten some by a day, drawn again and again."""
    gaps = [rng.sample_between(NEAREST, FARTHEST, f"thread gap {place}") for place in range(count)]
    surplus, attempt = sum(gaps) - room, 0
    while surplus > 0:
        place = rng.sample_below(count, f"thread shortened gap {attempt}")
        attempt += 1
        if gaps[place] > NEAREST:
            gaps[place] -= 1
            surplus -= 1
    return gaps
