from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.keyed_random import KeyedRandom, permute, unpermute

NUMBERS = st.integers(0, 10**6)


@given(st.text(max_size=20), NUMBERS, st.text(max_size=20))
def test_the_same_question_gets_the_same_answer_in_any_order(seed: str, number: int, what: str) -> None:
    draws, other = KeyedRandom(seed, "film", number), KeyedRandom(seed, "film", number)
    other.sample_bits("something else")
    assert draws.sample_bits(what) == other.sample_bits(what)


def test_another_process_draws_the_same() -> None:
    code = "import everwhen.core.keyed_random as k; print(k.KeyedRandom('seed', 'film', 7).sample_bits('views'))"
    printed = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)]
    assert printed[0] == printed[1] == f"{KeyedRandom('seed', 'film', 7).sample_bits('views')}\n"


@given(st.lists(st.integers(), max_size=20), NUMBERS)
def test_a_shuffle_keeps_all_items(items: list[int], number: int) -> None:
    draws = KeyedRandom("seed", "film", number)
    assert sorted(draws.shuffle(items, "order")) == sorted(items)
    assert draws.shuffle(items, "order") == draws.shuffle(items, "order")


@pytest.mark.parametrize("other", [("other", "film", 7), ("seed", "book", 7), ("seed", "film", 8)])
def test_seed_kind_and_number_each_decide(other: tuple[str, str, int]) -> None:
    assert KeyedRandom(*other).sample_bits("views") != KeyedRandom("seed", "film", 7).sample_bits("views")


@given(NUMBERS, st.integers(1, 1000), st.integers(1, 10**6))
def test_draws_stay_within_their_bounds(number: int, least: int, more: int) -> None:
    draws = KeyedRandom("seed", "film", number)
    assert 0 <= draws.sample_unit("a") < 1
    assert 0 <= draws.sample_below(more, "b") < more
    assert least <= draws.sample_between(least, least + more, "c") <= least + more
    assert least <= draws.sample_log_uniform(least, least + more, "d") <= least + more
    assert 0 <= draws.sample_skewed(more, "e") < more


def test_a_tail_reaches_its_threshold_in_its_share() -> None:
    found = [KeyedRandom("seed", "film", number).sample_pareto(5_000, 0.36, "views") for number in range(20_000)]
    assert sum(views >= 5_000 for views in found) / len(found) == pytest.approx(0.36, abs=0.01)
    assert max(found) > 100 * 5_000


@given(NUMBERS, st.integers(0, 20), st.integers(1, 30))
def test_several_are_different(number: int, count: int, limit: int) -> None:
    found = KeyedRandom("seed", "film", number).sample_several(count, limit, "cast")
    assert len(found) == len(set(found)) == min(count, limit)
    assert all(0 <= one < limit for one in found)


@given(NUMBERS, st.integers(1, 300))
def test_steps_go_through_a_whole_cycle(number: int, size: int) -> None:
    step = KeyedRandom("seed", "film", number).sample_step(size, "step")
    assert {place * step % size for place in range(size)} == set(range(size))


@given(st.integers(1, 3000), st.text(max_size=5))
def test_scattered_numbers_stay_apart_and_are_found_again(size: int, seed: str) -> None:
    places = [permute(seed, "film", number, size) for number in range(size)]
    assert sorted(places) == list(range(size))
    assert [unpermute(seed, "film", place, size) for place in places] == list(range(size))
