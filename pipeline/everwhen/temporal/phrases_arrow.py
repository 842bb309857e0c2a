"""Dates in English words, many at a time, from times as Wikibase states them.

The words are those of `everwhen.temporal.phrases`, which reads them back.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from everwhen.temporal.calendars import Calendar
from everwhen.temporal.phrases import MONTHS
from everwhen.temporal.precision import Precision

STATED = r"^\+0*(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})T"
"""A time as Wikibase writes it: +1998-05-04T00:00:00Z; month and day may be 00."""

JULIAN = " (Julian calendar)"
"""Behind a Julian day or month of a year in which readers expect the Gregorian calendar."""

FIRST_GREGORIAN_YEAR = 1583
"""The first whole year of the Gregorian calendar, which began on 15 October 1582."""


def write_dates(texts: pa.Array, precisions: pa.Array, calendars: pa.Array, *, month_first: bool = False) -> pa.Array:
    """Write dates in words, in the calendar in which they are stated and as far as their precision reaches.

    >>> day = pa.array(["+1998-05-04T00:00:00Z"])
    >>> write_dates(day, pa.array([11]), pa.array(["gregorian"]), month_first=True).to_pylist()
    ['May 4, 1998']

    Args:
        texts: Times as Wikibase writes them.
        precisions: Wikidata's precision of each.
        calendars: gregorian or julian.
        month_first: Whether a day is written May 4, 1998.

    Returns:
        A text each; null where the time is coarser than a year, or no such text.
    """
    parts = pc.extract_regex(texts, STATED)
    numbers = {name: pc.cast(pc.struct_field(parts, name), pa.int32()) for name in ("year", "month", "day")}
    years = pc.cast(numbers["year"], pa.string())
    years = pc.if_else(pc.less(numbers["year"], 1000), pc.binary_join_element_wise("AD ", years, ""), years)
    months = pa.array([None, *MONTHS]).take(pc.if_else(pc.less_equal(numbers["month"], 12), numbers["month"], 0))
    of_month = pc.binary_join_element_wise(months, years, " ")
    days = pc.cast(numbers["day"], pa.string())
    if month_first:
        with_day = pc.binary_join_element_wise(pc.binary_join_element_wise(months, days, " "), years, ", ")
    else:
        with_day = pc.binary_join_element_wise(days, of_month, " ")
    with_day = pc.if_else(pc.greater(numbers["day"], 0), with_day, None)
    is_marked = pc.and_(
        pc.equal(calendars, Calendar.JULIAN.value), pc.greater_equal(numbers["year"], FIRST_GREGORIAN_YEAR)
    )
    marks = pc.if_else(pc.fill_null(is_marked, False), JULIAN, "")
    finer = pc.if_else(pc.equal(precisions, Precision.MONTH), of_month, with_day)
    finer = pc.binary_join_element_wise(finer, marks, "")
    coarse = pc.if_else(pc.equal(precisions, Precision.YEAR), years, None)
    return pc.if_else(pc.greater_equal(precisions, Precision.MONTH), finer, coarse)


def write_prepositions(precisions: pa.Array) -> pa.Array:
    """Write the preposition before each date: on a day, in a month or a year."""
    return pc.if_else(pc.greater_equal(precisions, Precision.DAY), "on ", "in ")


def write_same(precisions: pa.Array) -> pa.Array:
    """Write for a second time that is the first one again: "the same year", month or day."""
    units = pc.if_else(pc.equal(precisions, Precision.MONTH), "month", "year")
    return pc.binary_join_element_wise(
        "the same ", pc.if_else(pc.greater_equal(precisions, Precision.DAY), "day", units), ""
    )
