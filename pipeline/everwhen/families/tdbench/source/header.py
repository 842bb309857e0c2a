"""The columns that a declared table has, read without its rows."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import duckdb

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.source import Source

WORLD_START, WORLD_END = "Start", "End"
"""What the times of a property's statements are called."""

PARQUET = (".parquet", ".parq", ".pq")


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
    names = _read_csv_header(file, source) if is_csv(file, source) else _describe_columns(file, source)
    doubled = [name for name, count in Counter(names).items() if count > 1]
    if doubled or "" in names:
        problem = f"the column {doubled[0]!r} occurs twice" if doubled else "a column has no name"
        raise InputError(f"{file}: {problem}; each column needs a name of its own")
    return tuple(names)


def find_file(declaration: Declaration) -> Path:
    """Find the file of a declaration's rows.

    Raises:
        InputError: There is no such file.
    """
    named = declaration.source.file or declaration.source.database
    if named is None:
        raise ValueError(f"{declaration.name} reads no file")
    file = declaration.path.parent / named
    if not file.is_file():
        raise InputError(f"{file}: no such file")
    source = declaration.source
    if source.database is None and is_csv(file, source) and is_duckdb(file):
        raise InputError(f"{file}: a database of DuckDB; name it by database, not by file")
    if source.database is not None and not is_duckdb(file):
        raise InputError(f"{file}: not a database of DuckDB; name other files by file")
    return file


def is_duckdb(file: Path) -> bool:
    """Whether a file is a database of DuckDB, by the four letters after its checksum."""
    with file.open("rb") as opened:
        return opened.read(12)[8:] == b"DUCK"


def is_csv(file: Path, source: Source) -> bool:
    """Tell whether rows are read from a CSV file: every file but parquet and databases."""
    return source.database is None and file.suffix.lower() not in PARQUET


def find_delimiter(file: Path, source: Source) -> str:
    """Find what separates the values of a CSV file."""
    return source.delimiter or ("\t" if file.suffix.lower() == ".tsv" else ",")


def select_rows(source: Source, file: Path) -> str:
    """Write the SELECT statement that reads a parquet file, or a database attached as `source`."""
    if source.database is None:
        quoted = str(file).replace("'", "''")
        return f"SELECT * FROM read_parquet('{quoted}')"
    if source.query is not None:
        return source.query.strip().rstrip(";")
    return f"SELECT * FROM {quote_name(str(source.table))}"


def open_database(source: Source, file: Path) -> duckdb.DuckDBPyConnection:
    """Open DuckDB, with a declared database for reading alone: a query reads nothing but it.

    Raises:
        InputError: The file is no database of DuckDB.
    """
    try:
        if source.database is not None:
            db = duckdb.connect(str(file), read_only=True, config={"enable_external_access": "false"})
        else:
            db = duckdb.connect()
        # The day of a time with a zone must not depend on the machine's.
        db.execute("SET TimeZone = 'UTC'")
        return db
    except duckdb.Error as error:
        raise InputError(f"{file}: not a database of DuckDB: {shorten_error(error)}") from None


def quote_name(name: str) -> str:
    """Write a name of a column or a table for SQL."""
    return '"' + name.replace('"', '""') + '"'


def shorten_error(error: duckdb.Error) -> str:
    """Shorten what DuckDB says to its first line."""
    return str(error).strip().split("\n", 1)[0]


def _read_csv_header(file: Path, source: Source) -> list[str]:
    """Read the first line of a CSV file."""
    try:
        with file.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
            header = next(csv.reader(stream, delimiter=find_delimiter(file, source), strict=True), None)
    except (csv.Error, OSError) as error:
        raise InputError(f"{file}:1: cannot be read: {error}") from None
    if not header:
        raise InputError(f"{file}: has no header; its first line names the columns")
    if any("\ufffd" in name for name in header):
        raise InputError(f"{file}:1: is not text in UTF-8; save the file as UTF-8")
    return [name.strip() for name in header]


def _describe_columns(file: Path, source: Source) -> list[str]:
    """Ask DuckDB for the columns of a parquet file, a table or a query."""
    with open_database(source, file) as db:
        try:
            return [row[0] for row in db.execute(f"DESCRIBE {select_rows(source, file)}").fetchall()]
        except duckdb.Error as error:
            raise InputError(f"{file}: cannot be read: {shorten_error(error)}") from None
