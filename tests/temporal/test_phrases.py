from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.temporal.durations import Duration
from everwhen.temporal.interval import TimeValue
from everwhen.temporal.phrases import (
    read_date,
    read_duration,
    read_ordinal,
    write_date,
    write_duration,
    write_ordinal,
    write_ordinal_word,
)
from everwhen.temporal.precision import Precision

PRECISIONS = st.sampled_from([Precision.YEAR, Precision.MONTH, Precision.DAY])


@given(st.dates(), PRECISIONS, st.booleans())
def test_a_date_in_words_is_read_back(day: date, precision: Precision, month_first: bool) -> None:
    assert read_date(write_date(day, precision, month_first=month_first)) == TimeValue.from_day(day, precision)


@given(st.dates(), PRECISIONS)
def test_an_iso_date_is_read_back(day: date, precision: Precision) -> None:
    assert read_date(day.isoformat()[: 3 * precision - 23]) == TimeValue.from_day(day, precision)


@given(st.builds(Duration, *[st.integers(0, 25) | st.integers(0, 10**18 - 1)] * 3), st.booleans())
def test_a_duration_in_words_is_read_back(duration: Duration, in_words: bool) -> None:
    assert read_duration(write_duration(duration, in_words=in_words)) == duration


@given(st.integers(0, 120) | st.integers(0, 10**18 - 1))
def test_an_ordinal_is_read_back(number: int) -> None:
    assert read_ordinal(write_ordinal(number)) == read_ordinal(write_ordinal_word(number)) == number


@pytest.mark.parametrize("text", ["", "3", "11st", "3th", "eleventh", "the third", "-1st", "1 st"])
def test_other_ordinals_are_not_read(text: str) -> None:
    assert read_ordinal(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("28 April 1993", "28th April 1993", "28th of April 1993", "28 april, 1993", "28 Apr 1993", "28 Apr. 1993"),
        *("April 28, 1993", "April 28th, 1993", "APRIL 28 1993", " Apr  28,\t1993 ", "1993-04-28", "28 April 1993 CE"),
    ],
)
def test_a_day_is_read_from_every_usual_form(text: str) -> None:
    assert read_date(text) == TimeValue(date(1993, 4, 28), date(1993, 4, 28), Precision.DAY)


@pytest.mark.parametrize(
    ("text", "first", "last", "precision"),
    [
        ("Sept 2025", date(2025, 9, 1), date(2025, 9, 30), Precision.MONTH),
        ("February of 2024", date(2024, 2, 1), date(2024, 2, 29), Precision.MONTH),
        ("May, 1993", date(1993, 5, 1), date(1993, 5, 31), Precision.MONTH),
        ("1993-04", date(1993, 4, 1), date(1993, 4, 30), Precision.MONTH),
        ("1993", date(1993, 1, 1), date(1993, 12, 31), Precision.YEAR),
        ("AD 79", date(79, 1, 1), date(79, 12, 31), Precision.YEAR),
        ("79 AD", date(79, 1, 1), date(79, 12, 31), Precision.YEAR),
    ],
)
def test_months_and_years_are_read_as_all_their_days(text: str, first: date, last: date, precision: int) -> None:
    assert read_date(text) == TimeValue(first, last, precision)


@pytest.mark.parametrize(
    "text",
    [
        *("", "April", "28 April", "yesterday", "in 1993", "1993 or 1994", "28 April 1993.", "28-04-1993", "93", "476"),
        *("04/05/1993", "30 February 1993", "29 February 1900", "1993-13", "1993-00", "1993-04-31", "0 May 1993"),
        *("0000", "AD 0", "12345", "1st 1993", "21th May 1993", "11st May 1993", "19٩3", "Mayor 1993", "1990s"),
    ],
)
def test_ambiguous_dates_are_not_read(text: str) -> None:
    assert read_date(text) is None


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("a day", Duration(days=1)),
        ("Three  Weeks", Duration(days=21)),
        ("half a year", Duration(months=6)),
        ("half-year", Duration(months=6)),
        ("a year and a half", Duration(years=1, months=6)),
        ("2.5 years", Duration(years=2, months=6)),
        ("two and a half years", Duration(years=2, months=6)),
        ("1 year, 2 months, and 3 days", Duration(1, 2, 3)),
        ("14 months", Duration(months=14)),
    ],
)
def test_a_duration_is_read_from_usual_forms(text: str, duration: Duration) -> None:
    assert read_duration(text) == duration


@pytest.mark.parametrize(
    "text",
    [
        *("", "5", "years", "a while", "-1 days", "2 years and", "2 years 3 months", "2 years and 3 years"),
        *("1.5 months", "2.25 years", "half a day", "3 decades", "2 yearsand 3 days"),
    ],
)
def test_ambiguous_durations_are_not_read(text: str) -> None:
    assert read_duration(text) is None


@given(st.text(alphabet="0123456789 -,.adhlfyersmontk"))
def test_reading_never_fails(text: str) -> None:
    read_date(text)
    read_duration(text)


def test_a_decade_is_not_written() -> None:
    with pytest.raises(ValueError, match="precision 8 is coarser than a year"):
        write_date(date(1990, 1, 1), Precision.DECADE)


def test_a_negative_duration_is_not_written() -> None:
    with pytest.raises(ValueError, match="negative"):
        write_duration(Duration(days=-1))
