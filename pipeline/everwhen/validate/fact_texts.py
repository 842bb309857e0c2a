"""Facts in words: the statements that an explanation prints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import duckdb

from everwhen.temporal.calendars import Calendar
from everwhen.temporal.precision import Precision
from everwhen.validate.database import list_rows
from everwhen.validate.explanation import Fact

FACTS = """
SELECT s.*, e.label AS subject_label, p.label AS property_label, v.label AS value_label, u.name AS unit_name,
    u.plural AS unit_plural
FROM statements s
LEFT JOIN entities e ON e.item = s.subject
LEFT JOIN properties p ON p.property = s.property
LEFT JOIN units u ON u.unit = s.unit
LEFT JOIN entities v ON v.item = s.value_item
WHERE s.statement_id IN (SELECT unnest($1::VARCHAR[]))
ORDER BY s.subject, s.property, s.statement_id
"""

JOINED = ("subject_label", "property_label", "value_label", "unit_name", "unit_plural")
"""Columns of FACTS that are not columns of the statement."""

STATED = re.compile(r"\+0*(\d{4}-\d\d-\d\d)T")
"""The date in a time as Wikibase writes it."""

QUALIFIERS = {"start_time": "start time", "end_time": "end time", "point_in_time": "point in time"}


def list_facts(db: duckdb.DuckDBPyConnection, ids: set[str | None]) -> list[Fact]:
    """List the statements with these ids, in words."""
    found = db.execute(FACTS, [sorted(name for name in ids if name is not None)])
    return [_read_fact(row) for row in list_rows(found)]


def _read_fact(row: Mapping[str, Any]) -> Fact:
    qualifiers = [f"{words} {_format_time(row[name])}" for name, words in QUALIFIERS.items() if row[name]]
    if row["ordinal"] is not None:
        qualifiers.append(f"series ordinal {row['ordinal']}")
    value = _format_value(row) + (f" ({', '.join(qualifiers)})" if qualifiers else "")
    return Fact(
        statement_id=row["statement_id"],
        subject=f"Q{row['subject']}",
        subject_label=row["subject_label"],
        property=f"P{row['property']}",
        property_label=row["property_label"],
        value=value,
        rank=row["rank"],
        url=f"https://www.wikidata.org/wiki/Q{row['subject']}#P{row['property']}",
        statement={name: value for name, value in row.items() if name not in JOINED and value is not None},
    )


def _format_value(row: Mapping[str, Any]) -> str:
    """Format the value of a statement for reading."""
    if row["snak"] in ("hedged", "unreadable"):
        value = _format_known(row)
        why = ", ".join(f"P{hedge}" for hedge in row["hedges"] or ()) or "before and after"
        return f"{value}, hedged by {why}" if row["snak"] == "hedged" else f"{value}, could not be read"
    if row["snak"] != "value":
        return "unknown value" if row["snak"] == "somevalue" else "no value"
    return _format_known(row)


def _format_known(row: Mapping[str, Any]) -> str:
    if row["value_item"] is not None:
        return f"{row['value_label']} (Q{row['value_item']})" if row["value_label"] else f"Q{row['value_item']}"
    if row["first_day"] is not None:
        return _format_day(row["value_text"], row["first_day"], row["precision"], row["calendar"])
    if row["amount"] is not None:
        number = f"{row['amount']:f}"
        number = number.rstrip("0").rstrip(".") if "." in number else number
        unit = row["unit_name"] if number == "1" else row["unit_plural"]
        return f"{number} {unit}" if unit else number
    return str(row["value_text"])


def _format_time(qualifier: Mapping[str, Any]) -> str:
    """Format a qualifier with a time for reading."""
    if qualifier["snak"] == "value" and qualifier["first_day"] is not None:
        return _format_day(qualifier["text"], qualifier["first_day"], qualifier["precision"], qualifier["calendar"])
    return {"somevalue": "unknown", "novalue": "none"}.get(qualifier["snak"], str(qualifier["snak"]))


def _format_day(stated: str, first_day: date, precision: int, calendar: str) -> str:
    """Format a time by its precision as it is stated; of a Julian day also the Gregorian one."""
    found = STATED.match(stated)
    text = found[1] if found else first_day.isoformat()
    if precision < Precision.YEAR:
        return f"{text[:4]} (Wikidata precision {precision})"
    text = text[: {Precision.YEAR: 4, Precision.MONTH: 7}.get(Precision(precision), 10)]
    if calendar != Calendar.JULIAN:
        return text
    also = f", {first_day.isoformat()} Gregorian" if precision >= Precision.DAY else ""
    return f"{text} (Julian{also})"
