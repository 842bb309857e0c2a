"""Statements in short."""

from __future__ import annotations

from everwhen.sample.world import Snak, Statement
from everwhen.synth.dates import When

NORMAL, PREFERRED, DEPRECATED = "normal", "preferred", "deprecated"


def state_item(property_id: int, item: int, rank: str = NORMAL, qualifiers: tuple[Snak, ...] = ()) -> Statement:
    """A statement whose value is an item."""
    return Statement(Snak(property_id, "item", "value", f"Q{item}"), rank, qualifiers)


def state_time(property_id: int, when: When, rank: str = NORMAL) -> Statement:
    """A statement whose value is a time."""
    return Statement(build_time_snak(property_id, when), rank, ())


def build_time_snak(property_id: int, when: When) -> Snak:
    """A time, as qualifiers have it."""
    return Snak(property_id, "time", "value", when.text)


def state_amount(property_id: int, text: str, unit: int = 0, rank: str = NORMAL) -> Statement:
    """A statement whose value is a quantity; unit 0: a bare number."""
    return Statement(Snak(property_id, "quantity", "value", f"{text} Q{unit}" if unit else text), rank, ())


def state_unknown(property_id: int, datatype: str, kind: str = "somevalue") -> Statement:
    """A statement that there is a value that nobody knows, or (novalue) that there is none."""
    return Statement(Snak(property_id, datatype, kind, ""), NORMAL, ())


def state_external_id(property_id: int, text: str) -> Statement:
    """A statement whose value is an id in another catalogue."""
    return Statement(Snak(property_id, "external-id", "value", text), NORMAL, ())
