"""The dates of threads."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.draws.threads import PostDates, draw_thread

THREADS = [draw_thread(KeyedRandom("seed", "thread", number), 2021 + number % 4, 30) for number in range(300)]


def draw(number: int, year: int, count: int) -> list[PostDates]:
    return draw_thread(KeyedRandom("seed", "thread", number), year, count)


def test_a_thread_has_as_many_posts_as_asked_for() -> None:
    assert {len(posts) for posts in THREADS} == {30}


def test_work_dates_are_two_to_seven_days_apart() -> None:
    gaps = {(later.date - earlier.date).days for posts in THREADS for earlier, later in pairwise(posts)}
    assert gaps == {2, 3, 4, 5, 6, 7}


def test_all_dates_are_in_the_year() -> None:
    for number, posts in enumerate(THREADS):
        assert {day.year for post in posts for day in (post.date, post.message_date)} == {2021 + number % 4}


def test_two_weeks_remain_after_the_last_work_date() -> None:
    assert all((dt.date(posts[-1].date.year, 12, 31) - posts[-1].date).days >= 14 for posts in THREADS)


def test_a_post_is_dated_on_the_next_work_date() -> None:
    assert all(earlier.message_date == later.date for posts in THREADS for earlier, later in pairwise(posts))


def test_the_last_post_is_one_to_seven_days_late() -> None:
    assert {-posts[-1].offset for posts in THREADS} == set(range(1, 8))


def test_the_offset_leads_from_the_message_to_the_date() -> None:
    posts = [post for posts in THREADS for post in posts]
    assert all(post.message_date + dt.timedelta(post.offset) == post.date for post in posts)


def test_an_offset_may_cross_a_leap_day() -> None:
    posts = [post for number in range(60) for post in draw(number, 2024, 60)]
    across = [post for post in posts if post.date <= dt.date(2024, 2, 28) and post.message_date >= dt.date(2024, 3, 1)]
    assert across
    assert all((post.message_date - post.date).days == -post.offset for post in across)


def test_threads_begin_all_over_the_year() -> None:
    assert {posts[0].date.month for posts in THREADS} >= set(range(1, 8))


@pytest.mark.parametrize(("year", "most"), [(2023, 176), (2024, 176)])
def test_a_full_year_is_filled(year: int, most: int) -> None:
    posts = draw(0, year, most)
    assert {(later.date - earlier.date).days for earlier, later in pairwise(posts)} <= {2, 3}


def test_a_year_too_short_is_refused() -> None:
    with pytest.raises(InputError, match=r"^temporal: 177 work dates do not fit into a year: 176 of 2023 are 2 days"):
        draw(0, 2023, 177)


def test_a_thread_may_have_one_post() -> None:
    assert len(draw(0, 2023, 1)) == 1


def test_the_same_keys_give_the_same_thread() -> None:
    assert draw(7, 2024, 30) == draw(7, 2024, 30) != draw(8, 2024, 30)
