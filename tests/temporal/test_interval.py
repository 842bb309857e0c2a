from __future__ import annotations

from datetime import date

import pytest

from everwhen.temporal.interval import Interval, TimeValue, Unit
from everwhen.temporal.precision import Precision

YEAR_1993 = TimeValue(date(1993, 1, 1), date(1993, 12, 31), Precision.YEAR)
MAY_1995 = TimeValue(date(1995, 5, 1), date(1995, 5, 31), Precision.MONTH)


@pytest.mark.parametrize(
    ("precision", "first", "last"),
    [
        (Precision.SECOND, date(2000, 2, 3), date(2000, 2, 3)),
        (Precision.DAY, date(2000, 2, 3), date(2000, 2, 3)),
        (Precision.MONTH, date(2000, 2, 1), date(2000, 2, 29)),
        (Precision.YEAR, date(2000, 1, 1), date(2000, 12, 31)),
        (Precision.DECADE, date(2000, 1, 1), date(2009, 12, 31)),
        (Precision.CENTURY, date(1901, 1, 1), date(2000, 12, 31)),
        (Precision.MILLENNIUM, date(1001, 1, 1), date(2000, 12, 31)),
    ],
)
def test_a_day_widens_to_what_its_precision_leaves_open(precision: Precision, first: date, last: date) -> None:
    assert TimeValue.from_day(date(2000, 2, 3), precision) == (first, last, min(precision, Precision.DAY))


@pytest.mark.parametrize(
    ("day", "precision"),
    [(date(2000, 1, 1), 5), (date(5, 1, 1), Precision.DECADE), (date(9950, 1, 1), Precision.CENTURY)],
)
def test_days_beyond_dates_are_refused(day: date, precision: int) -> None:
    with pytest.raises(ValueError, match=r"coarser than a millennium|year .* is out of range"):
        TimeValue.from_day(day, precision)


def test_stated_times_bound_start_and_end() -> None:
    assert Interval.from_times(YEAR_1993, MAY_1995) == Interval(
        YEAR_1993.first, YEAR_1993.last, MAY_1995.first, MAY_1995.last
    )


def test_an_end_not_stated_may_be_any_day_from_the_start_on() -> None:
    assert Interval.from_times(YEAR_1993, None) == Interval(YEAR_1993.first, YEAR_1993.last, YEAR_1993.first, None)


def test_a_start_not_stated_may_be_any_day_up_to_the_end() -> None:
    assert Interval.from_times(None, MAY_1995) == Interval(None, MAY_1995.last, MAY_1995.first, MAY_1995.last)


def test_of_two_ends_not_stated_nothing_is_known() -> None:
    assert Interval.from_times(None, None) == Interval(None, date.max, date.min, None)


def test_bounds_are_drawn_together() -> None:
    drawn = Interval(date(1993, 5, 1), date(1999, 1, 1), date(1990, 1, 1), date(1995, 1, 1))
    assert drawn == Interval(date(1993, 5, 1), date(1995, 1, 1), date(1993, 5, 1), date(1995, 1, 1))


@pytest.mark.parametrize(
    "bounds",
    [
        pytest.param((date(1993, 1, 2), date(1993, 1, 1), None, None), id="start-crossed"),
        pytest.param((date(1990, 1, 1), date(1990, 1, 1), date(1993, 1, 2), date(1993, 1, 1)), id="end-crossed"),
        pytest.param((date(1990, 1, 1), None, None, None), id="start-later-than-its-latest"),
        pytest.param((None, None, None, date(1990, 1, 1)), id="end-earlier-than-its-earliest"),
        pytest.param((date(1993, 1, 1), date(1993, 1, 1), date(1990, 1, 1), date(1992, 1, 1)), id="end-before-start"),
    ],
)
def test_bounds_that_leave_no_interval_are_refused(bounds: tuple[date | None, ...]) -> None:
    with pytest.raises(ValueError, match="no interval is within the bounds"):
        Interval(*bounds)


def test_months_are_counted_across_years() -> None:
    winter = Interval.from_ends(date(1999, 12, 1), date(2000, 1, 31))
    start, _, end, _ = winter.count_positions(Unit.MONTH)
    assert end - start == 1
