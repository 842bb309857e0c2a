"""Records read to rows: times, rejects and duplicates, in DuckDB's SQL.

From `records` follows `stated`: values, and times as they are stated; from it `started`, with the reason why a record
is no row as far as ends play no part; from it `ended`, with the ends; from it `judged`, in which equal rows are found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from everwhen.core.sql import render_literal
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.time import PrecisionColumns
from everwhen.families.tdbench.source.judging import is_damaged, judge_end, judge_start, judge_values, name_values
from everwhen.families.tdbench.source.reasons import RowReason
from everwhen.families.tdbench.source.times import EMPTY, MACROS, OPEN, load_readings
from everwhen.temporal.precision import Precision

PRECISIONS = {"day": Precision.DAY, "month": Precision.MONTH, "year": Precision.YEAR}

BLANKS = "chr(32) || chr(160)"
"""Blanks that are no part of a value where they begin or end it."""

UNKNOWN = "unknown"
"""What a source may say of an end that it does not date, beside `OPEN`."""

LAST_READ = {"started": ("stated", "readings"), "ended": ("started",), "judged": ("ended",), "rejects": ("judged",)}
"""By step, the tables that no later one reads: of a million rows each takes hundreds of megabytes."""

LAST_YEAR = "DATE '9999-01-01'"
"""An end from there on is how databases write that there is none yet."""


def read_records(db: duckdb.DuckDBPyConnection, declaration: Declaration, header: Sequence[str]) -> None:
    """Read the table `records` to the tables `rows` and `rejects`.

    Args:
        db: Has the table `records`; gets `rows`, with line and the columns of ROWS but row_id, and `rejects`, with
            line, reason, text and fields: the values of the record that are known.
        declaration: What the columns mean.
        header: The columns of the records, in order.
    """
    places = {name: f"c{number}" for number, name in enumerate(header)}
    time = declaration.time
    db.execute(MACROS)
    load_readings(db, [places[name] for name in (time.start, time.end) if name is not None], time)
    steps = {
        "stated": _state_rows(declaration, places),
        "started": _date_starts(declaration),
        "ended": _date_ends(declaration),
        "judged": _find_duplicates(declaration),
        "rows": _select_rows(declaration),
        "rejects": _select_rejects(declaration),
    }
    for name, query in steps.items():
        db.execute(f"CREATE OR REPLACE TABLE {name} AS {query}")
        db.execute("".join(f"DROP TABLE {read};" for read in LAST_READ.get(name, ())))


def _state_rows(declaration: Declaration, places: Mapping[str, str]) -> str:
    """Select values and times as stated: the texts, and their days with the precision that the declaration gives."""
    time = declaration.time
    start, end = places[time.start], "NULL::VARCHAR" if time.end is None else places[time.end]
    values = ", ".join(
        f"nullif(trim({places[name]}, {BLANKS}), '') AS {value}" for name, value in name_values(declaration).items()
    )
    start_given, end_given = (_find_given_precision(declaration, places, which) for which in ("start", "end"))
    return f"""
SELECT r.line, r.reason AS source_reason,
    {values},
    CASE WHEN s.state = '{EMPTY}' THEN '' ELSE trim(coalesce({start}, ''), {BLANKS}) END AS start_text,
    CASE WHEN e.state = '{EMPTY}' THEN '' ELSE trim(coalesce({end}, ''), {BLANKS}) END AS end_text,
    CASE WHEN e.state = '{OPEN}' THEN e.state ELSE r.end_state END AS end_state,
    s.day AS start_day, s.precision AS start_form, {start_given} AS start_given_precision,
    {_choose_precision(declaration, "s", start_given)} AS start_precision,
    e.day AS end_day, e.precision AS end_form, {end_given} AS end_given_precision,
    {_choose_precision(declaration, "e", end_given)} AS end_precision,
    concat_ws(',', {", ".join(f"coalesce({column}, '')" for column in places.values())}) AS text
FROM records r LEFT JOIN readings s ON s.text = {start} LEFT JOIN readings e ON e.text = {end}"""


def _find_given_precision(declaration: Declaration, places: Mapping[str, str], which: str) -> str:
    """Write the text of the column that says how precise a time is; empty where no column does."""
    declared = declaration.time.precision
    if not isinstance(declared, PrecisionColumns):
        return "''"
    column = declared.column or (declared.end if which == "end" else None) or declared.start
    return f"coalesce({places[str(column)]}, '')"


def _choose_precision(declaration: Declaration, alias: str, given: str) -> str:
    """Write the precision of a time: its form's, the declared one, or that of a column; null where it has none."""
    declared, padded = declaration.time.precision, declaration.time.padded
    form = f"{alias}.precision"
    if isinstance(declared, PrecisionColumns):
        names = " ".join(
            f"WHEN '{name}' THEN {number} WHEN '{number}' THEN {number}" for name, number in PRECISIONS.items()
        )
        return f"(CASE regexp_replace(lower(trim({given})), '[.]0$', '') {names} END)::TINYINT"
    if declared != "by_form":
        return f"{PRECISIONS[declared]}::TINYINT"
    if padded is None:
        return form
    shape = f"day({alias}.day) = 1" + (f" AND month({alias}.day) = 1" if padded == "year" else "")
    return f"(CASE WHEN {form} = {Precision.DAY} AND {shape} THEN {PRECISIONS[padded]} ELSE {form} END)::TINYINT"


def _date_starts(declaration: Declaration) -> str:
    """Select the stated rows with the days of their starts."""
    return f"""
SELECT *, coalesce(source_reason, {judge_values(declaration)}, {judge_start(declaration)}) AS early_reason
FROM (SELECT *, first_of(start_day, start_precision) AS earliest_start,
        last_of(start_day, start_precision) AS latest_start FROM stated)"""


def _date_ends(declaration: Declaration) -> str:
    """Select the started rows with their ends, as stated, and the reason of those that are no row."""
    time = declaration.time
    state = f"coalesce(end_state, CASE WHEN end_text <> '' THEN 'stated' ELSE '{time.empty_end}' END)"
    is_open = f"state IN ('{OPEN}', 'ongoing') OR state = 'stated' AND coalesce(end_day >= {LAST_YEAR}, false)"
    is_open += f" OR state = 'next' AND end_day IS NULL AND {str(time.as_of is not None).lower()}"
    return f"""
SELECT * EXCLUDE (early_reason, end_day, end_precision), coalesce(early_reason, {judge_end(declaration)}) AS reason,
    CASE WHEN NOT is_open THEN end_day END AS end_day, CASE WHEN NOT is_open THEN end_precision END AS end_precision
FROM (SELECT *, {"false" if time.end is None else is_open} AS is_open FROM ({_follow_starts(declaration, state)}))"""


def _follow_starts(declaration: Declaration, state: str) -> str:
    """Select the started rows with the next start of the key as end, where the declaration says so.

    Of ends that are inclusive it is the unit before.
    """
    if declaration.time.end is None or declaration.time.empty_end != "next":
        return f"SELECT *, {state} AS state FROM started"
    values = name_values(declaration)
    key = ", ".join(values[name] for name in declaration.tfds[0].given)
    day, precision = "following.day", "following.precision"
    if declaration.time.ends == "inclusive":
        day = f"shift_unit({day}, {precision}, -1)"
    return f"""
SELECT * REPLACE (CASE WHEN state = 'next' THEN {day} ELSE end_day END AS end_day,
    CASE WHEN state = 'next' THEN {precision} ELSE end_precision END AS end_precision,
    CASE WHEN state = 'next' THEN {precision} ELSE end_form END AS end_form)
FROM (SELECT *, {state} AS state, first_value({{'day': earliest_start, 'precision': start_precision}}) OVER (
        PARTITION BY early_reason IS NULL, {key} ORDER BY earliest_start
        RANGE BETWEEN INTERVAL 1 DAY FOLLOWING AND UNBOUNDED FOLLOWING) AS following
    FROM started)"""


def _find_duplicates(declaration: Declaration) -> str:
    """Select the ended rows, of equal ones all but the first with that reason."""
    values = ", ".join(name_values(declaration).values())
    return f"""
SELECT * REPLACE (CASE WHEN reason IS NULL AND line NOT IN (SELECT min(line) FROM ended WHERE reason IS NULL
        GROUP BY {values}, earliest_start, start_precision, end_day, end_precision, is_open)
    THEN {render_literal(RowReason.DUPLICATE)} ELSE reason END AS reason)
FROM ended"""


def _select_rejects(declaration: Declaration) -> str:
    """Select the rejected records with those of their values that are known.

    A value with a byte or a character that was not read is not known. Nor is any value of a record that its file gives
    wrongly, such as a line with too many values: nobody knows to which column each of them belongs.
    """
    is_read = "true" if declaration.source.is_world else "source_reason IS NULL"
    values = {
        name: f"CASE WHEN {is_read} AND NOT {is_damaged(value)} THEN {value} END"
        for name, value in name_values(declaration).items()
    }
    return f"""
SELECT line, reason, left(text, 200) AS text, {_map_fields(values)} AS fields
FROM judged WHERE reason IS NOT NULL ORDER BY line"""


def _map_fields(values: Mapping[str, str]) -> str:
    """Write the values of columns, by column; without those that are null."""
    entries = ", ".join(f"{{'k': {render_literal(name)}, 'v': {value}}}" for name, value in values.items())
    return f"map_from_entries(list_filter([{entries}], lambda entry: entry.v IS NOT NULL))"


def _select_rows(declaration: Declaration) -> str:
    """Select the rows, in the order of their lines; of points, the end is the start."""
    side = "start" if declaration.time.end is None else "end"
    end, precision = f"{side}_day", f"{side}_precision"
    after = " + 1" if declaration.time.is_inclusive else ""
    fields = _map_fields(name_values(declaration))
    return f"""
SELECT line, {render_literal(declaration.name)} AS declaration, {fields} AS fields,
    write_iso(start_day, start_precision) AS stated_start, write_iso({end}, {precision}) AS stated_end,
    start_precision, {precision} AS end_precision, earliest_start, latest_start,
    first_of({end}, {precision}){after} AS earliest_end, last_of({end}, {precision}){after} AS latest_end
FROM judged WHERE reason IS NULL ORDER BY line"""
