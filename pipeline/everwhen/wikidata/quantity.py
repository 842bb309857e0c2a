"""Wikibase quantities as exact decimals in the unit of their dimension.

Source: the Wikibase JSON specification (`amount`, `unit`,
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html). An amount is a decimal string with a sign; a
unit is the URI of an item, or "1" for a bare number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Context, Decimal, Inexact
from functools import lru_cache

from everwhen.core.reasons import RejectReason
from everwhen.wikidata.malformed import Malformed

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
