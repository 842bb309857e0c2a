"""The grammar of phrases: choices, slots, and rules that are refused."""

from __future__ import annotations

import pytest

from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.grammar import Draft, Grammar, capitalize_sentences, place_in_set

RULES = {
    "wish": ["{good} {thing}, {name}"],
    "good": ["good", "happy", "sunny"],
    "thing": ["luck", "walk", "nap", "soup"],
}
GRAMMAR = Grammar(RULES, ("name",))


def draw(number: int) -> KeyedRandom:
    return KeyedRandom("7", "test", number)


def test_slots_of_the_caller_are_filled() -> None:
    assert GRAMMAR.write("wish", draw(1), {"name": "Ada"}, "w").endswith(", Ada")


def test_a_text_of_the_caller_goes_before_a_rule_of_that_name() -> None:
    assert GRAMMAR.write("wish", draw(1), {"name": "Ada", "thing": "trip"}, "w").endswith(" trip, Ada")


def test_texts_of_the_caller_are_not_expanded() -> None:
    assert GRAMMAR.write("wish", draw(1), {"name": "{good}"}, "w").endswith(", {good}")


def test_all_alternatives_are_chosen() -> None:
    assert {GRAMMAR.write("thing", draw(number), {}, "w") for number in range(40)} == set(RULES["thing"])


def test_the_order_of_calls_does_not_matter() -> None:
    rng, slots = draw(3), {"name": "Ada"}
    before = GRAMMAR.write("wish", rng, slots, "a"), GRAMMAR.write("wish", rng, slots, "b")
    after = GRAMMAR.write("wish", rng, slots, "b"), GRAMMAR.write("wish", rng, slots, "a")
    assert before == after[::-1]


def test_another_name_of_the_choice_chooses_anew() -> None:
    assert len({GRAMMAR.write("thing", draw(3), {}, f"choice {number}") for number in range(20)}) > 1


def test_a_symbol_that_stands_again_in_a_phrase_is_chosen_anew() -> None:
    grammar = Grammar({"two": ["{x} {x}"], "x": ["a", "b", "c"]})
    assert any(len(set(grammar.write("two", draw(number), {}, "w").split())) > 1 for number in range(9))


def test_an_alternative_is_chosen_by_its_number() -> None:
    assert ["".join(GRAMMAR.find_pieces("thing", nth)) for nth in range(4)] == RULES["thing"]


def test_numbers_are_counted_on_after_the_last_alternative() -> None:
    assert GRAMMAR.find_pieces("thing", 6) == ["nap"]


def test_alternatives_are_counted() -> None:
    assert GRAMMAR.count("good") == 3


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"a": ["{b}"]}, "rule a: unknown symbol b"),
        ({"b": ["{c}"], "c": ["x {b}"], "d": ["y"]}, "rule b: leads back to itself"),
        ({"a": ["{a}"]}, "rule a: leads back to itself"),
        ({"a": []}, "rule a: an alternative is missing"),
        ({"a": ["x {B}"]}, "rule a: a brace that encloses no symbol"),
        ({"a": ["x {b"], "b": ["y"]}, "rule a: a brace that encloses no symbol"),
    ],
)
def test_wrong_rules_are_refused_by_name(rules: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Grammar(rules)


def test_a_draft_repeats_nothing_while_there_are_alternatives() -> None:
    draft = Draft(draw(1))
    assert len({draft.write(GRAMMAR, "thing", {}) for _ in range(4)}) == 4


def test_a_draft_does_not_repeat_within_a_phrase() -> None:
    grammar = Grammar({"two": ["{x} {x}"], "x": ["a", "b", "c"]})
    assert all(len(set(Draft(draw(number)).write(grammar, "two", {}).split())) == 2 for number in range(9))


def test_drafts_of_other_documents_begin_with_other_alternatives() -> None:
    assert len({Draft(draw(number)).write(GRAMMAR, "thing", {}) for number in range(30)}) == 4


def test_a_draft_writes_an_alternative_by_its_number() -> None:
    assert Draft(draw(1)).write(GRAMMAR, "thing", {}, nth=5) == "walk"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("so it goes. what a pity!", "So it goes. What a pity!"),
        ("é. ö? ñ", "É. Ö? Ñ"),
        ("2.5 times", "2.5 times"),
        ("", ""),
    ],
)
def test_sentences_begin_with_capitals(text: str, written: str) -> None:
    assert capitalize_sentences(text) == written


@pytest.mark.parametrize("size", [1, 2, 30, 46, 60])
def test_the_places_of_a_set_have_different_numbers(size: int) -> None:
    assert {place_in_set(draw(4), "opener", place, size) for place in range(size)} == set(range(size))


def test_other_sets_have_other_numbers() -> None:
    assert len({place_in_set(draw(number), "opener", 0, 46) for number in range(30)}) > 10
