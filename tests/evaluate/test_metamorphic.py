"""What must not change a typed outcome, and what must not make a wrong answer right."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.scoring import score

NAMES = (
    *(
        "Mark Twain",
        "Lech Wałęsa",
        "Bosnia and Herzegovina",
        "J. K. Simmons",
        "Malmö",
        "The Who",
        "To Have and Have Not",
    ),
    *("Die Hard 2", "Côte d'Ivoire", "2000 Summer Olympics", "Gabriel García Márquez", "São Paulo", "U.S. Open"),
)
SEPARATORS = (". ", ", ", "; ", "\n", " / ", " or ", " and ", " ")
DENIALS = ("not {}", "Not {}.", "It was not {}.", "It wasn't {}", "never {}", "anything but {}")

names = st.sampled_from(NAMES)
days = st.dates(min_value=date(1000, 1, 1), max_value=date(2100, 12, 31))
counts = st.integers(min_value=0, max_value=10**7)


def ask(answer: str, answer_type: str = "name", unit: str | None = None) -> GoldItem:
    return GoldItem(1, "What is asked?", (answer,), ((),), answer_type, unit=unit)  # type: ignore[arg-type]


def write_suffix(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


CHANGES: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "an article": lambda text: f"the {text}",
    "a full stop": lambda text: f"{text}.",
    "white space": lambda text: f"\n {text}  ",
    "bold letters": lambda text: f"**{text}**",
    "an introduction": lambda text: f"Answer: {text}",
}

FORMATS: dict[str, Callable[[date], str]] = {
    "ISO": date.isoformat,
    "slashes": lambda d: f"{d:%Y/%m/%d}",
    "day first": lambda d: f"{d.day} {d:%B} {d.year}",
    "short month": lambda d: f"{d.day} {d:%b} {d.year}",
    "month first": lambda d: f"{d:%B} {d.day}, {d.year}",
    "ordinal": lambda d: f"{d:%B} {d.day}{write_suffix(d.day)}, {d.year}",
    "of": lambda d: f"the {d.day}{write_suffix(d.day)} of {d:%B} {d.year}",
    "weekday": lambda d: f"{d:%A}, {d.day} {d:%B} {d.year}",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@given(answer=names, given=names)
def test_the_form_of_a_name_does_not_matter(change: Callable[[str], str], answer: str, given: str) -> None:
    assert score(change(given), ask(answer)).outcome == (Outcome.RIGHT if given == answer else Outcome.WRONG)


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
@given(answer=days, given=days)
def test_the_format_of_a_date_does_not_matter(write: Callable[[date], str], answer: date, given: date) -> None:
    item = ask(answer.isoformat(), "date")
    assert score(write(answer), item).outcome == Outcome.RIGHT
    assert score(write(given), item).outcome == (Outcome.RIGHT if given == answer else Outcome.WRONG)


@given(answer=days)
def test_a_month_or_a_year_is_a_coarse_answer_to_a_day(answer: date) -> None:
    item = ask(answer.isoformat(), "date")
    for text in (f"{answer.year}", f"{answer:%B} {answer.year}", f"{answer.year // 10}0s"):
        assert score(text, item).outcome == Outcome.COARSE


@given(answer=counts, given=counts)
def test_thousands_do_not_matter(answer: int, given: int) -> None:
    item = ask(str(answer), "number")
    if given % 1000 == 0 and given != answer:
        return  # may be the answer, rounded
    for text in (f"{given}", f"{given:,}", f"{given:,}.", f"{given:,}".replace(",", "\u202f"), f"{given}.0"):
        assert score(text, item).outcome == (Outcome.RIGHT if given == answer else Outcome.WRONG)


@given(answer=names, wrong=names, separator=st.sampled_from(SEPARATORS))
def test_the_answer_behind_a_wrong_one_does_not_make_it_right(answer: str, wrong: str, separator: str) -> None:
    if wrong != answer:
        assert score(f"{wrong}{separator}{answer}", ask(answer)).outcome == Outcome.WRONG


@given(answer=days, wrong=days, separator=st.sampled_from(SEPARATORS))
def test_a_day_behind_a_wrong_one_does_not_make_it_right(answer: date, wrong: date, separator: str) -> None:
    if wrong != answer:
        text = f"{wrong.isoformat()}{separator}{answer.isoformat()}"
        assert score(text, ask(answer.isoformat(), "date")).outcome == Outcome.WRONG


@given(answer=counts, wrong=counts, separator=st.sampled_from(SEPARATORS[:-1]))
def test_a_number_behind_a_wrong_one_does_not_make_it_right(answer: int, wrong: int, separator: str) -> None:
    if wrong != answer:
        assert score(f"{wrong}{separator}{answer}", ask(str(answer), "number")).outcome == Outcome.WRONG


@given(answer=names, denial=st.sampled_from(DENIALS))
def test_a_denied_name_is_wrong(answer: str, denial: str) -> None:
    assert score(denial.format(answer), ask(answer)).outcome == Outcome.WRONG


@given(answer=days, denial=st.sampled_from(DENIALS[:4]))
def test_a_denied_day_is_wrong(answer: date, denial: str) -> None:
    assert score(denial.format(answer.isoformat()), ask(answer.isoformat(), "date")).outcome == Outcome.WRONG


@given(order=st.permutations(("Paris", "Rome", "Bosnia and Herzegovina")))
def test_the_order_of_parts_matters_only_where_it_means_something(order: list[str]) -> None:
    answer = ("Paris", "Rome", "Bosnia and Herzegovina")
    item = GoldItem(1, "Which?", answer, ((),) * 3, "name")
    text = f"{order[0]}, {order[1]} and {order[2]}"
    assert score(text, item).outcome == Outcome.RIGHT
    ordered = GoldItem(1, "Which?", answer, ((),) * 3, "name", is_ordered=True)
    assert score(text, ordered).outcome == (Outcome.RIGHT if tuple(order) == answer else Outcome.WRONG)
    assert score(f"{order[0]} and {order[1]}", item).outcome == Outcome.WRONG
    assert score(f"{text} and London", item).outcome == Outcome.WRONG


@given(text=st.text(max_size=200))
def test_any_text_has_an_outcome(text: str) -> None:
    for item in (ask("Mark Twain"), ask("1994-07-05", "date"), ask("228", "number", "metre"), ask("yes", "yes_no")):
        found = score(text, item)
        assert found.outcome in Outcome
        assert all(0 <= value <= 1 for value in (*found.whole, *found.final))


REPEATED = (
    *(
        "<think>",
        "</think>",
        "Answer: ",
        "answer ",
        "\\boxed{",
        "(",
        "*",
        "$",
        "\n",
        "a. ",
        "not ",
        "but ",
        "Mark Twain, the ",
    ),
    *(
        "1994-07-05 ",
        "5 July ",
        "12 or 13, ",
        "1,",
        "1 111 ",
        "two hundred ",
        "yes, ",
        "I don't know, but ",
        "St. ",
        "é\u0301",
    ),
)


@pytest.mark.parametrize("piece", REPEATED)
def test_a_response_of_a_piece_repeated_is_scored(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    for item in (ask("Mark Twain"), ask("1994-07-05", "date"), ask("228", "number", "metre"), ask("yes", "yes_no")):
        for response in (f"{text}Mark Twain", f"Mark Twain. {text}"):
            assert score(response, item).outcome in Outcome
