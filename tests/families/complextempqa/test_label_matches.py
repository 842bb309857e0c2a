from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.families.complextempqa.label_matches import LabelMatches, may_be_around
from everwhen.language.lint import tokenize

WORDS = st.lists(st.sampled_from(["the", "Film", "of", "Day", "or", "x"]), max_size=4).map(" ".join)


@given(labels=st.lists(WORDS, max_size=5), texts=st.lists(WORDS, min_size=1, max_size=5))
def test_a_text_holds_a_label_in_whole_words(labels: list[str], texts: list[str]) -> None:
    actual = LabelMatches(labels, texts)
    for number, label in enumerate(labels):
        found = actual.match(np.full(len(texts), number), np.arange(len(texts)))
        expected = [label != "" and tokenize(label) in tokenize(text) for text in texts]
        assert found.tolist() == expected


@given(
    label=WORDS.filter(bool),
    names=st.lists(WORDS.filter(bool), min_size=2, max_size=3),
    pieces=st.lists(WORDS.filter(bool), min_size=4, max_size=4),
)
def test_a_label_is_in_a_name_or_may_be_around_them(label: str, names: list[str], pieces: list[str]) -> None:
    around = pieces[: len(names) + 1]
    question = " ".join(part for both in zip(around, [*names, ""], strict=True) for part in both)
    if tokenize(label) in tokenize(question):
        actual = LabelMatches([label], names).match(np.zeros(len(names), dtype=np.int64), np.arange(len(names)))
        assert actual.any() or may_be_around([label], [around])[0]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Which film", True),  # within
        ("or", True),
        ("was it Speed", True),  # begins around a name
        ("Speed or", True),  # ends around it
        ("Speed or the Night", True),  # holds all that is between
        ("Speed", False),
        ("The Film", False),
        ("or film", True),
        ("???", False),
    ],
)
def test_a_label_may_be_around_names(label: str, expected: bool) -> None:
    around = [["Which film was it: ", " or ", "?"], ["", ", ", "?"]]
    assert may_be_around([label], around).tolist() == [expected]
