from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from frames import Row, frame, lasting, stated
from pyspark.sql import SparkSession

from pipeline.catalogue import attributes, entity_lists
from pipeline.tables.attributes import ATTRIBUTES
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.tables.events import EVENTS
from pipeline.tables.members import MEMBERS
from pipeline.tables.statements import STATEMENTS
from pipeline.world.descriptions import descriptions

pytestmark = pytest.mark.spark

ACCIDENTS = "aviation_accidents"

# entity: list, time, deaths stated (amount, other fields of the statement).
# Each case has a year or a number of its own.
RIVALS: dict[int, tuple[str, Row, list[tuple[Any, ...]]]] = {
    # Same year, same number.
    102: (ACCIDENTS, lasting("1992-01-01"), [(50,)]),
    103: (ACCIDENTS, lasting("1992-12-31"), [(50,)]),
    # Undated.
    104: (ACCIDENTS, lasting("1993-05-01"), [(51,)]),
    105: (ACCIDENTS, {"reason": "no time stated"}, [(51,)]),
    # Of a decade.
    106: (ACCIDENTS, lasting("1994-05-01"), [(52,)]),
    107: (ACCIDENTS, lasting("1990s"), [(52,)]),
    # Without a number.
    108: (ACCIDENTS, lasting("1995-05-01"), [(53,)]),
    109: (ACCIDENTS, lasting("1995"), []),
    # With the number deprecated: does not count against it.
    110: (ACCIDENTS, lasting("1996-05-01"), [(54,)]),
    111: (ACCIDENTS, lasting("1996-06-01"), [(54, {"rank": "deprecated"}), (70,)]),
    # With the number in a rank that is not the best: might fit.
    112: (ACCIDENTS, lasting("1997-05-01"), [(55,)]),
    113: (ACCIDENTS, lasting("1997-06-01"), [(55,), (60, {"rank": "preferred"})]),
    # With a number that is said to be unknown.
    114: (ACCIDENTS, lasting("1998-05-01"), [(56,)]),
    115: (ACCIDENTS, lasting("1998-06-01"), [(None, {"snak": "somevalue"})]),
    # Of another class.
    116: (ACCIDENTS, lasting("1999-05-01"), [(57,)]),
    117: ("battles", lasting("1999-05-01"), [(57,)]),
    # With nothing but a deprecated number: it states none.
    118: (ACCIDENTS, lasting("2000-05-01"), [(58,)]),
    119: (ACCIDENTS, lasting("2000-06-01"), [(99, {"rank": "deprecated"})]),
    # Over the turn of the year: no year to tell, and a rival in both.
    120: (ACCIDENTS, lasting("2001-12-31", "2002-01-01"), [(59,)]),
    121: (ACCIDENTS, lasting("2002-05-01"), [(59,)]),
    122: (ACCIDENTS, lasting("2003-05-01"), [(59,)]),
    # What is told.
    123: (ACCIDENTS, lasting("2004-05-01"), [(1,)]),
    124: (ACCIDENTS, lasting("2005"), [(1234,)]),
    125: (ACCIDENTS, lasting("2006-05-01"), [(0,)]),
    126: (ACCIDENTS, lasting("2007-05-01"), [("2.5",)]),
    127: (ACCIDENTS, lasting("1991-05-26"), [(223,)]),
    128: ("occurrences", lasting("1991-05-26"), [(9,)]),
}


def test_a_description_fits_one_event_only(spark: SparkSession) -> None:
    events, members, statements, values = [], [], [], []
    for entity, (list_, time, told) in RIVALS.items():
        members.append({"list": list_, "entity": entity} | time)
        for amount, *more in told:
            fields = more[0] if more else {}
            statements.append(stated(entity, 1120, amount=None if amount is None else Decimal(amount), **fields))
        best = [amount for amount, *more in told if not more or more[0].get("rank") == "preferred"]
        if best and "reason" not in time:
            events.append({"event": entity, "list": list_} | time)
            values.append({"entity": entity, "attribute": "deaths", "property": 1120, "amount": Decimal(best[-1])})
    # An undated rival, 105, states no number of injured: it may have had any.
    values.append({"entity": 127, "attribute": "injured", "property": 1339, "amount": Decimal(3)})
    found = descriptions(
        frame(spark, EVENTS, events),
        frame(spark, ATTRIBUTES, values),
        frame(spark, MEMBERS, members),
        frame(spark, STATEMENTS, statements),
        entity_lists(),
        [a for a in attributes() if "told" in a.words],
    )
    rows = DESCRIPTIONS.select(found).collect()
    the = "the aviation accident in"
    assert {row.event: row.description for row in rows} == {
        110: f"{the} 1996 which resulted in 54 deaths",
        111: f"{the} 1996 which resulted in 70 deaths",
        113: f"{the} 1997 which resulted in 60 deaths",
        116: f"{the} 1999 which resulted in 57 deaths",
        117: "the battle in 1999 which resulted in 57 deaths",
        122: f"{the} 2003 which resulted in 59 deaths",
        123: f"{the} 2004 which resulted in one death",
        124: f"{the} 2005 which resulted in 1,234 deaths",
        127: f"{the} 1991 which resulted in 223 deaths",
    }
    assert len(rows) == 9
    assert {(row.attribute, row.property) for row in rows} == {("deaths", 1120)}
