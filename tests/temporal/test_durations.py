from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.temporal.durations import Duration, add_duration, add_months, measure_duration

DAYS = st.dates(date(1890, 1, 1), date(2110, 12, 31))


@given(DAYS, DAYS)
def test_a_duration_is_the_longest_that_fits(one: date, other: date) -> None:
    first, last = min(one, other), max(one, other)
    duration = measure_duration(first, last)
    assert add_duration(first, duration) == last
    # Counted month by month: as many as do not pass the last day.
    months = 0
    while add_months(first, months + 1) <= last:
        months += 1
    assert (duration.years * 12 + duration.months, duration.months < 12) == (months, True)


@pytest.mark.parametrize(
    ("first", "last", "duration"),
    [
        pytest.param(date(2024, 1, 31), date(2024, 2, 29), Duration(months=1), id="clamped-to-the-end-of-the-month"),
        pytest.param(date(2023, 2, 28), date(2023, 3, 31), Duration(months=1, days=3), id="from-a-short-month"),
        pytest.param(date(2024, 2, 29), date(2025, 2, 28), Duration(years=1), id="leap-day"),
        pytest.param(date(2024, 3, 1), date(2025, 2, 28), Duration(months=11, days=27), id="a-day-short-of-a-year"),
        pytest.param(date(2024, 5, 5), date(2024, 5, 5), Duration(), id="same-day"),
    ],
)
def test_years_months_and_days_are_counted_from_the_earlier_day(first: date, last: date, duration: Duration) -> None:
    assert measure_duration(first, last) == duration


@given(DAYS, st.builds(Duration, st.integers(0, 50), st.integers(0, 30), st.integers(0, 400)))
def test_months_are_added_before_days(day: date, duration: Duration) -> None:
    months = 12 * duration.years + duration.months
    assert add_duration(day, duration) == add_months(day, months) + timedelta(duration.days)
    assert add_duration(day, duration, -1) == add_months(day, -months) - timedelta(duration.days)


def test_a_duration_is_measured_to_a_later_day() -> None:
    with pytest.raises(ValueError, match="2024-01-01 is before 2024-01-02"):
        measure_duration(date(2024, 1, 2), date(2024, 1, 1))
