"""Statements to tell in prose: of each property and kind, from the examples in `templates/prose`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from everwhen.language.prose import write_sentences
from everwhen.language.prose_check import PROSE_CHECK
from everwhen.language.prose_templates import Kind, PropertyProse, Prose, load_prose
from everwhen.wikidata.columns import parse_columns

STATEMENTS = pa.schema(
    parse_columns(
        "statement_id:text property:int snak:text value_item:long value_text:text amount:amount unit:long"
        " precision:tiny calendar:text start_time:qualifier end_time:qualifier point_in_time:qualifier"
        " subject_name:text value_name:text key:long nth:int"
    )
)
"""The columns that `write_sentences` reads, and the statement's id."""

TIMES: Mapping[Kind, Mapping[str, str]] = {
    "start_end": {"start_time": "1998-05-04", "end_time": "2001"},
    "same": {"start_time": "1998-05", "end_time": "1998-05"},
    "start": {"start_time": "1998"},
    "end": {"end_time": "2001-11"},
    "point": {"point_in_time": "1998-05-04"},
    "none": {},
}
"""Times of each kind, in each precision."""

KEPT = frozenset({"statement_id", "subject_name", "key", "nth"})
"""The columns of an example that do not follow from its value."""

FACTS_SQL = Path(PROSE_CHECK).parents[2] / "validate" / "sql" / "facts.sql"


def state_time(stated: str, calendar: str = "gregorian") -> dict[str, Any]:
    """State a time of the given precision: YYYY, YYYY-MM or YYYY-MM-DD."""
    text = f"+{(stated + '-00-00')[:10]}T00:00:00Z"
    return {"snak": "value", "text": text, "precision": 9 + stated.count("-"), "calendar": calendar}


def state(number: int, **columns: Any) -> dict[str, Any]:
    """State something of a property: "value" with a name unless other columns are given."""
    row = {"property": number, "snak": "value", "subject_name": "Ada", "value_name": "Rome", "value_item": 1}
    row |= {"statement_id": f"Q1${number}", "key": 0, "nth": 0}
    times = {name: state_time(time) for name, time in columns.items() if name.endswith("_time") and type(time) is str}
    return row | columns | times


def state_date(day: str, number: int = 569, calendar: str = "gregorian") -> dict[str, Any]:
    """State a date of a property: YYYY, YYYY-MM or YYYY-MM-DD."""
    time = state_time(day, calendar)
    told = {"value_text": time["text"], "precision": time["precision"], "calendar": calendar}
    return state(number, **told, value_item=None, value_name=None)


def state_amount(number: int, amount: Decimal | int | str, unit: int) -> dict[str, Any]:
    """State an amount of a property; a text is one in a unit without a dimension."""
    told = {"value_text": amount} if isinstance(amount, str) else {"amount": amount}
    return state(number, **told, unit=unit, value_item=None, value_name=None)


def state_example(number: int, entry: PropertyProse, kind: Kind, nth: int, prose: Prose) -> dict[str, Any]:
    """State the example of a property, with the times of a kind."""
    row = state(number, subject_name=entry.example["subject"], key=0, nth=nth, **TIMES[kind])
    row["statement_id"] += f"-{kind}-{nth}"
    value = entry.example["value"]
    own: dict[str, Any] = {"value_name": value}
    if entry.value == "date":
        own = state_date(value, number)
    elif entry.value == "quantity":
        unit = prose.units[entry.units[0]]
        own = state_amount(number, Decimal(value) * unit.size, unit.unit)
    return {**own, **{name: column for name, column in row.items() if name not in own or name in KEPT}}


def list_examples() -> list[dict[str, Any]]:
    """List the examples of all properties, kinds and forms."""
    prose = load_prose()
    return [
        state_example(number, entry, kind, nth, prose)
        for number, entry in sorted(prose.properties.items())
        for kind, forms in entry.forms.items()
        for nth in range(len(forms))
    ]


def tell(rows: Iterable[Mapping[str, Any]], *, month_first: bool = False) -> list[dict[str, Any]]:
    """Tell statements: their rows with sentence, kind, form and reason."""
    given = [dict(row) for row in rows]
    told = write_sentences(pa.Table.from_pylist(given, STATEMENTS), month_first=month_first)
    return [row | found for row, found in zip(given, told.to_pylist(), strict=True)]


def tell_in_form(row: Mapping[str, Any], form: int) -> dict[str, Any]:
    """Tell a statement in the form of this number."""
    told = (tell([{**row, "nth": nth}])[0] for nth in range(4))
    return next(each for each in told if each["form"] == form)


def read_back(
    rows: Iterable[Mapping[str, Any]], statements: Sequence[Mapping[str, Any]] | None = None
) -> duckdb.DuckDBPyConnection:
    """Read the sentences of told rows back, by their own statements or others; the connection has `prose_errors`."""
    rows = list(rows)
    db = duckdb.connect()
    db.register("statements", pa.Table.from_pylist(rows if statements is None else statements, STATEMENTS))
    ids = pa.array([row["statement_id"] for row in rows])
    told = {name: pa.array([row[name] for row in rows], pa.string()) for name in ("subject_name", "value_name")}
    sentences = pa.array([row["sentence"] for row in rows])
    db.register("prose_sentences", pa.table({"id": ids, "statement_id": ids, "sentence": sentences, **told}))
    for macro in re.findall(r"^CREATE MACRO (?:stated_date|day_text)\(.*?;\n", FACTS_SQL.read_text(), re.M | re.S):
        db.execute(macro)
    db.execute(PROSE_CHECK.read_text(encoding="utf-8"))
    return db


def find_errors(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Find the errors of told rows, by statement id."""
    return dict(read_back(rows).sql("SELECT id, error FROM prose_errors").fetchall())
