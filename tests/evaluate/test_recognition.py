"""Which published answers the scorer recognises."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from everwhen.catalog.load import load_attributes, load_units
from everwhen.evaluate.answers.units import UNITS
from everwhen.evaluate.items import AnswerType, GoldItem
from everwhen.evaluate.recognition import is_recognised
from everwhen.evaluate.scoring import score


def name(*answer: str, question: str = "Who made it?") -> GoldItem:
    return GoldItem(1, question, answer, ((),) * len(answer), "name")


def typed(answer_type: AnswerType, *answer: str, unit: str | None = None) -> GoldItem:
    return GoldItem(1, "", answer, ((),) * len(answer), answer_type, unit, is_ordered=len(answer) > 1)


@pytest.mark.parametrize("answer", ["???", "!!!", ".", "—", "", "The Answer", "Answer", "Answer: 42", "<b>"])
def test_what_reads_as_no_answer_is_not_recognised(answer: str) -> None:
    assert not is_recognised(name(answer))


@pytest.mark.parametrize(
    "answer",
    [
        *("M*A*S*H", "People\u2019s Bank of China", "O\u2018tkir Sultonov", "AT&T", "The The", "The Who", "C#", "_why"),
        *("I Don't Know How She Does It", "Who's Afraid of Virginia Woolf?", "No Country for Old Men", "[REC]", "1984"),
        *("Q & A", "Sources", "50/50", "Yes", "No", "Mr. & Mrs. Smith", "\u00ab Nord \u00bb", "C\u00e9line Dion"),
    ],
)
def test_odd_names_are_recognised(answer: str) -> None:
    assert is_recognised(name(answer))


@pytest.mark.parametrize("answer", ["M*A*S*H", "People\u2019s Bank of China"])
def test_odd_names_are_read_in_sentences(answer: str) -> None:
    assert score(f"It was {answer}.", name(answer)).is_right


@pytest.mark.parametrize("response", ["...", "???", "**", ""])
def test_marks_alone_are_no_name(response: str) -> None:
    assert not score(response, name("!!!")).is_right


def test_several_parts_must_be_told_apart() -> None:
    assert is_recognised(name("Joel Coen", "Ethan Coen"))
    assert not is_recognised(name("John Smith", "John Smith"))
    assert not is_recognised(name("Plan B", "C Major"))  # initials are joined


def test_every_day_month_and_year_is_recognised() -> None:
    first, last = date(1, 1, 1), date(2200, 1, 1)
    days = [first + timedelta(days=n) for n in range(0, (last - first).days, 397)]
    texts = [text for day in days for text in (day.isoformat(), day.isoformat()[:7])]
    texts += [str(year) for year in range(1, 2200)]
    assert [text for text in texts if not is_recognised(typed("date", text))] == []


def test_every_period_is_recognised() -> None:
    days = [date(1, 1, 5) + timedelta(days=2711 * n) for n in range(290)]
    forms = [str, lambda day: day.isoformat()[:7], lambda day: str(day.year)]
    pairs = [(a(day), b(day + timedelta(days=2000))) for day in days for a in forms for b in forms]
    assert [pair for pair in pairs if not is_recognised(typed("date", *pair))] == []


def test_every_number_is_recognised() -> None:
    numbers = [str(n) for n in (*range(0, 2100, 11), *(7**n for n in range(2, 34)), *(10**n for n in range(4, 29)))]
    numbers += [f"{n / 8:.3f}".rstrip("0").rstrip(".") for n in range(-900, 900, 7)]
    numbers += ["0.000000001", "-3.14", "12345678901234567890123456789", "1234567.891"]
    units = (None, "day", "square kilometre")
    found = [(n, unit) for n in numbers for unit in units if not is_recognised(typed("number", n, unit=unit))]
    assert found == []


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_yes_and_no_are_recognised(answer: str) -> None:
    assert is_recognised(typed("yes_no", answer))


def test_a_number_in_a_unit_that_nobody_reads_is_not_recognised() -> None:
    assert is_recognised(typed("number", "5", unit="metre"))
    assert not is_recognised(typed("number", "5", unit="furlong per fortnight"))


def test_every_unit_that_is_asked_in_is_known() -> None:
    units = load_units()
    assert {units[a.unit].name for a in load_attributes() if a.unit is not None} | {"day", "year"} <= set(UNITS)
