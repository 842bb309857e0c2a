"""TimE's measures: tokens, options and orders, by figures and by what always holds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.families.time_benchmark.evaluation.measures import (
    measure_answer,
    measure_choice,
    measure_order,
    measure_tokens,
    tokenize,
)
from everwhen.families.time_benchmark.evaluation.refusals import SENTENCES, says_none

WORDS = st.text(alphabet="ab ,.'A", max_size=30)
LETTERS = st.frozensets(st.sampled_from("ABCDE"))
ORDERS = st.integers(2, 8).flatmap(lambda count: st.permutations(range(1, count + 1)))


@pytest.mark.parametrize(
    ("text", "gold", "f1"),
    [
        ("From May 1998 to 2001", "From May 1998 to 2001", 1),
        ("from may, 1998 to 2001.", "From May 1998 to 2001", 1),
        ("May 1998", "From May 1998 to 2001", 2 * 2 / 7),
        ("a a a b", "a b b", 2 * 2 / 7),
        ("Mira Rau", "Alan Kerr", 0),
        ("", "Alan Kerr", 0),
        ("...", "Alan Kerr", 0),
    ],
)
def test_tokens_have_the_f1_of_the_paper(text: str, gold: str, f1: float) -> None:
    assert measure_tokens(text, gold) == pytest.approx(f1)


@given(WORDS, WORDS)
def test_f1_of_tokens_is_the_harmonic_mean_and_symmetric(text: str, gold: str) -> None:
    found = measure_tokens(text, gold)
    given_, right = tokenize(text), tokenize(gold)
    shared = sum((Counter(given_) & Counter(right)).values())
    precision, recall = (shared / len(each) if each else 0 for each in (given_, right))
    assert found == pytest.approx(2 * precision * recall / (precision + recall) if shared else 0)
    assert found == measure_tokens(gold, text)
    assert (found == 1) == (bool(given_) and Counter(given_) == Counter(right))


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), WORDS)
def test_another_right_text_takes_nothing_away(text: str, parts: list[str], other: str) -> None:
    alone = measure_answer(text, parts, [[] for _ in parts])
    assert alone == measure_tokens(text, " ".join(parts))
    assert measure_answer(text, parts, [[other], *([] for _ in parts[1:])]) >= alone


def test_the_best_of_several_right_texts_counts_and_a_set_has_no_order() -> None:
    assert measure_answer("2358 days", ["6 years 5 months"], [["2358 days"]]) == 1
    assert measure_answer("Kit Holt, Mira Rau", ["Mira Rau", "Kit Holt"], [[], []]) == 1


@given(LETTERS, LETTERS.filter(bool))
def test_a_wrong_option_leaves_nothing(chosen: frozenset[str], right: frozenset[str]) -> None:
    found = measure_choice(chosen, right)
    assert 0 <= found <= 1
    assert (found == 1) == (chosen == right)
    assert (found > 0) == (bool(chosen) and chosen <= right)


@given(ORDERS)
def test_tau_is_between_one_and_minus_one_and_turns_with_the_order(order: list[int]) -> None:
    right = tuple(range(1, len(order) + 1))
    found = measure_order(order, right)
    agree = sum((a < b) == (order.index(a) < order.index(b)) for a, b in combinations(right, 2))
    pairs = len(right) * (len(right) - 1) / 2
    assert found == pytest.approx((2 * agree - pairs) / pairs)
    assert measure_order(order[::-1], right) == pytest.approx(-found)
    assert measure_order(right, order) == pytest.approx(found)
    assert (found == 1) == (tuple(order) == right)


@given(ORDERS, st.integers(0, 8))
def test_missing_events_bring_tau_nearer_to_zero(order: list[int], count: int) -> None:
    right = tuple(range(1, len(order) + 1))
    assert measure_order(order[:1], right) == 0
    assert abs(measure_order(order[:count], right)) <= 1
    assert measure_order([*order, *order[::-1]], right) == measure_order(order, right)


@pytest.mark.parametrize("text", ["There is no answer", "there is no answer.", "**None.**", "No answer", "Nobody!"])
def test_a_whole_response_of_the_list_says_none(text: str) -> None:
    assert says_none(text)


@pytest.mark.parametrize(
    "text", ["", "no", "There is no answer but 1998", "I think there is no answer", "Unknown", "noon", "nothingness"]
)
def test_no_part_of_a_response_says_none(text: str) -> None:
    assert not says_none(text)


def test_the_sentences_are_as_tokens_are() -> None:
    assert {each for each in SENTENCES if " ".join(tokenize(each)) != each} == set()
