"""The columns that a declared table has, read without its rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unicodedata import normalize

import duckdb

from everwhen.core.errors import InputError
from everwhen.core.sql import render_literal
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.source import TableSource
from everwhen.families.tdbench.source.csv_lines import CsvLines, CsvRecord
from everwhen.families.tdbench.source.files import find_delimiter, find_file, is_csv, list_parquet, open_text

WORLD_START, WORLD_END = "Start", "End"
"""What the times of a property's statements are called."""

SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
"""The line before the header in which Excel names the delimiter."""

OTHER_DELIMITERS = {";": "a semicolon", "\t": "a tab", "|": "a vertical bar", ",": "a comma"}

NESTED = {"array": "a list"} | {name: f"a {name}" for name in ("list", "struct", "map", "union", "variant")}
"""Types of DuckDB that hold several values, and what messages call them."""


def read_header(declaration: Declaration) -> tuple[str, ...]:
    """Read the names of all columns, those of the times among them, in the table's order.

    Raises:
        InputError: The file is missing or cannot be read, or has columns without a name or with one name.
    """
    source = declaration.source
    if source.is_world:
        times = (WORLD_START,) if declaration.time.end is None else (WORLD_START, WORLD_END)
        return (*source.world_columns, *times)
    file = find_file(declaration)
    if is_csv(file, source):
        with open_csv(file, source) as (_, _, names):
            pass
    else:
        with open_relation(file, source) as relation:
            names = [normalize("NFC", name) for name in relation.columns]
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled or "" in names:
        problem = f"the column {doubled[0]!r} occurs twice" if doubled else "a column has no name"
        raise InputError(f"{file}: {problem}; each column needs a name of its own")
    return tuple(names)


@contextmanager
def open_csv(file: Path, source: TableSource) -> Iterator[tuple[CsvLines, str, list[str]]]:
    """Open a CSV file, and read its header.

    Yields:
        The lines after the header, what separates the values of each, and the names of the columns.

    Raises:
        InputError: The file is no text in UTF-8, cannot be read, or has no header.
    """
    with open_text(file) as stream:
        lines, delimiter = CsvLines(stream), find_delimiter(file, source)
        first = _read_filled_line(lines)
        if first and (found := SEPARATOR_LINE.fullmatch(first[0].rstrip("\r\n"))):
            if source.delimiter not in (None, found[1]):
                raise InputError(f"{file}:1: says sep={found[1]}, and from.delimiter says {source.delimiter}")
            delimiter, first = found[1], _read_filled_line(lines)
        lines.put_back(first)
        header = next(lines.iter_records(delimiter), None)
        if header is None:
            raise InputError(f"{file}: has no header; its first line names the columns")
        yield lines, delimiter, _read_names(header, file)


def _read_filled_line(lines: CsvLines) -> list[str]:
    """Read the next line that is not empty; nothing where there is none."""
    while batch := lines.read_batch(1):
        while batch and not batch[0].strip():
            batch.pop(0)
        if batch:
            lines.put_back(batch[1:])
            return batch[:1]
    return []


def _read_names(record: CsvRecord, file: Path) -> list[str]:
    """Read the names of the columns."""
    where = f"{file}:{record.line}:"
    if record.reason is not None:
        raise InputError(f"{where} the header has {record.reason}")
    if not {"\ufffd", "\0"}.isdisjoint("".join(record.values)):
        raise InputError(f"{where} is not text in UTF-8; save the file as UTF-8")
    if len(record.values) == 1:
        for other, name in OTHER_DELIMITERS.items():
            if other in record.values[0]:
                raise InputError(f"{where} the header is one column; if {name} separates values, set from.delimiter")
    return [normalize("NFC", name.strip()) for name in record.values]


def _select_rows(source: TableSource, file: Path) -> str:
    """Write the SELECT statement that reads a parquet file, a folder of them, or the database that is open."""
    if source.database is not None:
        return source.query.strip().rstrip(";") if source.query else f"SELECT * FROM {quote_name(str(source.table))}"
    files = list_parquet(file) if file.is_dir() else [file]
    has_partitions = file.is_dir() and any("=" in part for each in files for part in each.relative_to(file).parts[:-1])
    options = f"hive_partitioning = {render_literal(has_partitions)}, hive_types_autocast = false"
    return f"SELECT * FROM read_parquet({render_literal(list(map(str, files)))}, {options})"


@contextmanager
def open_relation(file: Path, source: TableSource) -> Iterator[duckdb.DuckDBPyRelation]:
    """Open what parquet, a table or a query of a database has; a query reads nothing but its database.

    Raises:
        InputError: It cannot be read, or the values of a column are lists, structs, maps or the like.
    """
    options: dict[str, Any] = {}
    if source.database is not None:
        options = {"database": str(file), "read_only": True, "config": {"enable_external_access": "false"}}
    problem = "not a database of DuckDB"
    try:
        with duckdb.connect(**options) as db:
            # The day of a time with a zone must not depend on the machine's.
            db.execute("SET TimeZone = 'UTC'")
            problem = "cannot be read"
            relation = db.sql(_select_rows(source, file))
            for name, kind in zip(relation.columns, relation.types, strict=True):
                if kind.id in NESTED:
                    what = f"{NESTED[kind.id]} in each row; a text, number or date is expected"
                    raise InputError(f"{file}: the column {name} has {what}")
            yield relation
    except duckdb.Error as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise InputError(f"{file}: {problem}: {reason}") from None


def write_texts(relation: duckdb.DuckDBPyRelation) -> str:
    """Write the texts c0, c1, … of columns: whatever a column has is taken as text, bytes as UTF-8.

    Bytes that are none become U+FFFD, as in a CSV file.
    """
    texts = []
    for place, (name, kind) in enumerate(zip(relation.columns, relation.types, strict=True)):
        column = quote_name(name)
        text = f"CAST({column} AS VARCHAR)"
        if kind.id == "blob":
            text = f"CASE WHEN {column} IS NOT NULL THEN coalesce(TRY(decode({column})), chr(65533)) END"
        texts.append(f"{text} AS c{place}")
    return ", ".join(texts)


def quote_name(name: str) -> str:
    """Write a name of a column or a table for SQL."""
    return '"' + name.replace('"', '""') + '"'
