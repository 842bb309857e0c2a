"""Why a record of a declared table is no row, as expressions of DuckDB's SQL; each has the first reason that fits."""

from __future__ import annotations

import re

from everwhen.core.sql import render_literal
from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.reasons import MAX_VALUE_LENGTH, RowReason

CONTROLS = r"[\x00-\x1f\x7f-\x9f\x{2028}\x{2029}]"
"""Control characters, and the line breaks of Unicode."""


def name_values(declaration: Declaration) -> dict[str, str]:
    """Name the columns v0, v1, … that have the values of a declaration's columns; null where a record has none."""
    return {name: f"v{place}" for place, name in enumerate(declaration.columns)}


def is_damaged(value: str) -> str:
    """Write whether a value has a byte that is no UTF-8, or a control character."""
    return f"(contains({value}, chr(65533)) OR regexp_matches({value}, '{CONTROLS}'))"


def judge_values(declaration: Declaration) -> str:
    """Write why the values of a record make it no row, or null; of the columns v0, v1, … and `text`."""
    shown = [(render_literal(name), value) for name, value in name_values(declaration).items()]
    used = [(render_literal(name), name_values(declaration)[name]) for name in declaration.used_columns]
    controls = _find_first([(name, f"regexp_matches({value}, '{CONTROLS}')") for name, value in shown], "'a time'")
    damaged = _find_first([(name, f"contains({value}, chr(65533))") for name, value in shown], "'a time'")
    long = " OR ".join(f"length({value}) > {MAX_VALUE_LENGTH}" for _, value in shown) or "false"
    separated = _find_first([(name, f"contains({value}, '{SEPARATOR}')") for name, value in used])
    empty = _find_first([(name, f"{value} IS NULL") for name, value in used])
    return f"""CASE WHEN length(text) > {MAX_VALUE_LENGTH} AND ({long}) THEN {render_literal(RowReason.TOO_LONG)}
    WHEN contains(text, chr(65533)) THEN {_write_reason(RowReason.NOT_UTF_8, column=damaged)}
    WHEN regexp_matches(text, '{CONTROLS}') THEN {_write_reason(RowReason.CONTROL_CHARACTER, column=controls)}
    WHEN {separated} IS NOT NULL THEN {_write_reason(RowReason.SEPARATOR, column=separated)}
    WHEN {empty} IS NOT NULL THEN {_write_reason(RowReason.EMPTY_VALUE, column=empty)} END"""


def judge_start(declaration: Declaration) -> str:
    """Write why the start of a record makes it no row, or null; of the columns `start_…`."""
    as_of = declaration.time.as_of
    late = f"WHEN earliest_start > DATE '{as_of}' THEN {render_literal(RowReason.AFTER_AS_OF)}" if as_of else ""
    return f"""CASE WHEN start_text = '' THEN {render_literal(RowReason.NO_START)}
    WHEN start_day IS NULL THEN {_write_reason(RowReason.UNREADABLE_START, text="start_text")}
    WHEN start_precision IS NULL THEN {_write_reason(RowReason.UNKNOWN_PRECISION, text="start_given_precision")}
    WHEN start_precision > start_form THEN {_write_reason(RowReason.TOO_COARSE, text="start_text")}
    {late} END"""


def judge_end(declaration: Declaration) -> str:
    """Write why the end of a record makes it no row, or null; of the columns `end_…` and `is_open`."""
    if declaration.time.end is None:
        return "NULL"
    return f"""CASE WHEN is_open THEN NULL
    WHEN end_text <> '' AND end_day IS NULL THEN {_write_reason(RowReason.UNREADABLE_END, text="end_text")}
    WHEN end_day IS NULL THEN {render_literal(RowReason.UNKNOWN_END)}
    WHEN end_precision IS NULL THEN {_write_reason(RowReason.UNKNOWN_PRECISION, text="end_given_precision")}
    WHEN end_precision > end_form THEN {_write_reason(RowReason.TOO_COARSE, text="end_text")}
    WHEN last_of(end_day, end_precision) < earliest_start THEN {render_literal(RowReason.END_BEFORE_START)} END"""


def _find_first(conditions: list[tuple[str, str]], otherwise: str = "NULL") -> str:
    """Write the first of the values whose condition holds."""
    cases = " ".join(f"WHEN {condition} THEN {value}" for value, condition in conditions)
    return f"CASE {cases} ELSE {otherwise} END" if cases else otherwise


def _write_reason(reason: RowReason, **details: str) -> str:
    """Write a reason, its slots filled by expressions."""
    parts = re.split(r"\{(\w+)\}", reason.value)
    pieces = [f"({details[part]})" if place % 2 else render_literal(part) for place, part in enumerate(parts) if part]
    return " || ".join(pieces)
