from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.temporal.calendars import Calendar
from everwhen.temporal.interval import TimeValue
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.time import read_time

GREGORIAN = "http://www.wikidata.org/entity/Q1985727"
JULIAN = "http://www.wikidata.org/entity/Q1985786"


def days(first: str, last: str, precision: int) -> TimeValue:
    return TimeValue(date.fromisoformat(first), date.fromisoformat(last), precision)


@pytest.mark.parametrize(
    ("time", "precision", "expected"),
    [
        pytest.param("+1952-03-11T00:00:00Z", 11, days("1952-03-11", "1952-03-11", 11), id="day"),
        pytest.param("+00000001952-03-11T00:00:00Z", 11, days("1952-03-11", "1952-03-11", 11), id="eleven-digits"),
        pytest.param("+0000000138-07-10T00:00:00Z", 11, days("0138-07-10", "0138-07-10", 11), id="ten-digits"),
        pytest.param("+1969-07-20T20:17:40Z", 14, days("1969-07-20", "1969-07-20", 11), id="second"),
        pytest.param("+1969-07-20T20:00:00Z", 12, days("1969-07-20", "1969-07-20", 11), id="hour"),
        pytest.param("+2000-02-00T00:00:00Z", 10, days("2000-02-01", "2000-02-29", 10), id="month-leap"),
        pytest.param("+1900-02-01T00:00:00Z", 10, days("1900-02-01", "1900-02-28", 10), id="month-no-leap"),
        pytest.param("+1900-12-00T00:00:00Z", 10, days("1900-12-01", "1900-12-31", 10), id="december"),
        pytest.param("+2001-00-00T00:00:00Z", 9, days("2001-01-01", "2001-12-31", 9), id="year"),
        pytest.param("+2001-01-01T00:00:00Z", 9, days("2001-01-01", "2001-12-31", 9), id="year-with-01-01"),
        pytest.param("+0001-00-00T00:00:00Z", 9, days("0001-01-01", "0001-12-31", 9), id="year-1"),
        pytest.param("+9999-00-00T00:00:00Z", 9, days("9999-01-01", "9999-12-31", 9), id="year-9999"),
        pytest.param("+1990-00-00T00:00:00Z", 8, days("1990-01-01", "1999-12-31", 8), id="decade-first-year"),
        pytest.param("+1999-00-00T00:00:00Z", 8, days("1990-01-01", "1999-12-31", 8), id="decade-last-year"),
        pytest.param("+1900-00-00T00:00:00Z", 7, days("1801-01-01", "1900-12-31", 7), id="century-last-year"),
        pytest.param("+1901-00-00T00:00:00Z", 7, days("1901-01-01", "2000-12-31", 7), id="century-first-year"),
        pytest.param("+2000-00-00T00:00:00Z", 6, days("1001-01-01", "2000-12-31", 6), id="millennium-last-year"),
        pytest.param("+2001-00-00T00:00:00Z", 6, days("2001-01-01", "3000-12-31", 6), id="millennium-first-year"),
    ],
)
def test_read_time_gregorian(time, precision, expected):
    assert read_time(time, precision, GREGORIAN)[:3] == expected


@pytest.mark.parametrize(
    ("time", "precision", "expected"),
    [
        pytest.param("+1917-10-25T00:00:00Z", 11, days("1917-11-07", "1917-11-07", 11), id="october-revolution"),
        pytest.param("+1582-10-04T00:00:00Z", 11, days("1582-10-14", "1582-10-14", 11), id="last-julian-day"),
        pytest.param("+1582-10-05T00:00:00Z", 11, days("1582-10-15", "1582-10-15", 11), id="first-gregorian-day"),
        pytest.param("+1752-09-02T00:00:00Z", 11, days("1752-09-13", "1752-09-13", 11), id="britain"),
        pytest.param("+1066-10-14T00:00:00Z", 11, days("1066-10-20", "1066-10-20", 11), id="hastings"),
        pytest.param("+0200-03-01T00:00:00Z", 11, days("0200-03-01", "0200-03-01", 11), id="calendars-agree"),
        pytest.param("+1700-02-29T00:00:00Z", 11, days("1700-03-11", "1700-03-11", 11), id="julian-leap-day"),
        pytest.param("+1900-02-00T00:00:00Z", 10, days("1900-02-13", "1900-03-13", 10), id="month"),
        pytest.param("+1700-00-00T00:00:00Z", 9, days("1700-01-11", "1701-01-11", 9), id="year-over-a-drift"),
        pytest.param("+1500-00-00T00:00:00Z", 7, days("1401-01-10", "1501-01-10", 7), id="century"),
        pytest.param("+0001-01-03T00:00:00Z", 11, days("0001-01-01", "0001-01-01", 11), id="first-day-held"),
    ],
)
def test_read_time_julian_is_converted_at_both_ends(time, precision, expected):
    assert read_time(time, precision, JULIAN) == (*expected, Calendar.JULIAN)


@pytest.mark.parametrize(
    ("time", "precision", "calendar", "reason"),
    [
        *[
            pytest.param("+2001-00-00T00:00:00Z", p, GREGORIAN, f"precision {p} is coarser than a", id=f"p{p}")
            for p in range(6)
        ],
        pytest.param("-0044-03-15T00:00:00Z", 11, JULIAN, "year BCE", id="bce"),
        pytest.param("-00000000752-04-13T00:00:00Z", 11, JULIAN, "year BCE", id="bce-2014"),
        pytest.param("-13798000000-00-00T00:00:00Z", 3, GREGORIAN, "precision 3 is coarser", id="big-bang"),
        pytest.param("+0000-00-00T00:00:00Z", 9, GREGORIAN, "year zero", id="year-zero"),
        pytest.param("-0000-00-00T00:00:00Z", 9, GREGORIAN, "year zero", id="minus-zero"),
        pytest.param("+10000-00-00T00:00:00Z", 9, GREGORIAN, "year beyond 9999", id="year-10000"),
        pytest.param("+2001-13-01T00:00:00Z", 11, GREGORIAN, "month 13 does not exist", id="month-13"),
        pytest.param("+2001-13-00T00:00:00Z", 9, GREGORIAN, "month 13 does not exist", id="month-13-of-a-year"),
        pytest.param("+2001-02-30T00:00:00Z", 11, GREGORIAN, "day 30 of month 2 does not exist", id="30-february"),
        pytest.param("+1900-02-29T00:00:00Z", 11, GREGORIAN, "day 29 of month 2 does not exist", id="no-leap-year"),
        pytest.param("+2001-06-31T00:00:00Z", 9, GREGORIAN, "day 31 of month 6 does not exist", id="31-june-of-a-year"),
        pytest.param("+2001-00-00T00:00:00Z", 11, GREGORIAN, "precision 11 without a month", id="day-00-00"),
        pytest.param("+2001-05-00T00:00:00Z", 11, GREGORIAN, "precision 11 without a day", id="day-00"),
        pytest.param("+2001-05-00T00:00:00Z", 14, GREGORIAN, "precision 14 without a day", id="second-day-00"),
        pytest.param("+2001-00-00T00:00:00Z", 10, GREGORIAN, "precision 10 without a month", id="month-00"),
        pytest.param("+2001-00-05T00:00:00Z", 9, GREGORIAN, "a day without a month", id="day-but-no-month"),
        pytest.param("+0005-00-00T00:00:00Z", 8, GREGORIAN, "days before the year 1", id="decade-of-year-zero"),
        pytest.param("+9950-00-00T00:00:00Z", 7, GREGORIAN, "days beyond the year 9999", id="century-to-10000"),
        pytest.param("+0001-01-02T00:00:00Z", 11, JULIAN, "days before the year 1", id="julian-before-year-1"),
        pytest.param("+9999-12-31T00:00:00Z", 11, JULIAN, "days beyond the year 9999", id="julian-beyond-9999"),
        pytest.param("+2001-01-01T00:00:00Z", 15, GREGORIAN, "precision is not one of 0 to 14", id="precision-15"),
        pytest.param("+2001-01-01T00:00:00Z", -1, GREGORIAN, "precision is not one of 0 to 14", id="precision-minus"),
        pytest.param("+2001-01-01T00:00:00Z", 11.0, GREGORIAN, "precision is not one of 0 to 14", id="precision-float"),
        pytest.param("+2001-01-01T00:00:00Z", "11", GREGORIAN, "precision is not one of 0 to 14", id="precision-text"),
        pytest.param("+2001-01-01T00:00:00Z", None, GREGORIAN, "precision is not one of 0 to 14", id="precision-none"),
        pytest.param("+2001-01-01T00:00:00Z", 11, JULIAN + "7", "calendar is neither", id="calendar"),
        pytest.param("+2001-01-01T00:00:00Z", 11, None, "calendar is neither", id="no-calendar"),
        pytest.param("2001-01-01T00:00:00Z", 11, GREGORIAN, "not written as a Wikibase time", id="no-sign"),
        pytest.param("+2001-01-01", 11, GREGORIAN, "not written as a Wikibase time", id="no-time-of-day"),
        pytest.param("+2001-1-1T00:00:00Z", 11, GREGORIAN, "not written as a Wikibase time", id="one-digit"),
        pytest.param("+2_01-01-01T00:00:00Z", 11, GREGORIAN, "not written as a Wikibase time", id="underscore"),
        pytest.param("+２００１-01-01T00:00:00Z", 11, GREGORIAN, "not written as a Wikibase time", id="wide-digits"),
        pytest.param("+2001-01-01T00:00:00Z\n", 11, GREGORIAN, "not written as a Wikibase time", id="newline"),
        pytest.param("", 11, GREGORIAN, "not written as a Wikibase time", id="empty"),
        pytest.param(None, 11, GREGORIAN, "not written as a Wikibase time", id="none"),
        pytest.param(2001, 9, GREGORIAN, "not written as a Wikibase time", id="number"),
    ],
)
def test_read_time_rejects_by_name(time, precision, calendar, reason):
    with pytest.raises(Malformed, match=reason):
        read_time(time, precision, calendar)


def test_a_float_precision_is_rejected_after_an_integer():
    assert read_time("+2002-02-02T00:00:00Z", 11, GREGORIAN).precision == 11
    with pytest.raises(Malformed):
        read_time("+2002-02-02T00:00:00Z", 11.0, GREGORIAN)


@pytest.mark.parametrize(
    ("time", "precision", "before", "after", "first", "last"),
    [
        pytest.param("+1710-00-00T00:00:00Z", 9, 5, 5, "1705-01-01", "1715-12-31", id="years"),
        pytest.param("+1710-02-00T00:00:00Z", 10, 3, 0, "1709-11-01", "1710-02-28", id="months"),
        pytest.param("+1710-12-31T00:00:00Z", 11, 0, 1, "1710-12-31", "1711-01-01", id="days"),
        pytest.param("+1710-00-00T00:00:00Z", 8, 1, 0, "1700-01-01", "1719-12-31", id="decades"),
    ],
)
def test_before_and_after_widen_a_time_by_units_of_its_precision(time, precision, before, after, first, last):
    assert read_time(time, precision, GREGORIAN, before, after)[:3] == days(first, last, precision)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        pytest.param(-1, 0, "before or after of a time is not a whole number", id="negative"),
        pytest.param(0, 1.0, "before or after of a time is not a whole number", id="float"),
        pytest.param("1", 0, "before or after of a time is not a whole number", id="text"),
        pytest.param(9, 0, "days before the year 1", id="into-bce"),
        pytest.param(0, 10**9, "days beyond the year 9999", id="far"),
    ],
)
def test_before_and_after_are_rejected_by_name(before, after, reason):
    with pytest.raises(Malformed, match=reason):
        read_time("+0007-00-00T00:00:00Z", 9, GREGORIAN, before, after)


@given(
    day=st.dates(min_value=date(1002, 1, 1), max_value=date(8999, 12, 31)),
    precision=st.integers(min_value=6, max_value=14),
    calendar=st.sampled_from([GREGORIAN, JULIAN]),
)
def test_read_time_is_in_order_and_holds_its_day(day, precision, calendar):
    if calendar == JULIAN and (day.month, day.day) == (2, 29) and day.year % 4:
        return
    time = f"+{day.year:04d}-{day.month:02d}-{day.day:02d}T00:00:00Z"
    first, last, kept, _ = read_time(time, precision, calendar)
    exact = read_time(time, 11, calendar).first
    assert first <= exact <= last
    assert kept == min(precision, 11)


@given(day=st.dates(min_value=date(10, 1, 1), max_value=date(9000, 12, 31)), coarse=st.sampled_from([6, 8, 9, 10]))
def test_finer_precision_is_within_coarser(day, coarse):
    """Precision 7 is left out: decades (1990 to 1999) do not nest in centuries (1901 to 2000)."""
    time = f"+{day.year:04d}-{day.month:02d}-{day.day:02d}T00:00:00Z"
    outer, inner = read_time(time, coarse, GREGORIAN), read_time(time, coarse + 1, GREGORIAN)
    assert outer.first <= inner.first <= inner.last <= outer.last


@given(st.dates(min_value=date(2, 1, 1), max_value=date(9998, 12, 31)))
def test_julian_days_follow_one_another(day):
    """The day after a Julian date converts to the day after, over every month and year end."""

    def julian(value: date) -> date:
        return read_time(f"+{value.year:04d}-{value.month:02d}-{value.day:02d}T00:00:00Z", 11, JULIAN).first

    if day.year > 9990:
        return
    following = day + timedelta(days=1)
    leap_day_between = day.year % 4 == 0 and day.year % 100 == 0 and day.year % 400 and (day.month, day.day) == (2, 28)
    assert julian(following) - julian(day) == timedelta(days=2 if leap_day_between else 1)


@given(st.integers(min_value=2, max_value=9990))
def test_julian_years_leave_no_gap(year):
    this = read_time(f"+{year:04d}-00-00T00:00:00Z", 9, JULIAN)
    following = read_time(f"+{year + 1:04d}-00-00T00:00:00Z", 9, JULIAN)
    assert following.first - this.last == timedelta(days=1)
    assert (this.last - this.first).days + 1 == (366 if year % 4 == 0 else 365)
