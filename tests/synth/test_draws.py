from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.synth.draws import Draws, gathered, scatter

NUMBERS = st.integers(0, 10**6)


@given(st.text(max_size=20), NUMBERS, st.text(max_size=20))
def test_the_same_question_gets_the_same_answer_in_any_order(seed: str, number: int, what: str) -> None:
    draws, other = Draws(seed, "film", number), Draws(seed, "film", number)
    other.bits("something else")
    assert draws.bits(what) == other.bits(what)


def test_another_process_draws_the_same() -> None:
    code = "from everwhen.synth.draws import Draws; print(Draws('seed', 'film', 7).bits('views'))"
    told = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)]
    assert told[0] == told[1] == f"{Draws('seed', 'film', 7).bits('views')}\n"


@pytest.mark.parametrize("other", [("other", "film", 7), ("seed", "book", 7), ("seed", "film", 8)])
def test_seed_kind_and_number_each_decide(other: tuple[str, str, int]) -> None:
    assert Draws(*other).bits("views") != Draws("seed", "film", 7).bits("views")


@given(NUMBERS, st.integers(1, 1000), st.integers(1, 10**6))
def test_draws_stay_within_their_bounds(number: int, least: int, more: int) -> None:
    draws = Draws("seed", "film", number)
    assert 0 <= draws.unit("a") < 1
    assert 0 <= draws.below(more, "b") < more
    assert least <= draws.between(least, least + more, "c") <= least + more
    assert least <= draws.spread(least, least + more, "d") <= least + more
    assert 0 <= draws.skewed(more, "e") < more


def test_a_tail_reaches_its_threshold_in_its_share() -> None:
    found = [Draws("seed", "film", number).tail(5_000, 0.36, "views") for number in range(20_000)]
    assert sum(views >= 5_000 for views in found) / len(found) == pytest.approx(0.36, abs=0.01)
    assert max(found) > 100 * 5_000


@given(NUMBERS, st.integers(0, 20), st.integers(1, 30))
def test_several_are_different(number: int, count: int, limit: int) -> None:
    found = Draws("seed", "film", number).several(count, limit, "cast")
    assert len(found) == len(set(found)) == min(count, limit)
    assert all(0 <= one < limit for one in found)


@given(st.integers(1, 3000), st.text(max_size=5))
def test_scattered_numbers_stay_apart_and_are_found_again(size: int, seed: str) -> None:
    places = [scatter(seed, "film", number, size) for number in range(size)]
    assert sorted(places) == list(range(size))
    assert [gathered(seed, "film", place, size) for place in places] == list(range(size))
