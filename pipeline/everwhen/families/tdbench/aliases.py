"""Other names of values, which a response may use: those of a declaration's file."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.load import report_error
from everwhen.families.tdbench.declaration.model import Declaration

HEADER = ("column", "value", "alias")
"""The columns of a file of aliases."""


def read_aliases(declarations: Sequence[Declaration]) -> list[tuple[str, str, str, str]]:
    """Read the aliases of declarations.

    Returns:
        Declaration, column, value and alias, each once, sorted.

    Raises:
        InputError: A file is missing or cannot be read, or a line does not fit; the message names it.
    """
    return sorted({row for declaration in declarations for row in _read_file(declaration)})


def _read_file(declaration: Declaration) -> Iterator[tuple[str, str, str, str]]:
    """Read the file of aliases of a declaration, if it has one."""
    if declaration.words.aliases is None:
        return
    file = declaration.path.parent / declaration.words.aliases
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            lines = list(csv.reader(stream, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise report_error(declaration, ("words", "aliases"), f"{file}: cannot be read: {reason}") from None
    if not lines or tuple(name.strip() for name in lines[0]) != HEADER:
        raise InputError(f"{file}:1: the columns {', '.join(HEADER)} are expected")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(HEADER) or not all(text.strip() for text in line):
            raise InputError(f"{file}:{number}: a column, a value and an alias are expected")
        column, value, alias = (text.strip() for text in line)
        if column not in declaration.columns:
            raise InputError(f"{file}:{number}: the table has no column {column}")
        if alias != value:
            yield declaration.name, column, value, alias
