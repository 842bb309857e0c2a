"""Responses to choices with letters, as chat models write them; the letters were written down before they were read."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from everwhen.evaluate.answers.choices import read_options
from everwhen.evaluate.answers.envelope import extract_final_answer, open_envelope
from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.option_measures import OptionMeasures
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.recognition import is_recognised
from everwhen.evaluate.scoring import score

PLACE = GoldItem(
    *(1, "Where was the treaty signed?", ("Paris",), ((),), "single_choice"),
    options=("London", "Paris", "Paris Saint-Germain", "The Hague"),
)
TIMES = GoldItem(
    *(2, "Which of these times does the text tell?", ("May 1998", "1990"), ((), ()), "multiple_choice"),
    options=("May 1998", "4 June 1998", "1990", "2001-05", "None of these"),
)
ORDER = GoldItem(3, "Did it begin before the war?", ("Yes",), ((),), "single_choice", options=("Yes", "No"))
LENGTH = GoldItem(
    *(4, "Which lasted longer?", ("The Gulf War",), ((),), "single_choice"),
    options=("The Gulf War", "The miners' strike", "They differ by less than a tenth of the longer"),
)

ALONE = (
    "B",
    "b",
    "B.",
    "(B)",
    "[B]",
    "**B**",
    "Answer: B",
    "(b).",
    "\\boxed{B}",
    "$\\text{B}$",
    "My answer: B!",
    "<s>B</s>",
)
WITH_TEXT = (
    "B) Paris",
    "B. Paris",
    "B: Paris",
    "B, Paris",
    "B - Paris",
    "**B) Paris**",
    "b) paris",
    "Answer: (B) Paris.",
)
IN_SENTENCES = (
    "The answer is B",
    "The answer is B) Paris",
    "The correct option is (b).",
    "option b is correct.",
    "I think B",
    "I'd go with B.",
    "Paris",
    "It was signed in Paris, France.",
    "A treaty was signed in Paris.",
    "A good question. The answer is B.",
    "I'm not sure, but I think it is B.",
    "B because it is the capital, and A is not",
    "B\n\nExplanation: Option A is wrong because London hosted only talks.",
    "**Answer:** B. Paris\n\nThe treaty was signed in Paris after talks in London (A).",
    "Let me think. London hosted the talks in 1990, but the treaty was signed in Paris. So the answer is B.",
    "A. London hosted the talks.\nB. Paris is where it was signed.\n\nSo, B.",
)
DENIED = (
    "Not A, but B.",
    "It is not A. The answer is B.",
    "It is not A or D; it is B.",
    "Neither A, C, nor D. It's B.",
    "Not A, C or D, so B.",
    "London is wrong; The Hague is wrong. Therefore Paris.",
    "A is incorrect. B is correct. C is incorrect. D is incorrect.",
    "The treaty was signed in Paris, not London.",
    "The treaty was signed in Paris rather than London.",
    "B) Paris, not A) London",
)
TAKEN_BACK = ("A. No wait, B.", "The answer is A. Actually, it is B.", "London? No, Paris.", "A. Sorry, B.")
STRUCTURED = ('{"answer": "B"}', '```json\n{"answer": "B) Paris", "confidence": 0.9}\n```', "<think>A? D?</think>B")
SEVERAL = ("A and B", "Option A and option B", "B) London", "A. Paris", "London and Paris")
OPEN = ("A or B", "Either A or B", "London or Paris", "A, B or C", "A. Or B.")
NOT_THERE = ("E", "Berlin", "All of the above", "None of the above", "None of the options is right.", "A treaty")
NOT_GIVEN = ("", "I don't know.", "unsure", "C? D? I cannot say.", "I am not certain which of A, B, C or D is right.")

READ_OF_PLACE = {
    **dict.fromkeys((*ALONE, *WITH_TEXT, *IN_SENTENCES, *DENIED, *TAKEN_BACK, *STRUCTURED), "B"),
    **dict.fromkeys(SEVERAL, "AB"),
    **dict.fromkeys((*OPEN, *NOT_THERE), ""),
    **dict.fromkeys(NOT_GIVEN),
    "Hague": "D",
    "paris saint germain": "C",
    "a": "A",
}
TOLD = (
    *(
        "A, C",
        "A C",
        "[[A C]]",
        "AC",
        "A and C",
        "a, c",
        "A & C",
        "A; C",
        "A / C",
        "C, A",
        "(A) and (C)",
        "**A**, **C**",
    ),
    "Answer: A, C",
    "['A', 'C']",
    '{"answer": ["A", "C"]}',
    "Options A and C",
    "Both A and C are correct.",
    "The correct answers are A and C.",
    "The answers are AC.",
    "A. May 1998\nC. 1990",
    "- A. May 1998\n- C. 1990",
    "1. A\n2. C",
    "1998-05 and 1990",
    "May 1998; 1990",
    "The text tells A. It also tells C.",
    "The times told in the text are May 1998 (A) and 1990 (C).",
    "A and C, but not B",
    "A, C, because B and D are not in the text.",
    "A and C. B is not told in the text.",
    "A is told in the text. C is told in the text. B and D are not.",
    "None of the other options; A and C",
    "A: true\nB: false\nC: true\nD: false\nE: false",
    "A. May 1998 – told\nB. 4 June 1998 – not told\nC. 1990 – told\nD. 2001-05 – not told\nE. None of these – no",
)
READ_OF_TIMES = {
    **dict.fromkeys(TOLD, "AC"),
    **dict.fromkeys(
        (
            "None of these",
            "None of the above",
            "none",
            "E",
            "None of these times are told.",
            "The answer is None of these.",
        ),
        "E",
    ),
    **dict.fromkeys(("June 4, 1998", "4th of June 1998", "1998-06-04"), "B"),
    **dict.fromkeys(("A or C", "All of the above", "1998", "All except B and D and E"), ""),
    "A, C and D": "ACD",
    "A, B, and D": "ABD",
    "Only A": "A",
    "Answer: A, B\nWait, B is not in the text. Answer: A": "A",
}
READ_OF_ORDER = {
    "Yes": "A",
    "No, it began later.": "B",
    "A. Yes": "A",
    "Yes, there is no doubt.": "A",
    "Answer: No.": "B",
}
READ_OF_LENGTH = {
    "The Gulf War lasted longer than the miners' strike.": "A",
    "The miners’ strike lasted longer than the Gulf War": "B",
    "A lasted longer than B.": "A",
    "B is longer than A, so the answer is B": "B",
    "They differ by less than a tenth of the longer.": "C",
}
READ = [
    (item, response, letters)
    for item, read in (
        (PLACE, READ_OF_PLACE),
        (TIMES, READ_OF_TIMES),
        (ORDER, READ_OF_ORDER),
        (LENGTH, READ_OF_LENGTH),
    )
    for response, letters in read.items()
]


BETWEEN = {
    "[[A C]]": "AC",
    "[[A, C]]": "AC",
    "A, C": "AC",
    "ABC": "ABC",
    "Answer: A": "A",
    "The answer is [[A C]].": "AC",
    "The correct options are A C.": "AC",
    "Both are in the text.\n[[A C]]": "AC",
    "The answer is USA": "",
    "F": "",
    "A, F": "",
    "[[A F]]": "",
    "The answer is A, F.": "",
    "The answer is A, which F has not.": "A",
}
"""Letters with little between them, and letters that no option has."""


@pytest.mark.parametrize(("response", "letters"), BETWEEN.items())
def test_letters_without_commas_are_read_and_those_of_no_option_are_not(response: str, letters: str) -> None:
    assert read_options(extract_final_answer(open_envelope(response).text), TIMES) == frozenset(letters)


@pytest.mark.parametrize(("item", "response", "letters"), READ, ids=[f"{i.item_id}-{r[:50]}" for i, r, _ in READ])
def test_the_options_of_a_response_are_read(item: GoldItem, response: str, letters: str | None) -> None:
    found = read_options(extract_final_answer(open_envelope(response).text), item)
    assert found == (None if letters is None else frozenset(letters))


def test_all_of_the_above_is_an_answer_where_an_option_says_so() -> None:
    item = GoldItem(
        5, "Which?", ("All of the above",), ((),), "single_choice", options=("1990", "1991", "All of the above")
    )
    assert score("All of these.", item).is_right
    assert score("C", item).is_right
    assert not score("1990 and 1991", item).is_right


SCORED: Mapping[str, tuple[Outcome, tuple[float, float, float], str | None]] = {
    "A, C": (Outcome.RIGHT, (1, 1, 1), None),
    "A": (Outcome.WRONG, (1, 1 / 2, 2 / 3), "lacks a part: C"),
    "A, B, C": (
        *(Outcome.WRONG, (2 / 3, 1, 4 / 5)),
        "has the answer, but denies it, leaves it open or gives another: B",
    ),
    "B, C": (Outcome.WRONG, (1 / 2, 1 / 2, 1 / 2), "names another: B where A; C is right"),
    "1998": (Outcome.WRONG, (0, 0, 0), "no answer found: no option"),
    "I do not know.": (Outcome.NONE_GIVEN, (0, 0, 0), "refuses, or is unsure"),
    "": (Outcome.NONE_GIVEN, (0, 0, 0), "no response"),
    "<think>A": (Outcome.CUT_OFF, (0, 0, 0), "cut off: it ends within a thought or a sentence"),
}


@pytest.mark.parametrize("response", SCORED)
def test_a_multiple_choice_is_right_as_an_exact_set(response: str) -> None:
    found = score(response, TIMES)
    assert found.options is not None
    assert (found.outcome, tuple(found.options), found.why) == SCORED[response]


def test_the_measures_of_a_paper_are_those_of_the_chosen_texts() -> None:
    found = score("The answer is B", PLACE)
    assert found.final == found.whole
    assert (found.final.f1, found.final.exact_match, found.options) == (1, 1, OptionMeasures(1, 1, 1))
    assert score("A", PLACE).final.f1 == 0


@pytest.mark.parametrize("item", [PLACE, TIMES, ORDER, LENGTH])
def test_the_own_answer_is_recognised(item: GoldItem) -> None:
    assert is_recognised(item)
