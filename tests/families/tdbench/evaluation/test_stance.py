"""What a response denies or says of somebody else is no answer, and odd names are read as they are written."""

from __future__ import annotations

import pytest

from everwhen.families.tdbench.evaluation.items import GoldQuestion, Lexicons, Reference
from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
from everwhen.families.tdbench.evaluation.verdict import judge_response

COACHES = ("Ann Abel", "Bea Bohr", "Cat Cruz", "Dot Dahl")
RESPONSES = [
    (False, "Ann Abel is wrong."),
    (False, "It cannot be Ann Abel."),
    (False, "It can't have been Ann Abel."),
    (False, "Ann Abel's brother"),
    (False, "Ann Abel's predecessor, Bea Bohr"),
    (False, "Ann Abel lost to Bea Bohr"),
    (False, "None except Ann Abel"),
    (False, "Nobody but Ann Abel"),
    (False, "Ann Abel was not the coach; it was Bea Bohr."),
    (False, "the sister of Ann Abel"),
    (False, "Not Ann Abel but Bea Bohr"),
    (False, "Neither Ann Abel nor Bea Bohr"),
    (False, "My first guess was Ann Abel. But the right one is Bea Bohr."),
    (True, "My first guess was Bea Bohr. But the right one is Ann Abel."),
    (False, "It is often claimed to be Ann Abel; in fact it was Bea Bohr."),
    (True, "It is often claimed to be Bea Bohr; in fact it was Ann Abel."),
    (False, "Ann Abel? No, Bea Bohr."),
    (True, "Bea Bohr? No… Ann Abel"),
    (False, "Ann Abel. Wait, that's wrong: Bea Bohr."),
    (True, "Bea Bohr. Wait, no: Ann Abel."),
    (False, "Ann Abel is incorrect; the coach was Bea Bohr."),
    (True, "Bea Bohr is incorrect; the coach was Ann Abel."),
    (False, "Ann Abel or Bea Bohr"),
    (False, "Either Ann Abel or Bea Bohr."),
    (False, "Anyone other than Ann Abel"),
    (False, "Ann Abel can be ruled out."),
    (False, "Some say Ann Abel, but it was Bea Bohr."),
    (True, "Some say Bea Bohr, but it was Ann Abel."),
    (True, "Ann Abel beat Bea Bohr"),
    (True, "Ann Abel, who succeeded Bea Bohr."),
    (True, "Ann Abel"),
    (True, "The coach was Ann Abel, not Bea Bohr."),
    (True, "Ann Abel took over from Bea Bohr."),
    (False, "It was Ann Abel's husband."),
    (False, "Ann Abel's deputy, Bea Bohr, was."),
    (False, "Anybody but Ann Abel"),
    (False, "Ann Abel never coached Red."),
    (False, "I would rule out Ann Abel."),
    (False, "Ann Abel? I don't think so."),
    (False, "Most people think of Ann Abel, wrongly."),
    (True, "Abel"),
    (False, "Abel Ann's sister Bea Bohr"),
    (False, "It was Bea Bohr, the daughter of Ann Abel."),
    (True, "It was Ann Abel, the daughter of Bea Bohr."),
    (True, "Ann Bea Abel"),
    (False, "Bea Abel"),
    (False, "I would leave Ann Abel aside."),
    (False, "Ann Abel is not among them."),
    (True, "Ann Abel. Not among them: Bea Bohr and Cat Cruz."),
    (True, "Ann Abel, with Bea Bohr in between."),
    (False, "Bea Bohr, in between two stints of Ann Abel"),
    (True, "Bea Bohr was the mayor; the coach was Ann Abel."),
    (False, "Ann Abel was the favourite, but it went to Bea Bohr."),
    (True, "Bea Bohr? Cat Cruz? Neither: Ann Abel."),
    (True, "- Ann Abel \u2705\n- Bea Bohr \u274c"),
    (False, "- Ann Abel \u274c\n- Bea Bohr \u2705"),
    (True, "Bea Bohr and Cat Cruz came close.\n\nTL;DR: Ann Abel"),
]
ODD = (
    "1. FC Köln",
    "II. Liga",
    "Nr. 5",
    "M*A*S*H",
    "The The",
    "Nobody Inc",
    "A",
    "Ann Abel",
    "2. Bundesliga",
    "St. Louis Blues",
    "Yahoo!",
    "¡Three Amigos!",
    "Who? What?",
    "None of the Above",
    "Level 42",
    "U2",
    "No Doubt",
    "X (band)",
    "AC/DC",
    "P!nk",
    "3",
    "12 Monkeys",
    "7 Up. Ltd.",
    "(500) Days of Summer",
    "[REC]",
    "C#",
    "x",
    "IBM",
    "a-ha",
    "The",
    "Unknown",
    "C; D",
)
SHAPES = (
    *("{}", "Answer: {}", "{}.", "**{}**", "Answer: **{}** (since 2001)", "- {}", "1. {}", "{}<|im_end|>", "{} [1]"),
    *("<answer>{}</answer>", '```json\n{{"answer": "{}"}}\n```', "{}\n\nSource: Wikipedia"),
)


def make_item(*answer: str) -> GoldQuestion:
    return GoldQuestion("Who or what was it in 2001?", "sets", "t", ("who",), answer)


def make_lexicons(values: tuple[str, ...], *, are_people: bool | None = None) -> Lexicons:
    lexicon = build_lexicon({value: [] for value in values}, are_people=are_people)
    return {("t", "who"): lexicon, ("*", "who"): lexicon}


@pytest.mark.parametrize(("is_right", "response"), RESPONSES)
def test_the_verdict_is_that_of_a_reader(is_right: bool, response: str) -> None:
    lexicons = make_lexicons(COACHES, are_people=True)
    assert judge_response(response, make_item("Ann Abel"), lexicons).is_right == is_right


@pytest.mark.parametrize("value", ODD)
def test_an_odd_name_is_read_in_every_shape(value: str) -> None:
    lexicons = make_lexicons(ODD)
    other = next(each for each in ODD if each != value)
    for shape in SHAPES:
        assert judge_response(shape.format(value), make_item(value), lexicons).is_right, shape
        assert not judge_response(shape.format(value), make_item(other), lexicons).is_right, shape


def test_a_year_that_is_a_value_is_a_date_all_the_same() -> None:
    item = GoldQuestion("Which?", "reasoning", "t", ("who",), ("1999",), (Reference("1999", "start", "2001-05"),))
    verdict = judge_response("1999, which began in May 2001.", item, make_lexicons(("1999", "2001", "Ann Abel")))
    assert (verdict.class_, verdict.given) == ("correct", (True,))


def test_a_word_of_a_value_says_nothing_of_the_next() -> None:
    teams = ("Spain national under-17 football team", "Spain national under-19 football team")
    verdict = judge_response(", ".join(teams), make_item(*teams), make_lexicons(teams, are_people=False))
    assert verdict.is_right
