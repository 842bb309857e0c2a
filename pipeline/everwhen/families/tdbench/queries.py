"""Queries of DuckDB's SQL, in folders `sql` beside the code that runs them; their slots are Jinja's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from everwhen.core.sql import render_literal

QUERIES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def pick_values(columns: Sequence[str]) -> str:
    """Write the values that a row has in columns, as a list."""
    return f"[{', '.join(f'fields[{render_literal(column)}]' for column in columns)}]"


def are_known(columns: Sequence[str]) -> str:
    """Write that a row is empty in none of some columns."""
    return " AND ".join(f"fields[{render_literal(column)}] IS NOT NULL" for column in columns) or "true"


QUERIES.filters |= {"literal": render_literal, "pick": pick_values, "known": are_known}


def write_query(name: str, **values: Any) -> str:
    """Write the query in a file: its folder and its name, without `.sql`, with the values that it names."""
    folder, _, file = name.partition("/")
    return QUERIES.get_template(f"{folder}/sql/{file}.sql").render(values)
