from __future__ import annotations

import pytest

from everwhen.language.lint import find_lint_error, tokenize
from lint_cases import CASES

COMPARISON = "a name holds a word of comparison"

# Comparisons, all with a choice and the answer "A".
COMPARED = [
    ("Was A released before B?", "2bc", None),
    ("Was the day after released before A?", "2bc", COMPARISON),
    ("Was the war before A before B?", "2ac", COMPARISON),
    ("Which was released first, the longest day or A?", "2bc", None),
    ("Which had the longer running time, the longest day or A?", "2b", COMPARISON),
    # A capital tells the name from the word.
    ("Was Before Sunrise released before A?", "2bc", None),
    # Words that only hold one.
    ("Was the aftermath released before A?", "2bc", None),
    ("Was the day after released before A?", "1bc", None),
    # What the measure itself is called.
    ("Which had the lowest lowest atmospheric pressure, A, B, or the highest C?", "2a", COMPARISON),
]


def of_type(question: str, answer: list[str], choice: bool, type_: str) -> str | None:
    return find_lint_error(question, answer, choice=choice, comparison=type_.startswith("2"))


@pytest.mark.parametrize(("question", "answer", "choice", "message"), CASES)
def test_each_error_is_named(question: str, answer: list[str], choice: bool, message: str | None) -> None:
    assert of_type(question, answer, choice, "1b") == message


@pytest.mark.parametrize(("question", "type_", "message"), COMPARED)
def test_words_of_comparison_belong_to_the_question_alone(question: str, type_: str, message: str | None) -> None:
    assert of_type(question, ["A"], True, type_) == message


def test_the_first_error_is_named() -> None:
    assert of_type("when  was it?", ["None"], False, "1b") == "no capital at the start"
    assert of_type("When  was it, None?", ["None"], False, "1b") == "doubled space"


def test_words_are_letters_marks_and_digits() -> None:
    assert tokenize("Saint-Étienne’s (2nd) _no_") == " saint étienne s 2nd no "
    assert tokenize("e\u0301 ½ x²") == " e\u0301 ½ x² "
    assert tokenize("?!") == tokenize("") == "  "
