"""Values of snaks: what a statement or a qualifier says.

Source: the Wikibase JSON specification (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
Dumps of 2014 have entity values without "id" and snaks without "datatype".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

import orjson

from everwhen.core.reasons import RejectReason
from everwhen.wikidata.columns import ITEM, QUANTITY, TEXT, TIME
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.quantity import QuantityReader
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
