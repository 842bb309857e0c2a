from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from everwhen.sample.dump import time_value
from everwhen.synth.statements import (
    When,
    build_time_snak,
    in_century,
    in_decade,
    in_month,
    in_year,
    on_day,
    read_as_julian,
    to_julian,
)
from everwhen.wikidata.time import read_time

FORMS = [on_day, in_month, *(lambda day, of=of: of(day.year) for of in (in_year, in_decade, in_century))]


def read(when: When) -> tuple[date, date, int]:
    value = time_value(build_time_snak(585, when.text))
    time = read_time(value["time"], value["precision"], value["calendarmodel"])
    return time.first, time.last, time.precision


@given(st.dates(date(1200, 1, 1), date(2090, 1, 1)), st.sampled_from(range(len(FORMS))))
def test_a_time_means_the_days_that_were_planned(day: date, form: int) -> None:
    when = FORMS[form](day)
    assert read(when) == (when.first, when.last, when.precision)
    assert when.first <= day <= when.last


@given(st.dates(date(1901, 1, 1), date(1917, 12, 31)))
def test_a_julian_date_means_the_gregorian_day(day: date) -> None:
    assert to_julian(day).text.endswith(" julian")
    assert read(to_julian(day)) == (day, day, 11)


@given(st.dates(date(1200, 1, 1), date(1799, 12, 31)), st.sampled_from([on_day, in_month, lambda d: in_year(d.year)]))
@example(date(1500, 2, 3), in_month)
@example(date(1642, 12, 25), on_day)
def test_a_julian_time_means_the_days_that_were_planned(day: date, form: Callable[[date], When]) -> None:
    when = read_as_julian(form(day))
    assert read(when) == (when.first, when.last, when.precision)


@pytest.mark.parametrize(
    ("when", "first", "last"),
    [
        (in_century(2000), date(1901, 1, 1), date(2000, 12, 31)),
        (in_decade(1990), date(1990, 1, 1), date(1999, 12, 31)),
        (in_month(date(2004, 2, 3)), date(2004, 2, 1), date(2004, 2, 29)),
    ],
)
def test_coarse_times(when: When, first: date, last: date) -> None:
    assert (when.first, when.last) == (first, last)
