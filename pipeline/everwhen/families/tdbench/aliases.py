"""Other names of values, which a response may use: those of a declaration's file."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from unicodedata import normalize

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.load import report_error
from everwhen.families.tdbench.source.open_table import OpenTable

HEADER = ("column", "value", "alias")
"""The columns of a file of aliases."""


def read_aliases(declarations: Sequence[Declaration]) -> list[tuple[str, str, str, str]]:
    """Read the aliases of declarations.

    Returns:
        Rows of ACCEPTED_ANSWERS, each once, sorted.

    Raises:
        InputError: A file is missing or cannot be read, or a line does not fit; the message names it.
    """
    return sorted(
        {
            (value, f"{each.name}/{column}", "alias", alias)
            for each in declarations
            for _, column, value, alias in _read_file(each)
        }
    )


def require_aliases(table: OpenTable) -> None:
    """Require that each alias is one of a value of its table, and no other value's name.

    Raises:
        InputError: One is not, or the file cannot be used; the message names file and line.
    """
    values: dict[str, set[str]] = {}
    for number, column, value, alias in _read_file(table.declaration):
        if column not in values:
            found = table.db.execute("SELECT DISTINCT fields[?] FROM rows", [column]).fetchall()
            values[column] = {each for (each,) in found}
        where = f"{table.declaration.path.parent / str(table.declaration.words.aliases)}:{number}"
        if value not in values[column]:
            raise InputError(f"{where}: no row has {value} as {column}")
        if alias in values[column]:
            raise InputError(f"{where}: {alias} is another value of {column}, and no alias of {value}")


def _read_file(declaration: Declaration) -> Iterator[tuple[int, str, str, str]]:
    """Read the file of aliases of a declaration, if it has one: line, column, value and alias."""
    if declaration.words.aliases is None:
        return
    file = declaration.path.parent / declaration.words.aliases
    lines = _read_lines(declaration, file)
    if not lines or tuple(lines[0]) != HEADER:
        raise InputError(f"{file}:1: the columns {', '.join(HEADER)} are expected")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(HEADER) or not all(line):
            raise InputError(f"{file}:{number}: a column, a value and an alias are expected")
        column, value, alias = line
        if column not in declaration.columns:
            raise InputError(f"{file}:{number}: the table has no column {column}")
        if alias != value:
            yield number, column, value, alias


def _read_lines(declaration: Declaration, file: Path) -> list[list[str]]:
    """Read the lines of a file of aliases, the texts of each without space around them."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            return [[normalize("NFC", text.strip()) for text in line] for line in csv.reader(stream, strict=True)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise report_error(declaration, ("words", "aliases"), f"{file}: cannot be read: {reason}") from None
