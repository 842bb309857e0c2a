"""Days named from another day are read back to the same day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.temporal.durations import add_months
from everwhen.temporal.relative import (
    DistanceUnit,
    count_distance,
    read_relative_date,
    write_distance,
    write_near_day,
    write_near_weekday,
)

SUNDAY = date(2024, 10, 13)
REFERENCES = st.dates(date(1900, 1, 1), date(2100, 12, 31))
AWAY = st.integers(-70, 70)
UNITS: list[DistanceUnit] = ["day", "week", "month", "year"]


@given(REFERENCES, st.integers(-40, 40), st.sampled_from(UNITS), st.booleans(), st.booleans())
def test_a_distance_is_read_back(
    reference: date, number: int, unit: DistanceUnit, is_spoken: bool, in_words: bool
) -> None:
    months = {"month": 1, "year": 12}.get(unit)
    day = add_months(reference, number * months) if months else reference + timedelta(**{f"{unit}s": number})
    assert count_distance(day, reference, unit) == number
    text = write_distance(day, reference, unit, is_spoken=is_spoken, in_words=in_words)
    assert text is not None
    assert read_relative_date(text, reference) == day


@given(REFERENCES, AWAY)
def test_a_day_of_the_week_is_the_nearest_on_its_side(reference: date, away: int) -> None:
    day = reference + timedelta(away)
    text = write_near_weekday(day, reference)
    assert (text is None) == (not 1 <= abs(away) <= 7)
    assert text is None or read_relative_date(text, reference) == day


@given(REFERENCES, AWAY)
def test_a_number_names_the_nearest_day_on_its_side(reference: date, away: int) -> None:
    day, step = reference + timedelta(away), -1 if away > 0 else 1
    passed = {(day + timedelta(step * n)).day for n in range(1, abs(away) + 1)}
    text = write_near_day(day, reference)
    assert (text is None) == (away == 0 or day.day in passed)
    assert text is None or read_relative_date(text, reference, is_ahead=away > 0) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Yesterday", date(2024, 10, 12)),
        ("today", SUNDAY),
        ("seven days ago", date(2024, 10, 6)),
        ("a week before", date(2024, 10, 6)),
        ("in 3 weeks", date(2024, 11, 3)),
        ("two days from now", date(2024, 10, 15)),
        ("half a year  later", date(2025, 4, 13)),
        ("1 year and 2 days earlier", date(2023, 10, 11)),
        ("last Sunday", date(2024, 10, 6)),
        ("next Monday", date(2024, 10, 14)),
        ("last Tuesday", date(2024, 10, 8)),
        ("the 31st", date(2024, 8, 31)),
        ("the fifth", date(2024, 10, 5)),
    ],
)
def test_usual_names_are_read(text: str, day: date) -> None:
    assert read_relative_date(text, SUNDAY) == day


@pytest.mark.parametrize(
    "text",
    [
        *("", "Tuesday", "on Tuesday", "some days ago", "in the end", "five days", "the 13th", "the 32nd", "the 1th"),
        *("31st", "the day before", "in -1 days", "9000 years ago", "9000 years later"),
    ],
)
def test_other_names_are_not_read(text: str) -> None:
    assert read_relative_date(text, SUNDAY) is None


@pytest.mark.parametrize(("is_ahead", "day"), [(False, date(2024, 9, 20)), (True, date(2024, 10, 20))])
def test_the_sentence_says_on_which_side_a_number_is(is_ahead: bool, day: date) -> None:
    assert read_relative_date("the 20th", SUNDAY, is_ahead=is_ahead) == day


def test_a_distance_that_is_no_whole_number_has_no_words() -> None:
    assert write_distance(date(2024, 10, 1), SUNDAY, "week") is None
    assert write_distance(date(2024, 9, 12), SUNDAY, "month") is None
    assert write_distance(date(2024, 9, 13), SUNDAY, "year") is None
