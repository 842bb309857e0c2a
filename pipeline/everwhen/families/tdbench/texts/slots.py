"""What fills the slots of templates, in Spark columns: values, dates and numbers of an item in words.

The words of dates are those of `everwhen.temporal.phrases`, which reads them back.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.phrases import MONTHS, SMALL_NUMBERS

VALUE_SEPARATOR = "\x1f"
"""Between column and value in the keys of values in words."""


def fill_slot(name: Column, values: Column) -> Column:
    """Find the text of a slot; null without a value.

    Args:
        name: Its name.
        values: Values in words, map<string,string>, by column, separator and value.
    """
    text = F.when(name.startswith("given:"), write_value(F.substring(name, 7, 1000), values))
    text = text.when(name.startswith("ordinal:"), write_ordinal(_find_value(F.substring(name, 9, 1000))))
    for slot, filled in list_slots().items():
        text = text.when(name == slot, filled)
    return text


def list_slots() -> dict[str, Column]:
    """List the slots that are no columns of a table, with their texts."""
    unit = F.col("granularity")
    dates = {name: F.col(name) for name in ("b_start", "b_end")}
    dates |= {f"{name}_stated": subtract_unit(F.col(name), unit) for name in ("b_start", "b_end")}
    slots = {name: write_date_column(day, unit) for name, day in dates.items()}
    slots |= {f"on:{name}": _add_preposition(day, unit) for name, day in dates.items()}
    slots["as_of"] = write_date_column(F.col("as_of"), F.lit("day"))
    slots["count"] = write_number(F.col("counted"))
    slots["times"] = write_times(F.col("counted"))
    slots["offset"] = write_offset(F.col("offset_months"))
    slots["offset_half"] = F.when(F.col("offset_months") == 6, "half a year").otherwise(slots["offset"])
    slots["unit"] = unit
    slots["unit_which"] = F.concat(unit, F.when(unit == "day", " on which").otherwise(" in which"))
    slots["on_unit_which"] = F.concat(F.when(unit == "day", "on the ").otherwise("in the "), slots["unit_which"])
    return slots


def _find_value(column: Column) -> Column:
    """Find the value of a given column, as the table has it."""
    return F.get(F.filter("given", lambda each: each["column"] == column), F.lit(0))["value"]


def write_value(column: Column, values: Column) -> Column:
    """Write the value of a given column: in the declared words, or as the table has it."""
    value = _find_value(column)
    return F.coalesce(F.try_element_at(values, F.concat(column, F.lit(VALUE_SEPARATOR), value)), value)


def write_date_column(day: Column, granularity: Column) -> Column:
    """Write a date in words, as far as the granularity reaches, as `everwhen.temporal.phrases.write_date` does."""
    month = F.element_at(F.array(*map(F.lit, MONTHS)), F.month(day))
    number = F.year(day)
    year = F.when(number > 999, number.cast("string")).otherwise(F.concat(F.lit("AD "), number))
    with_month = F.concat(month, F.lit(" "), year)
    with_day = F.concat(F.dayofmonth(day), F.lit(" "), with_month)
    return F.when(granularity == "day", with_day).when(granularity == "month", with_month).otherwise(year)


def _add_preposition(day: Column, granularity: Column) -> Column:
    """Write when something was: on a day, in a month or year."""
    preposition = F.when(granularity == "day", "on ").otherwise("in ")
    return F.concat(preposition, write_date_column(day, granularity))


def subtract_unit(day: Column, granularity: Column) -> Column:
    """Return the first day of the unit before: of an inclusive end, the stated one."""
    by_month = F.add_months(day, F.when(granularity == "month", -1).otherwise(-12))
    return F.when(granularity == "day", F.date_sub(day, 1)).otherwise(by_month)


def write_number(number: Column) -> Column:
    """Write a number: in words up to twenty, else in digits."""
    words = F.get(F.array(*map(F.lit, SMALL_NUMBERS)), number)
    return F.coalesce(words, number.cast("string"))


def write_times(number: Column) -> Column:
    """Write how often something was: once, twice, three times."""
    return (
        F.when(number == 1, "once")
        .when(number == 2, "twice")
        .otherwise(F.concat(write_number(number), F.lit(" times")))
    )


def write_offset(months: Column) -> Column:
    """Write a length of time: in years where it is some, else in months."""
    is_years = months % 12 == 0
    number = F.when(is_years, (months / 12).cast("int")).otherwise(months)
    unit = F.when(is_years, F.lit(" year")).otherwise(" month")
    return F.concat(write_number(number), unit, F.when(number == 1, "").otherwise("s"))


def write_ordinal(number: Column) -> Column:
    """Write a number as 1st, 2nd, 3rd, 11th; another text as it is."""
    value = number.try_cast("int")
    tens, ones = F.abs(value) % 100, F.abs(value) % 10
    ending = (
        F.when(tens.isin(11, 12, 13), "th").when(ones == 1, "st").when(ones == 2, "nd").when(ones == 3, "rd")
    ).otherwise("th")
    return F.when(value.isNotNull(), F.concat(value, ending)).otherwise(number)
