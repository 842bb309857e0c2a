"""The family's queries of DuckDB's SQL for its evaluation, in `sql/evaluation`."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "sql" / "evaluation"


def read_query(name: str) -> str:
    """Read a query by its name, without `.sql`; {slices} in it is the query of the slices."""
    text = (FOLDER / f"{name}.sql").read_text(encoding="utf-8")
    return text.replace("{slices}", read_query("slices")) if "{slices}" in text else text
