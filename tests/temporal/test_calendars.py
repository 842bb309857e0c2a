from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.temporal.calendars import find_julian_date
from everwhen.wikidata.time import read_time

JULIAN = "http://www.wikidata.org/entity/Q1985786"


@pytest.mark.parametrize(
    ("day", "julian"),
    [
        pytest.param(date(1452, 4, 24), (1452, 4, 15), id="leonardo"),
        pytest.param(date(1917, 11, 7), (1917, 10, 25), id="october-revolution"),
        pytest.param(date(1700, 3, 11), (1700, 2, 29), id="a-day-that-no-gregorian-year-has"),
        pytest.param(date(200, 3, 1), (200, 3, 1), id="calendars-agree"),
        pytest.param(date(1, 1, 1), (1, 1, 3), id="first-day-held"),
    ],
)
def test_a_day_has_a_julian_date(day, julian):
    assert find_julian_date(day) == julian


@given(st.dates(min_value=date(1, 1, 1), max_value=date(9999, 10, 1)))
def test_a_julian_date_is_read_back_to_its_day(day):
    year, month, number = find_julian_date(day)
    assert read_time(f"+{year:04d}-{month:02d}-{number:02d}T00:00:00Z", 11, JULIAN).first == day
