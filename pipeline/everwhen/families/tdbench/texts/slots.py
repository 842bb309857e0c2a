"""What fills the slots of templates, in Spark columns: values, dates and numbers of an item in words.

The words of dates and numbers are those of `everwhen.temporal.phrases`, which reads them back.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.phrases_spark import (
    write_date,
    write_number,
    write_offset,
    write_ordinal,
    write_times,
    write_when,
)
from everwhen.temporal.precision import Precision

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
    precision = F.when(unit == "day", Precision.DAY).when(unit == "month", Precision.MONTH).otherwise(Precision.YEAR)
    dates = {name: F.col(name) for name in ("b_start", "b_end")}
    dates |= {f"{name}_stated": subtract_unit(F.col(name), unit) for name in ("b_start", "b_end")}
    slots = {name: write_date(day, precision) for name, day in dates.items()}
    slots |= {f"on:{name}": write_when(day, precision) for name, day in dates.items()}
    slots["as_of"] = write_date(F.col("as_of"))
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


def subtract_unit(day: Column, granularity: Column) -> Column:
    """Return the first day of the unit before: of an inclusive end, the stated one."""
    by_month = F.add_months(day, F.when(granularity == "month", -1).otherwise(-12))
    return F.when(granularity == "day", F.date_sub(day, 1)).otherwise(by_month)
