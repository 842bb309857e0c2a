"""Markdown from Jinja templates: cells that stay cells, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).resolve().parent / "templates"

MARKUP = re.compile(r"[\\`*\[\]<>|~&]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would take for more than text, an underscore within a word excepted."""

MAX_CELL_LENGTH = 160
"""Characters of a cell, beyond which a table is no longer read by line."""


def render_template(path: Path, **values: Any) -> str:
    """Render a Jinja template to Markdown, or to HTML if its name says so.

    Args:
        path: The file of the template.
        values: What it may name; an unknown name is an error.
    """
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=path.name.endswith(".html.j2"),
    )
    environment.filters |= {
        "cell": escape_cell,
        "escaped": escape_markup,
        "table": render_table,
        "thousands": "{:,}".format,
    }
    return environment.get_template(path.name).render(**values)


def render_table(rows: Iterable[Sequence[object]], head: Sequence[str], right: Sequence[int] = ()) -> str:
    """Render a Markdown table.

    Args:
        rows: Cells; bars within them are escaped.
        head: The names of the columns.
        right: Which columns are aligned to the right.
    """
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    lines = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))


def escape_cell(text: str) -> str:
    """Escape text so that it stays in its cell of a Markdown table, and reads there as it is: it is no markup."""
    flat = " ".join(text.split())
    return escape_markup(flat if len(flat) <= MAX_CELL_LENGTH else flat[: MAX_CELL_LENGTH - 1] + "…")


def escape_markup(text: str) -> str:
    """Escape text so that it reads as it is: it is no markup."""
    return MARKUP.sub(r"\\\g<0>", text)
