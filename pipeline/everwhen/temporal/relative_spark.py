"""Days named from another day, as Spark columns: twins of `everwhen.temporal.relative`; null where Python has None."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.temporal.phrases_spark import write_amount, write_ordinal, write_weekday
from everwhen.temporal.relative import SHORT, DistanceUnit


def count_distance(day: Column, reference: Column, unit: DistanceUnit = "day") -> Column:
    """Count the units from a reference day to a day, negative if it is earlier; null if they are no whole number."""
    days = F.date_diff(day, reference)
    if unit == "day":
        return days
    if unit == "week":
        return F.when(days % 7 == 0, (days / 7).cast("int"))
    months = (F.year(day) - F.year(reference)) * 12 + F.month(day) - F.month(reference)
    size = 12 if unit == "year" else 1
    is_whole = (months % size == 0) & (F.add_months(reference, months) == day)
    return F.when(is_whole, (months / size).cast("int"))


def write_distance(
    day: Column, reference: Column, unit: DistanceUnit = "day", *, is_spoken: bool = True, in_words: bool = True
) -> Column:
    """Write how far a day is from a reference day; arguments as of `everwhen.temporal.relative.write_distance`."""
    number = count_distance(day, reference, unit)
    amount = write_amount(F.abs(number), unit, in_words=in_words)
    if not is_spoken:
        away = F.concat(amount, F.when(number > 0, " later").otherwise(" earlier"))
        return F.when(number == 0, "the same day").otherwise(away)
    away = F.when(number > 0, F.concat(F.lit("in "), amount)).otherwise(F.concat(amount, F.lit(" ago")))
    written = F.when(number == 0, SHORT[0])
    if unit == "day":
        for distance in (-1, 1):
            written = written.when(number == distance, SHORT[distance])
    return written.otherwise(away)


def write_near_weekday(day: Column, reference: Column) -> Column:
    """Write a day of the week before or after a reference day; null if it is that day, or more than a week away."""
    days = F.date_diff(day, reference)
    side = F.when(days.between(1, 7), "next ").when(days.between(-7, -1), "last ")
    return F.concat(side, write_weekday(day))


def write_near_day(day: Column, reference: Column) -> Column:
    """Write a day by its number in the month; null if another with that number is nearer, or is the reference day."""
    number = F.dayofmonth(day)

    def find_other(sign: int) -> Column:
        """The nearest other day with the number: no two months in a row lack one."""
        near = F.add_months(day, sign)
        return F.when(F.dayofmonth(near) == number, near).otherwise(F.add_months(day, 2 * sign))

    is_past = (day < reference) & (reference < find_other(1))
    is_ahead = (day > reference) & (reference > find_other(-1))
    return F.when(is_past | is_ahead, F.concat(F.lit("the "), write_ordinal(number)))
