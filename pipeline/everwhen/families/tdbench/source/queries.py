"""Queries of DuckDB's SQL, in folders `sql` beside the code that runs them; their slots are Jinja's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from everwhen.core.sql import render_literal

QUERIES = Environment(
    loader=FileSystemLoader(Path(__file__).parent.parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
QUERIES.filters["literal"] = render_literal


def write_query(name: str, **values: Any) -> str:
    """Write the query in a file: its folder and its name, without `.sql`, with the values that it names."""
    folder, _, file = name.partition("/")
    return QUERIES.get_template(f"{folder}/sql/{file}.sql").render(values)
