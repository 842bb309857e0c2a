"""The figures of TDBench, worked by hand, and what holds of them for every response."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everwhen.families.tdbench.evaluation.figures import MEANS, SHARES, compute_figures
from everwhen.families.tdbench.evaluation.items import GoldQuestion, Lexicons, Reference
from everwhen.families.tdbench.evaluation.lexicon import build_lexicon
from everwhen.families.tdbench.evaluation.verdict import judge_response

NAMES = ("Mira Holt", "Tomas Vale", "Ines Kerr", "Jo Marsh")
LEXICONS: Lexicons = {
    ("rulers", "Name"): build_lexicon({name: () for name in NAMES}),
    ("", "Country"): build_lexicon({"Cassia": (), "Ardonia": ()}),
    ("", "Game"): build_lexicon({"Northport 1992": (), "Eastbay 1996": ()}),
}
TWO = GoldQuestion(
    question="Which Presidents of Ardonia left office before 1 June 2000?",
    task="reasoning",
    declaration="rulers",
    asked=("Name",),
    answer=("Mira Holt", "Tomas Vale"),
    references=(
        Reference("Mira Holt", "start", "1990-03-15", is_stated=True),
        Reference("Mira Holt", "end", "1994-12-29"),
        Reference("Tomas Vale", "start", "1994-12-29"),
        Reference("Tomas Vale", "end", "1999-01-01"),
    ),
)
NOBODY = dataclasses.replace(TWO, answer=(), references=())
HOSTED = dataclasses.replace(
    TWO,
    task="multi_hop",
    answer=("Jo Marsh",),
    references=(Reference("Jo Marsh", "start", "1988-02-25"), Reference("Jo Marsh", "end", "1993-02-25")),
    hops=(("Game", "Northport 1992"), ("Country", "Cassia")),
)


def figures(response: str | None, item: GoldQuestion = TWO) -> dict[str, Fraction | int | None]:
    return compute_figures(item, judge_response(response, item, LEXICONS))


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("- Mira Holt: March 1990 to December 1994\n- Tomas Vale: December 1994 to January 1999", ("1", "1", "1", "1")),
        ("- Mira Holt: March 1990 to December 1994\n- Tomas Vale: until January 1999", ("1", "3/4", "0", "1")),
        ("Mira Holt until December 1994, and Tomas Vale", ("1", "1/4", "0", "1")),
        ("Mira Holt, March 1990 to December 1994", ("0", "1/2", "0", "2/3")),
        ("Mira Holt, Tomas Vale and Ines Kerr", ("0", "0", "0", "4/5")),
        ("Ines Kerr and Tomas Vale", ("0", "0", "0", "1/2")),
        ("Ines Kerr", ("0", "0", "0", "0")),
        ("No answer", ("0", "0", "0", "0")),
    ],
)
def test_answer_times_and_both_by_hand(response: str, expected: tuple[str, ...]) -> None:
    found = figures(response)
    assert [found[name] for name in ("A", "T", "AT", "F1")] == [Fraction(text) for text in expected]


def test_dates_that_the_question_states_are_left_out_of_the_second_share() -> None:
    found = figures("- Mira Holt: March 1990 to December 1994\n- Tomas Vale: until January 1999")
    assert (found["T"], found["T_unstated"]) == (Fraction(3, 4), Fraction(2, 3))
    found = figures("- Mira Holt: until December 1994\n- Tomas Vale: December 1994 to January 1999")
    assert (found["AT"], found["AT_unstated"]) == (0, 1)


def test_no_answer_has_an_accuracy_alone() -> None:
    found = figures("No answer", NOBODY)
    assert (found["A"], found["F1"]) == (1, 1)
    assert [found[name] for name in ("T", "AT", "delta", "T_unstated", "AT_unstated")] == [None] * 5
    assert figures("Ines Kerr", NOBODY)["F1"] == 0


@pytest.mark.parametrize(
    ("response", "first", "second"),
    [
        ("Northport 1992 was held in Cassia, whose president was Jo Marsh.", 0, 0),
        ("Northport 1992 was held in Cassia, whose president was Ines Kerr.", 0, 1),
        ("Northport 1992 was held in Ardonia, whose president was Ines Kerr.", 1, None),
        ("Eastbay 1996 was held in Cassia, whose president was Ines Kerr.", None, 1),
        ("Northport 1992: Jo Marsh", None, None),
        ("Jo Marsh of Cassia", None, 0),
        ("Cassia hosted it.", None, None),
        ("unsure", None, None),
    ],
)
def test_a_hallucination_is_a_wrong_hop_behind_a_right_one(
    response: str, first: int | None, second: int | None
) -> None:
    found = figures(response, HOSTED)
    assert (found["H1"], found["H2"]) == (first, second)


def test_a_hop_of_several_columns_is_right_if_those_that_are_mentioned_are() -> None:
    item = dataclasses.replace(HOSTED, hops=(("Game | Country", "Northport 1992 | Cassia"),))
    assert figures("Jo Marsh of Cassia", item)["H1"] == 0
    assert figures("Jo Marsh, at Northport 1992 in Ardonia", item)["H1"] is None
    assert figures("Northport 1992 in Cassia: Ines Kerr", item)["H1"] == 1


def test_a_date_counts_for_one_reference_of_an_answer() -> None:
    item = dataclasses.replace(
        HOSTED, references=(Reference("Jo Marsh", "start", "1988-02"), Reference("Jo Marsh", "end", "1988-02"))
    )
    assert figures("Jo Marsh, in February 1988", item)["T"] == Fraction(1, 2)
    assert figures("Jo Marsh, from February 1988 to February 1988", item)["T"] == 1


def test_a_date_is_compared_as_exactly_as_the_table_states_it() -> None:
    item = dataclasses.replace(HOSTED, references=(Reference("Jo Marsh", "start", "1988"),), granularity="day")
    assert figures("Jo Marsh, since 1988", item)["T"] == figures("Jo Marsh, since 25 February 1988", item)["T"] == 1


def test_a_date_without_a_role_counts_and_is_reported() -> None:
    item = dataclasses.replace(HOSTED, references=HOSTED.references[:1])
    assert figures("Jo Marsh, February 1988", item)["without_role"] == 1
    assert figures("Jo Marsh, since February 1988", item)["without_role"] == 0


@pytest.mark.parametrize("granularity", ["day", "month", "year"])
@pytest.mark.parametrize(("text", "finest"), [("25 February 1988", 3), ("February 1988", 2), ("1988", 1)])
def test_a_coarser_date_is_right_at_a_coarser_granularity(granularity: str, text: str, finest: int) -> None:
    item = dataclasses.replace(HOSTED, references=HOSTED.references[:1], granularity=granularity)
    is_right = ("year", "month", "day").index(granularity) < finest
    assert figures(f"Jo Marsh, since {text}", item)["T"] == int(is_right)


PIECES = (
    *NAMES,
    *("March 1990", "December 1994", "29 December 1994", "1 January 1999", "1999", "2001-02-03", "still"),
    *("since", "until", "from", "to", "not", "and", "or", ",", ";", ".", "\n- ", "Answer:", "No answer", "unsure"),
    *("succeeded", "before", "because", "(", ")", "**", "<think>", "</think>", "Cassia", "İ", "｜"),
)
RESPONSES = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join) | st.text(max_size=60)


@settings(max_examples=100, deadline=None)
@given(RESPONSES, st.sampled_from([TWO, NOBODY, HOSTED]))
def test_figures_are_shares_and_both_is_no_more_than_either(response: str, item: GoldQuestion) -> None:
    found = figures(response, item)
    assert set(found) == {*SHARES, *MEANS}
    assert all(value is None or 0 <= value <= 1 for value in found.values())
    assert all(found[name] in (0, 1) for name in SHARES)
    a, t, at, delta = (found[name] for name in ("A", "T", "AT", "delta"))
    assert a is not None
    if at is not None:
        assert t is not None
        assert at <= min(a, t)
        assert delta == a - at
    assert sum(found[name] or 0 for name in SHARES) == 1
    assert (found["F1"] == 1) >= (a == 1)


LINES = st.lists(
    st.builds(
        "{}: {} to {}".format,
        st.sampled_from(NAMES),
        st.sampled_from(["March 1990", "December 1994", "1994"]),
        st.sampled_from(["December 1994", "January 1999", "2001"]),
    ),
    max_size=4,
)


@given(LINES, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(lines: list[str], random: Random) -> None:
    mixed = list(lines)
    random.shuffle(mixed)
    first, second = (figures("\n".join(f"- {line}" for line in each)) for each in (lines, mixed))
    assert first == second


@given(LINES)
def test_case_and_marks_do_not_matter(lines: list[str]) -> None:
    plain = "\n".join(f"- {line}" for line in lines)
    assert figures(plain) == figures(plain.upper()) == figures("\n".join(f"* **{line}**" for line in lines))


@given(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
def test_a_longer_list_of_names_is_right_only_if_it_is_the_answer(names: list[str]) -> None:
    assert figures(", ".join(names))["A"] == int(set(names) == set(TWO.answer))


@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    assert figures(text) == figures(text)
