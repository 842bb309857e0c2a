"""Dates, durations, numbers and ordinals in English words, as Spark columns: twins of `everwhen.temporal.phrases`.

A column is null where the Python function raises an error, and where a value is null.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.phrases import MONTHS, ORDINALS, SMALL_NUMBERS, WEEKDAYS
from everwhen.temporal.precision import Precision


def write_month(day: Column) -> Column:
    """Write the month of a day."""
    return _pick(MONTHS, F.month(day) - 1)


def write_weekday(day: Column) -> Column:
    """Write the day of the week."""
    return _pick(WEEKDAYS, F.weekday(day))


def write_date(day: Column, precision: int | Column = Precision.DAY, *, month_first: bool = False) -> Column:
    """Write a date in words, as far as its precision reaches."""
    number, reach = F.year(day), _to_column(precision)
    year = F.when(number > 999, number.cast("string")).otherwise(F.concat(F.lit("AD "), number))
    month, day_number = write_month(day), F.dayofmonth(day)
    with_month = _join(month, " ", year)
    with_day = _join(month, " ", day_number, ", ", year) if month_first else _join(day_number, " ", with_month)
    return (
        F.when(reach >= Precision.DAY, with_day)
        .when(reach == Precision.MONTH, with_month)
        .when(reach == Precision.YEAR, year)
    )


def write_when(day: Column, precision: int | Column = Precision.DAY, *, month_first: bool = False) -> Column:
    """Write when something was: on a day, in a month or year."""
    preposition = F.when(_to_column(precision) >= Precision.DAY, "on ").otherwise("in ")
    return F.concat(preposition, write_date(day, precision, month_first=month_first))


def write_number(number: Column) -> Column:
    """Write a number: in words up to twenty, else in digits."""
    return F.coalesce(_pick(SMALL_NUMBERS, number), number.cast("string"))


def write_times(number: Column) -> Column:
    """Write how often something was: once, twice, three times."""
    return F.when(number == 1, "once").when(number == 2, "twice").otherwise(_join(write_number(number), " times"))


def write_ordinal(number: Column) -> Column:
    """Write a number, also one in a text, as 1st, 2nd, 3rd, 11th; another text as it is."""
    value = number.try_cast("int")
    tens, ones = F.abs(value) % 100, F.abs(value) % 10
    ending = (
        F.when(tens.isin(11, 12, 13), "th").when(ones == 1, "st").when(ones == 2, "nd").when(ones == 3, "rd")
    ).otherwise("th")
    return F.when(value.isNotNull(), F.concat(value, ending)).otherwise(number.cast("string"))


def write_ordinal_word(number: Column) -> Column:
    """Write an ordinal: in words from first to tenth, else as `write_ordinal` does."""
    return F.coalesce(_pick(ORDINALS, number - 1), write_ordinal(number))


def write_amount(number: Column, unit: str, *, in_words: bool = True) -> Column:
    """Write a number of units, given as a noun in the singular."""
    text = write_number(number) if in_words else number
    return _join(text, f" {unit}", F.when(number == 1, "").otherwise("s"))


def write_offset(months: Column) -> Column:
    """Write a number of months: in years where they are whole ones."""
    years = (months / 12).cast("int")
    return F.when(months % 12 == 0, write_amount(years, "year")).otherwise(write_amount(months, "month"))


def write_duration(duration: Column, *, in_words: bool = False) -> Column:
    """Write a duration, a struct of years, months and days, leaving out the units whose number is zero."""
    units = ("year", "month", "day")
    numbers = [duration[f"{unit}s"] for unit in units]
    written = (
        F.when(number != 0, write_amount(number, unit, in_words=in_words))
        for number, unit in zip(numbers, units, strict=True)
    )
    parts = F.array_compact(F.array(*written))
    first = F.array_join(F.slice(parts, 1, F.greatest(F.size(parts) - 1, F.lit(0))), ", ")
    joined = F.concat_ws(" and ", F.nullif(first, F.lit("")), F.try_element_at(parts, F.lit(-1)))
    nothing = write_amount(F.lit(0), "day", in_words=in_words)
    return F.when(F.least(*numbers) >= 0, F.when(F.size(parts) > 0, joined).otherwise(nothing))


def measure_duration(first: Column, last: Column) -> Column:
    """Measure how long it is from a day to a later one, as `everwhen.temporal.durations.measure_duration` does.

    Returns:
        A struct of years, months and days; null where the later day is the first one.
    """
    months = (F.year(last) - F.year(first)) * 12 + F.month(last) - F.month(first)
    months = months - (F.add_months(first, months) > last).cast("int")
    days = F.date_diff(last, F.add_months(first, months))
    years = F.floor(months / 12).cast("int")
    struct = F.struct(years.alias("years"), (months % 12).alias("months"), days.alias("days"))
    return F.when(first <= last, struct)


def _pick(words: Sequence[str], number: Column) -> Column:
    """Pick a word by its number from 0; null where there is none."""
    return F.get(F.array(*map(F.lit, words)), number.try_cast("int"))


def _join(*parts: Column | str) -> Column:
    return F.concat(*(F.lit(part) if isinstance(part, str) else part for part in parts))


def _to_column(number: int | Column) -> Column:
    return number if isinstance(number, Column) else F.lit(int(number))
