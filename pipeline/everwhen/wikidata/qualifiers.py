"""Qualifiers of statements: those that date, number or hedge what is stated.

Sources: https://www.wikidata.org/wiki/Help:Qualifiers, and Help:Dates for how a time is hedged.
"""

from __future__ import annotations

import re
from typing import Any

from everwhen.core.reasons import RejectReason
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.properties import Property
from everwhen.wikidata.snaks import HEDGED, MISSHAPEN, SNAK_TYPES
from everwhen.wikidata.time import read_time

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

_NUMBER = re.compile("[1-9][0-9]{0,8}")


def read_qualifiers(qualifiers: Any) -> tuple[Any, ...]:
    """Read the dating qualifiers and the series ordinal, None for an absent one, and the hedges; empty without any.

    Raises:
        Malformed: One of them is not a time; the reason names it.
    """
    if qualifiers.keys().isdisjoint(QUALIFIERS):
        return ()
    stated: list[Any] = []
    for name in DATING:
        try:
            stated.append(_read_time(qualifiers[name]) if name in qualifiers else None)
        except Malformed as error:
            raise Malformed(RejectReason.BAD_QUALIFIER.with_detail(property=name, reason=error)) from None
        except MISSHAPEN:
            raise Malformed(
                RejectReason.BAD_QUALIFIER.with_detail(property=name, reason=RejectReason.BAD_FIELD)
            ) from None
    hedges = [number for name, number in HEDGES.items() if name in qualifiers]
    if any(_states_item(snak, ACTING) for snak in qualifiers.get(ROLE, ())):
        hedges.append(Property.OBJECT_HAS_ROLE.value)
    return (*stated, _read_ordinal(qualifiers.get(ORDINAL)), hedges or None)


def _states_item(snak: Any, item: int) -> bool:
    """Whether a snak has an item as its value."""
    value = snak["datavalue"]["value"] if snak["snaktype"] == "value" else {}
    return value.get("numeric-id") == item or value.get("id") == f"Q{item}"


def _read_time(snaks: Any) -> tuple[Any, ...]:
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
    return int(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else None
