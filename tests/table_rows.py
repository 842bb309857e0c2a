"""Tables of a few hand-written rows: what is not said of a row is null, or the plainest value that a table takes."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructField, StructType

from everwhen.core.table import Table

Row = dict[str, Any]

_numbers = count(1)

# The small world of tests/families/complextempqa.
ACCIDENTS, QUAKES = "aviation_accidents", "earthquakes"
PRESIDENT, UNNAMED_OFFICE, MINISTER, COARSE_OFFICE, CONTESTED, BISHOP, ABBOT = 50, 52, 53, 54, 55, 56, 57
PRIZE, LION, OSCAR, NOBEL, MEDAL = 80, 81, 82, 83, 84


def parse_day(text: str) -> dt.date:
    """The day that an ISO date names."""
    return dt.date.fromisoformat(text)


def parse_interval(text: str) -> tuple[dt.date, dt.date, int]:
    """First day, last day and precision of YYYY, YYYY-MM or YYYY-MM-DD; of YYYs a decade."""
    if text.endswith("s"):
        return dt.date(int(text[:4]), 1, 1), dt.date(int(text[:4]) + 9, 12, 31), 8
    parts = [int(part) for part in text.split("-")]
    if len(parts) == 1:
        return dt.date(parts[0], 1, 1), dt.date(parts[0], 12, 31), 9
    if len(parts) == 2:
        return dt.date(*parts, 1), dt.date(*parts, monthrange(*parts)[1]), 10
    return dt.date(*parts), dt.date(*parts), 11


def build_qualifier(text: str) -> tuple[Any, ...]:
    """A qualifier that dates a statement: a time, or somevalue, novalue, several or hedged."""
    if text.endswith(("value", "several", "hedged")):
        return (text, *(None,) * 5)
    return ("value", write_time(text), *parse_interval(text), "gregorian")


def write_time(text: str) -> str:
    """A time as Wikibase writes it: zeros where the text ends."""
    return f"+{text.rstrip('s')}{'-00' * (2 - text.count('-'))}T00:00:00Z"


def build_statement(subject: int, property_: int, value: int | str | None = None, **fields: Any) -> Row:
    """A row of `statements`: an item by its number, a time by its text; `amount` and `unit` among the fields."""
    row: Row = {
        "statement_id": f"Q{subject}${next(_numbers)}",
        "subject": subject,
        "property": property_,
        "rank": "normal",
        "snak": "value",
        "datatype": "any",
    }
    if isinstance(value, str):
        row |= dict(zip(("first_day", "last_day", "precision"), parse_interval(value), strict=True))
        row |= {"value_text": write_time(value), "calendar": "gregorian"}
    elif value is not None:
        row["value_item"] = value
    if "amount" in fields:
        row |= {"unit": 0}
    return row | fields


def build_times(start: str, end: str | None = None, extent: str | None = None) -> Row:
    """The columns that say when a member is: one time, or a start and an end; `open` has a start alone."""
    first, start_last, start_precision = parse_interval(start)
    end_first, last, precision = parse_interval(end or start)
    extent = extent or ("span" if end else "instant")
    return {
        "first_day": first,
        "last_day": None if extent == "open" else last,
        "start_last": start_last,
        "end_first": None if extent == "open" else end_first,
        "start_precision": start_precision,
        "precision": min(start_precision, precision),
        "extent": extent,
    }


def build_table(spark: SparkSession, table: Table, rows: Iterable[Mapping[str, Any]]) -> DataFrame:
    """The rows as a frame with the table's columns, null where a row says nothing."""
    schema = StructType([StructField(field.name, field.dataType) for field in table.schema.fields])
    values = []
    for row in rows:
        unknown = set(row) - {c.name for c in table.columns}
        assert not unknown, f"{table.name} has no column {unknown}"
        values.append(tuple(row.get(c.name) for c in table.columns))
    return spark.createDataFrame(values, schema).coalesce(1)
