"""Names of values in a text."""

from __future__ import annotations

import pytest

from everwhen.families.tdbench.evaluation.lexicon import build_lexicon

COUNTRIES = {"United States": ["US", "USA", "The States", "U.S."], "Italy": ["IT"], "Norway": []}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It was the US.", ["United States"]),
        ("It was the U.S. again", ["United States"]),
        ("The States, as far as I know", ["United States"]),
        ("He states that it was norway", ["Norway"]),
        ("Nobody told us.", []),
        ("usa", ["United States"]),
        ("us", []),
    ],
)
def test_an_alias_of_one_word_has_its_capitals(text: str, found: list[str]) -> None:
    assert [each.value for each in build_lexicon(COUNTRIES).find(text)] == found


def test_an_alias_in_small_letters_is_found_in_any_case() -> None:
    lexicon = build_lexicon({"1": ["legal"], "0": ["illegal"]})
    assert [each.value for each in lexicon.find("Legal.")] == ["1"]
