from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.keyed_random import KeyedRandom
from everwhen.synth.careers import GROUPS
from everwhen.synth.places import LANDMARKS
from everwhen.synth.words import DECORATIONS, compose_label, count_labels, decorate, to_roman

KINDS = ["film", "book", "person", "town", "country", "company", *GROUPS, *LANDMARKS]


@pytest.mark.parametrize("kind", KINDS)
def test_no_label_comes_twice_whatever_its_case(kind: str) -> None:
    labels = [compose_label("seed", kind, number).lower() for number in range(20_000)]
    assert len(set(labels)) == len(labels)


def test_no_two_kinds_share_a_label() -> None:
    sets = [{compose_label("seed", kind, number).lower() for number in range(5_000)} for kind in KINDS]
    assert len(set.union(*sets)) == sum(map(len, sets))


def test_another_seed_gives_other_labels() -> None:
    assert [compose_label("one", "film", n) for n in range(9)] != [compose_label("two", "film", n) for n in range(9)]


def test_labels_are_as_long_as_titles_and_names_are() -> None:
    films = [len(compose_label("seed", "film", number)) for number in range(5_000)]
    people = [len(compose_label("seed", "person", number)) for number in range(5_000)]
    assert 5 <= min(films) < 15 < max(films) <= 60
    assert 15 <= sum(films) / len(films) <= 30
    assert 10 <= sum(people) / len(people) <= 20


def test_numbers_beyond_the_combinations_get_a_numeral() -> None:
    number = count_labels("country") + 3
    assert compose_label("seed", "country", number) == f"{compose_label('seed', 'country', 3)} II"


@pytest.mark.parametrize(("number", "text"), [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (99, "XCIX")])
def test_roman_numerals(number: int, text: str) -> None:
    assert to_roman(number) == text


@given(st.integers(0, 10**6))
def test_a_decorated_label_holds_the_plain_one(number: int) -> None:
    assert "Iron River" in decorate("Iron River", KeyedRandom("seed", "film", number), 0.9)


def test_decorations_bring_what_breaks_careless_code() -> None:
    together = "".join(form.format("x") for form in DECORATIONS)
    assert all(character in together for character in '{}[]"&#/%’“🎬東')


def test_there_is_room_for_twenty_times_the_paper() -> None:
    assert count_labels("film") >= 1_500_000
    assert count_labels("book") >= 240_000
