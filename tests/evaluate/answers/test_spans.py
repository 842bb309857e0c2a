"""Expressions of time and durations in answers, and what becomes of them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.evaluate.answers.durations import is_duration, judge_durations, read_durations
from everwhen.evaluate.answers.spans import is_span, judge_span, read_span
from everwhen.evaluate.outcome import Outcome
from everwhen.temporal.durations import Duration
from everwhen.temporal.phrases import MONTHS, write_duration

RIGHT, COARSE, WRONG = Outcome.RIGHT, Outcome.COARSE, Outcome.WRONG


@pytest.mark.parametrize(
    ("gold", "response", "outcome"),
    [
        ("From May 1998 to 2001", "From May 1998 to 2001", RIGHT),
        ("From May 1998 to 2001", "1998-05 to 2001", RIGHT),
        ("From May 1998 to 2001", "She was mayor between May 1998 and March 2001.", RIGHT),
        ("From May 1998 to 2001", "4 May 1998 – 2001", RIGHT),
        ("From May 1998 to 2001", "1998–2001", COARSE),
        ("From May 1998 to 2001", "May 1998", WRONG),
        ("From May 1998 to 2001", "Since May 1998", WRONG),
        ("From May 1998 to 2001", "From May 1998 to 2002", WRONG),
        ("From May 1998 to 2001", "May 1998 or 2001", WRONG),
        ("From May 1998 to 2001", "From 2001 to May 1998", WRONG),
        ("Since 2004", "since 2004", RIGHT),
        ("Since 2004", "From 2004 onwards", RIGHT),
        ("Since 2004", "2004–present", RIGHT),
        ("Since 2004", "from 2004 to the present", RIGHT),
        ("Since 2004", "2004", WRONG),
        ("Since 2004", "until 2004", WRONG),
        ("Until 2004", "Until May 2004", RIGHT),
        ("Until May 2004", "up to 2004", COARSE),
        ("May 1998", "in May 1998", RIGHT),
        ("May 1998", "12 May 1998", RIGHT),
        ("12 May 1998", "May 1998", COARSE),
        ("May 1998", "not in May 1998", WRONG),
        ("May 1998", "a long time ago", WRONG),
    ],
)
def test_an_expression_of_time_is_judged_by_both_ends(gold: str, response: str, outcome: Outcome) -> None:
    right = read_span(gold)
    assert right is not None
    assert judge_span(read_span(response), [right]) is outcome


def test_times_of_the_question_do_not_count_beside_others() -> None:
    question = "Where was she when he left in 1996?"
    assert read_span("In 1996, which was before May 1998 to 2001, …", question) == read_span("May 1998 to 2001")
    assert read_span("In 1996.", question) == read_span("1996")


@pytest.mark.parametrize(
    ("text", "is_time"),
    [
        ("From May 1998 to 2001", True),
        ("Since 3 May 1998", True),
        ("2004", True),
        ("1998 FIFA World Cup", False),
        ("Apollo 11", False),
        ("Mira Rau", False),
        ("1998 or 1999", False),
    ],
)
def test_a_name_with_a_year_is_no_expression_of_time(text: str, is_time: bool) -> None:
    assert is_span(text) is is_time


@given(
    *(st.integers(1000, 2999), st.integers(1, 12), st.integers(0, 500)),
    st.sampled_from(["From {} to {}", "from {} until {}", "{} – {}", "between {} and {}"]),
)
def test_both_ends_are_read_as_they_are_written(year: int, month: int, later: int, layout: str) -> None:
    last = year + later
    span = read_span(layout.format(f"{MONTHS[month - 1]} {year}", f"December {last}"))
    assert span is not None
    assert span.start is not None
    assert (span.start[0], span.end) == (date(year, month, 1), (date(last, 12, 1), date(last, 12, 31)))


GOLD = "6 years 5 months 13 days"


@pytest.mark.parametrize(
    ("gold", "response", "outcome"),
    [
        (GOLD, GOLD, RIGHT),
        (GOLD, "6 years, 5 months and 13 days", RIGHT),
        (GOLD, "It was six years, five months, thirteen days.", RIGHT),
        (GOLD, "77 months and 13 days", RIGHT),
        (GOLD, "6 years 5 months 13 days (about 77 months)", RIGHT),
        (GOLD, "6 years and 5 months", COARSE),
        (GOLD, "6 years", COARSE),
        (GOLD, "5 years", WRONG),
        (GOLD, "6 years 5 months 12 days", WRONG),
        (GOLD, "6 years or 7 years", WRONG),
        (GOLD, "from 1990 to 1996", WRONG),
        ("2 weeks", "14 days", RIGHT),
        ("1 year", "12 months", RIGHT),
        ("1,250 days", "1250 days", RIGHT),
        ("13 days", "0 years", WRONG),
    ],
)
def test_a_duration_is_judged_by_its_units(gold: str, response: str, outcome: Outcome) -> None:
    assert judge_durations(read_durations(response), read_durations(gold)) is outcome


@given(st.tuples(st.integers(0, 99), st.integers(0, 11), st.integers(0, 30)).filter(any), st.booleans())
def test_a_duration_is_read_as_it_is_written(numbers: tuple[int, int, int], in_words: bool) -> None:
    duration = Duration(*numbers)
    text = write_duration(duration, in_words=in_words)
    assert is_duration(text)
    assert read_durations(f"It lasted {text}.") == (duration,)
    bare = " ".join(f"{n} {u}{'s' * (n != 1)}" for n, u in zip(numbers, ("year", "month", "day"), strict=True) if n)
    assert read_durations(bare) == (duration,)


@pytest.mark.parametrize("text", ["Mira Rau", "6", "6 years after the war", ""])
def test_what_is_more_or_less_than_a_duration_is_none(text: str) -> None:
    assert not is_duration(text)
