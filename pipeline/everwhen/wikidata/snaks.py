"""Values of snaks, and qualifiers: those that date, number or hedge what is stated.

Sources: the Wikibase JSON specification (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html),
https://www.wikidata.org/wiki/Help:Qualifiers, and Help:Dates for how a time is hedged. Dumps of 2014 have entity values
without "id" and snaks without "datatype". An amount is a decimal string with a sign; a unit is the URI of an item, or
"1" for a bare number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, Inexact
from functools import lru_cache
from typing import Any

import orjson

from everwhen.core.reasons import RejectReason
from everwhen.wikidata.columns import ITEM, QUANTITY, TEXT, TIME
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.properties import Property
from everwhen.wikidata.time import read_time

SNAK_TYPES = frozenset({"value", "somevalue", "novalue"})
HEDGED, UNREADABLE = "hedged", "unreadable"
"""What stands in place of the snak type `value` where the value is not certain, or could not be read."""
MISSHAPEN = (KeyError, TypeError, AttributeError, ValueError, IndexError)
"""What reading raises where JSON is not of Wikibase's shape."""
MAX_ITEM = 2**63 - 1

Value = tuple[int, tuple[Any, ...]]
"""The kind of a value and its columns, see `columns.VALUES`. Plain tuples, since every statement of a dump has one."""

_DATATYPES = {"globecoordinate": "globe-coordinate"}
_PREFIXES = {"item": "Q", "property": "P", "lexeme": "L"}


# Quantities.

PRECISION, SCALE = 38, 9
"""Digits of the column `amount`, and those after its point."""
MAX_LENGTH = 200
"""Characters of an amount: beyond, no column holds it and arithmetic on it only costs time."""

_AMOUNT = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_UNIT = re.compile(r"https?://www\.wikidata\.org/entity/Q([1-9]\d{0,17})", re.ASCII)
_STEP = Decimal(1).scaleb(-SCALE)
_EXACT = Context(prec=2 * MAX_LENGTH, traps=[Inexact])


class QuantityReader:
    """Reads quantities with the units of the catalogue."""

    def __init__(self, units: Mapping[int, tuple[int, Decimal]]) -> None:
        """Take the known units: by item id without Q, the unit of the dimension and the exact factor to it."""
        self._units = dict(units)

    def read(self, amount: str, unit: str) -> tuple[Decimal | None, int]:
        """Convert a quantity to the unit of its dimension; one of an unknown unit has no amount.

        >>> minute, second = 7727, 11574
        >>> reader = QuantityReader({minute: (second, Decimal(60))})
        >>> reader.read("+1.5", f"http://www.wikidata.org/entity/Q{minute}")
        (Decimal('90.000000000'), 11574)
        >>> reader.read("+3", "1"), reader.read("+3", "http://www.wikidata.org/entity/Q4917")
        ((Decimal('3'), 0), (None, 4917))

        Returns:
            The exact amount, and the unit as item id without Q, 0 for a bare number.

        Raises:
            Malformed: Amount or unit is not written as Wikibase does, or the amount does not fit decimal(38,9).
        """
        match = _AMOUNT.fullmatch(amount) if isinstance(amount, str) else None
        if match is None:
            raise Malformed(RejectReason.BAD_AMOUNT)
        if len(amount) > MAX_LENGTH:
            raise Malformed(RejectReason.TOO_MANY_DIGITS)
        if unit == "1":
            small = match[1] is None and len(amount) <= PRECISION - SCALE
            return Decimal(amount) if small else _fit(Decimal(amount)), 0
        own = _parse_unit_id(unit)
        known = self._units.get(own)
        if known is None:
            return None, own
        return _fit(_EXACT.multiply(Decimal(amount), known[1])), known[0]


@lru_cache(maxsize=1 << 12)
def _parse_unit_id(unit: str) -> int:
    match = _UNIT.fullmatch(unit) if isinstance(unit, str) else None
    if match is None:
        raise Malformed(RejectReason.BAD_UNIT)
    return int(match[1])


def _fit(amount: Decimal) -> Decimal:
    """Return `amount` with nine decimals, unchanged in value."""
    if amount.adjusted() >= PRECISION - SCALE:
        raise Malformed(RejectReason.TOO_LARGE_AMOUNT.with_detail(digits=PRECISION - SCALE))
    try:
        return amount.quantize(_STEP, context=_EXACT)
    except Inexact:
        raise Malformed(RejectReason.TOO_MANY_DECIMALS.with_detail(digits=SCALE)) from None


# Values of every type.


class ValueReader:
    """Reads data values of every type."""

    def __init__(self, units: Mapping[int, tuple[int, Decimal]]) -> None:
        """Take the known units, as `QuantityReader` does."""
        self._quantities = QuantityReader(units)
        self._readers: dict[str, Callable[[Any], Value]] = {
            "wikibase-entityid": _read_entity,
            "string": _read_string,
            "time": _read_time,
            "quantity": self._read_quantity,
        }

    def read(self, datavalue: Any) -> Value:
        """Read `{"type": …, "value": …}`; a type not known here passes through as JSON text.

        Raises:
            Malformed: The value breaks the rules of its type.
            KeyError, TypeError, AttributeError: It lacks a field, or a field has another type.
        """
        return self._readers.get(datavalue["type"], _serialize_json)(datavalue["value"])

    def _read_quantity(self, value: Any) -> Value:
        amount = value["amount"]
        return QUANTITY, (amount, *self._quantities.read(amount, value["unit"]))


def derive_datatype(snak: Any) -> str:
    """Return the datatype of a snak's property, in old dumps derived from the value's type, else "unknown".

    >>> derive_datatype({"datatype": "time"})
    'time'
    >>> derive_datatype({"datavalue": {"type": "wikibase-entityid", "value": {"numeric-id": 42}}})
    'wikibase-item'
    >>> derive_datatype({"snaktype": "novalue"})
    'unknown'
    """
    datatype = snak.get("datatype")
    if datatype is None:
        value = snak.get("datavalue")
        if value is None:
            return "unknown"
        kind = value["type"]
        if kind == "wikibase-entityid":
            return f"wikibase-{value['value'].get('entity-type', 'item')}"
        datatype = _DATATYPES.get(kind, kind)
    if not isinstance(datatype, str):
        raise Malformed(RejectReason.NOT_TEXT.with_detail(field="datatype"))
    return datatype


def parse_item_id(text: Any) -> int:
    """Return the number of an item id.

    >>> parse_item_id("Q42")
    42

    Raises:
        Malformed: It is no item id, or beyond 63 bits.
    """
    if isinstance(text, str) and text[:1] == "Q" and text[1:].isdecimal() and text.isascii():
        number = int(text[1:])
        if 0 < number <= MAX_ITEM:
            return number
    raise Malformed(RejectReason.BAD_ITEM)


def _read_entity(value: Any) -> Value:
    kind, number = value.get("entity-type"), value.get("numeric-id")
    if kind == "item" and type(number) is int and 0 < number <= MAX_ITEM:
        return ITEM, (number,)
    written = value.get("id")
    if written is None:
        if type(number) is not int or kind not in _PREFIXES:
            raise Malformed(RejectReason.BAD_ENTITY)
        written = f"{_PREFIXES[kind]}{number}"
    if kind == "item" or (kind is None and written[:1] == "Q"):
        return ITEM, (parse_item_id(written),)
    return _read_string(written)


def _read_string(value: Any) -> Value:
    if not isinstance(value, str):
        raise Malformed(RejectReason.NOT_TEXT.with_detail(field="value"))
    return TEXT, (value,)


def _read_time(value: Any) -> Value:
    before, after = value.get("before") or 0, value.get("after") or 0
    return _read_interval(value["time"], value["precision"], value["calendarmodel"], before, after)


@lru_cache(maxsize=1 << 16, typed=True)
def _read_interval(text: str, precision: int, calendar: str, before: int, after: int) -> Value:
    return TIME, (text, *read_time(text, precision, calendar, before, after), before or None, after or None)


def _serialize_json(value: Any) -> Value:
    return _read_string(value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode())


def find_property(name: str) -> int | None:
    """Find the number of a property id; None where it is none."""
    if name[:1] != "P" or not (name.isascii() and name[1:].isdecimal()) or not 0 < int(name[1:]) < 2**31:
        return None
    return int(name[1:])


def find_text(snak: Any) -> str | None:
    """Find the text of a value that could not be read: a time or an amount as written; None where there is none."""
    value = snak.get("datavalue") if isinstance(snak, dict) else None
    value = value.get("value") if isinstance(value, dict) else None
    value = value.get("time", value.get("amount")) if isinstance(value, dict) else value
    return value if isinstance(value, str) else None


# Qualifiers.

DATING = tuple(p.pid for p in (Property.START_TIME, Property.END_TIME, Property.POINT_IN_TIME))
"""Start time, end time and point in time, in the order of the columns of that name."""
ORDINAL = Property.SERIES_ORDINAL.pid
ROLE = Property.OBJECT_HAS_ROLE.pid
ACTING = 4676846
"""The item "acting": whoever holds an office so holds it for somebody else."""
HEDGES = {
    p.pid: p.value
    for p in (
        *(Property.SOURCING_CIRCUMSTANCES, Property.NATURE_OF_STATEMENT, Property.DISPUTED_BY),
        *(Property.EARLIEST_DATE, Property.LATEST_DATE, Property.EARLIEST_END, Property.LATEST_START),
    )
}
"""Qualifiers by which Wikidata says that a statement is not certain, or not exact, whatever they state."""
QUALIFIERS = frozenset({*DATING, ORDINAL, ROLE, *HEDGES})
UNDATED = (None,) * 5
"""The columns of a dating qualifier behind its snak type, where it gives no time."""

_ORDINAL = re.compile("[1-9][0-9]{0,8}")


def read_qualifiers(qualifiers: Any) -> tuple[Any, ...]:
    """Read the dating qualifiers and the series ordinal, None for an absent one, and the hedges; empty without any.

    Raises:
        Malformed: One of them is not a time; the reason names it.
    """
    if not qualifiers or qualifiers.keys().isdisjoint(QUALIFIERS):
        return ()
    stated = [_read_dating(name, qualifiers[name]) if name in qualifiers else None for name in DATING]
    hedges = [number for name, number in HEDGES.items() if name in qualifiers]
    if any(_states_item(snak, ACTING) for snak in qualifiers.get(ROLE, ())):
        hedges.append(Property.OBJECT_HAS_ROLE.value)
    return (*stated, _read_ordinal(qualifiers.get(ORDINAL)), hedges or None)


def _read_dating(name: str, snaks: Any) -> tuple[Any, ...]:
    try:
        return _read_dated_snak(snaks)
    except Malformed as error:
        reason = str(error)
    except MISSHAPEN:
        reason = RejectReason.BAD_FIELD
    raise Malformed(RejectReason.BAD_QUALIFIER.with_detail(property=name, reason=reason))


def _states_item(snak: Any, item: int) -> bool:
    """Whether a snak has an item as its value."""
    value = snak["datavalue"]["value"] if snak["snaktype"] == "value" else {}
    return value.get("numeric-id") == item or value.get("id") == f"Q{item}"


def _read_dated_snak(snaks: Any) -> tuple[Any, ...]:
    """Read the time that the snaks of one dating qualifier give.

    Returns:
        The snak type, "several" where it is stated more than once, or "hedged" where the time itself says how far off
        it may be; the text; first day, last day, precision and calendar, None but for a single certain value.

    Raises:
        Malformed: It is not a time.
        KeyError, TypeError, AttributeError, IndexError: A field is missing or has another type.
    """
    if len(snaks) > 1:
        return ("several", *UNDATED)
    snak = snaks[0]
    kind = snak["snaktype"]
    if kind not in SNAK_TYPES:
        raise Malformed(RejectReason.BAD_SNAK_TYPE)
    if kind != "value":
        return (kind, *UNDATED)
    if snak["datavalue"]["type"] != "time":
        raise Malformed(RejectReason.NOT_A_TIME)
    value = snak["datavalue"]["value"]
    before, after = value.get("before") or 0, value.get("after") or 0
    time = read_time(value["time"], value["precision"], value["calendarmodel"], before, after)
    return (HEDGED, value["time"], *UNDATED[1:]) if before or after else ("value", value["time"], *time)


def _read_ordinal(snaks: Any) -> int | None:
    """Return the position in a series that a qualifier states; None unless it states one whole number from 1 on.

    Wikidata's series ordinals are texts: "1", but also "12b", "II" or "Pilot".

    >>> _read_ordinal([{"datavalue": {"value": "3"}}])
    3
    >>> _read_ordinal([{"datavalue": {"value": "12b"}}]) is None
    True
    """
    if not isinstance(snaks, list) or len(snaks) != 1 or not isinstance(snaks[0], dict):
        return None
    datavalue = snaks[0].get("datavalue")
    text = datavalue.get("value") if isinstance(datavalue, dict) else None
    return int(text) if isinstance(text, str) and _ORDINAL.fullmatch(text) else None
