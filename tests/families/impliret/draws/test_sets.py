"""Sets of tuples: what no two of them share, and what there must be enough of."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import Any

import pytest

from everwhen.core.errors import InputError
from everwhen.families.impliret.config import ImpliretSettings, Pool, list_pools
from everwhen.families.impliret.draws.schedules import DAYS
from everwhen.families.impliret.draws.sets import TupleSet, find_first_day, load_words

WORDS = load_words()
POOLS = list_pools(ImpliretSettings())


def draw(pool: Pool, number: int = 0, seed: str = "seed", **settings: Any) -> list[dict[str, Any]]:
    """The tuples of a set."""
    return TupleSet(seed, pool, number, ImpliretSettings(**settings), WORDS).draw()


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.name)
def test_a_set_has_its_tuples_in_order(pool: Pool) -> None:
    assert [row["place"] for row in draw(pool)] == list(range(30))


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.name)
def test_the_seed_and_the_number_alone_decide(pool: Pool) -> None:
    assert draw(pool, 3) == draw(pool, 3)
    assert draw(pool, 3) != draw(pool, 4) != draw(pool, 4, "other")


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.name)
def test_no_two_sets_of_a_pool_share_their_topic_or_speaker(pool: Pool) -> None:
    name = "topic" if pool.style == "multi" else "speaker"
    found = [{row[name] for row in draw(pool, number)} for number in range(50)]
    assert all(len(names) == 1 for names in found)
    assert len(set.union(*found)) == 50


@pytest.mark.parametrize("pool", [pool for pool in POOLS if pool.style == "uni"], ids=lambda pool: pool.name)
def test_whose_chats_they_are_takes_part_in_no_other_chat(pool: Pool) -> None:
    rows = [row for number in range(50) for row in draw(pool, number)]
    assert not {row["speaker"] for row in rows} & {row["other_speaker"] for row in rows}


@pytest.mark.parametrize("name", ["speaker", "brand"])
def test_posts_of_a_thread_have_their_own(name: str) -> None:
    assert len({row[name] for row in draw(POOLS[0])}) == 30


def test_brands_of_chats_are_named_once() -> None:
    rows = draw(Pool("arithmetic_uni", "arithmetic", "uni"))
    assert len({row["brand"] for row in rows} | {row["other_brand"] for row in rows}) == 60


def test_no_model_is_younger_than_the_post() -> None:
    rows = [row for number in range(20) for row in draw(POOLS[0], number, first_year=2016, last_year=2018)]
    assert all(max(row["model"], row["other_model"]) <= row["message_date"].year for row in rows)


def test_the_later_model_is_the_dearer() -> None:
    rows = [row for number in range(5) for row in draw(POOLS[0], number)]
    assert all((row["direction"] == "higher") == (row["model"] > row["other_model"]) for row in rows)


def test_four_weeks_of_a_set_begin_after_those_of_the_one_before() -> None:
    pool, settings = Pool("temporal_uni", "temporal", "uni"), ImpliretSettings()
    days = [find_first_day(TupleSet("seed", pool, number, settings, WORDS)) for number in range(50)]
    assert all(later - earlier >= dt.timedelta(DAYS) for earlier, later in pairwise(days))
    assert days[0].year == 2021
    assert days[-1] + dt.timedelta(DAYS - 1) <= dt.date(2024, 12, 31)


@pytest.mark.parametrize(
    ("name", "settings", "error"),
    [
        ("arithmetic_multi", {"sets": 500}, "arithmetic_multi: 79 topics of arithmetic, 500 are needed"),
        ("wknow_uni", {"sets": 900}, "wknow_uni: 770 names, 930 are needed"),
        ("arithmetic_uni", {"tuples": 300}, "arithmetic: "),
        ("arithmetic_multi", {"multi_prices": {"lowest": 50, "highest": 90}}, "arithmetic: "),
        ("temporal_multi", {"tuples": 200}, "temporal: 200 work dates do not fit into a year"),
        (
            "temporal_uni",
            {"first_year": 2024},
            "temporal_uni: 50 sets of 28 days do not fit into 2024 to 2024; ask for fewer sets or for more years",
        ),
    ],
)
def test_too_little_of_something_is_refused(name: str, settings: dict[str, Any], error: str) -> None:
    (pool,) = (pool for pool in POOLS if pool.name == name)
    with pytest.raises(InputError, match=f"^{error}"):
        draw(pool, **settings)


def test_copies_of_pools_have_numbers() -> None:
    names = [pool.name for pool in list_pools(ImpliretSettings(copies=2, categories=["temporal"]))]
    assert names == ["temporal_multi", "temporal_uni", "temporal_multi_2", "temporal_uni_2"]
