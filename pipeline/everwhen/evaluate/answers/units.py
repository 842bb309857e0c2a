"""Units that responses may give, with exact factors: a unit converts to another of its dimension."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

SPELLINGS: dict[tuple[str, str], str] = {
    ("length", "1"): "metre metres meter meters m",
    ("length", "1000"): "kilometre kilometres kilometer kilometers km",
    ("length", "0.01"): "centimetre centimetres centimeter centimeters cm",
    ("length", "0.001"): "millimetre millimetres millimeter millimeters mm",
    ("length", "0.3048"): "foot feet ft",
    ("length", "0.0254"): "inch inches",
    ("length", "0.9144"): "yard yards yd",
    ("length", "1609.344"): "mile miles mi",
    ("area", "1"): "square_metre square_metres square_meter square_meters sq_m sqm m²",
    (
        "area",
        "1000000",
    ): "square_kilometre square_kilometres square_kilometer square_kilometers sq_km sqkm km² km^2 km2",
    ("area", "2589988.110336"): "square_mile square_miles sq_mi sq_miles mi²",
    ("area", "10000"): "hectare hectares ha",
    ("area", "4046.8564224"): "acre acres",
    ("duration", "1"): "second seconds sec secs s",
    ("duration", "60"): "minute minutes min mins",
    ("duration", "3600"): "hour hours hr hrs h",
    ("duration", "86400"): "day days",
    ("duration", "604800"): "week weeks",
    ("calendar", "1"): "month months",
    ("calendar", "12"): "year years yr yrs",
    ("calendar", "120"): "decade decades",
    ("calendar", "1200"): "century centuries",
    ("speed", "1"): "metre_per_second metres_per_second meters_per_second m/s",
    ("speed", "0.44704"): "mile_per_hour miles_per_hour mph",
    ("speed", "5/18"): "kilometre_per_hour kilometres_per_hour kilometers_per_hour km/h kph kmh",
    ("speed", "463/900"): "knot knots kn kt",
    ("pressure", "1"): "pascal pascals pa",
    ("pressure", "100"): "hectopascal hectopascals hpa millibar millibars mbar mb",
    ("pressure", "1000"): "kilopascal kilopascals kpa",
    ("mass", "1"): "gram grams g",
    ("mass", "1000"): "kilogram kilograms kg",
    ("mass", "1000000"): "tonne tonnes",
    ("share", "1"): "% percent per_cent",
    ("dollars", "1"): "dollar dollars usd",
    ("euros", "1"): "euro euros eur",
}


class MeasureUnit(NamedTuple):
    """A unit.

    Attributes:
        dimension: What it measures.
        factor: How many of the dimension's base unit it is, exactly.
    """

    dimension: str
    factor: Fraction


UNITS = {
    spelling.replace("_", " "): MeasureUnit(dimension, Fraction(factor))
    for (dimension, factor), spellings in SPELLINGS.items()
    for spelling in spellings.split()
}
"""Units by spelling, in lower case."""

UNIT = rf"(?:{'|'.join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))})(?![\w²^/])"
