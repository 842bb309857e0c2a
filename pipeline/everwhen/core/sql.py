"""Data as DuckDB's SQL: what templates declare, for the checks that ship with a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def render_table(name: str, columns: Mapping[str, str], rows: Sequence[Sequence[object]]) -> str:
    """Render a statement that creates a table of these rows.

    Args:
        name: Name of the table.
        columns: Types by name.
        rows: Values in the order of the columns.
    """
    if not rows:
        typed = ", ".join(f'"{column}" {type_}' for column, type_ in columns.items())
        return f"CREATE TABLE {name} ({typed});\n"
    selected = ", ".join(f'"{column}"::{type_} AS "{column}"' for column, type_ in columns.items())
    named = ", ".join(f'"{column}"' for column in columns)
    values = ",\n    ".join(f"({', '.join(map(render_literal, row))})" for row in rows)
    return f"CREATE TABLE {name} AS SELECT {selected} FROM (VALUES\n    {values}) t({named});\n"


def render_literal(value: object) -> str:
    """Render a value: a text, a number, a boolean, null, a list, or a mapping."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(render_literal, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{render_literal(key)}: {render_literal(item)}" for key, item in value.items())
        return f"MAP {{{', '.join(pairs)}}}"
    return "'" + str(value).replace("'", "''") + "'"
