"""Days written in the calendar in which they are stated, as Spark expressions."""

from __future__ import annotations

from datetime import date

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.calendars import FROM_MARCH_4801_BCE, Calendar

_EPOCH = date(1970, 1, 1).toordinal()


def write_stated_day(day: Column, calendar: Column) -> Column:
    """Write days as YYYY-MM-DD in the calendar in which they are stated; the Gregorian one where it is null."""
    days = F.unix_date(day) + F.lit(_EPOCH + FROM_MARCH_4801_BCE)
    year = _divide(4 * days + 3, 1461)
    of_year = days - _divide(1461 * year, 4)
    month = _divide(5 * of_year + 2, 153)
    wraps = _divide(month, 10)
    julian = F.format_string(
        "%04d-%02d-%02d", year - 4800 + wraps, month + 3 - 12 * wraps, of_year - _divide(153 * month + 2, 5) + 1
    )
    return F.when(calendar == Calendar.JULIAN, julian).otherwise(F.date_format(day, "yyyy-MM-dd"))


def find_stated_year(first: Column, last: Column, calendar: Column) -> Column:
    """Return the year in which a time lies from its first day to its last, by the Gregorian calendar and by its own.

    Null where it lies in several, as the Julian year 1603, which ended on 10 January 1604.
    """
    years = (F.year(day) for day in (first, last))
    stated = (F.left(write_stated_day(day, calendar), F.lit(4)).cast("int") for day in (first, last))
    return F.when(F.size(F.array_distinct(F.array(*years, *stated))) == 1, F.year(first))


def _divide(number: Column, by: int) -> Column:
    """Divide whole numbers that are not negative, without the remainder."""
    return F.floor(number / by).cast("int")
