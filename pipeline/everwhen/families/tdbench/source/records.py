"""The records of a declared table as texts, in DuckDB: of CSV, parquet, databases, or arrows of Spark.

The table `records` has a column line (bigint), the texts c0, c1, … in the order of the header, end_state (open or
unknown, where a source says so; else null) and reason (why the source itself rejects a record; else null).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.header import (
    find_delimiter,
    find_file,
    is_csv,
    open_database,
    quote_name,
    read_header,
    select_rows,
    shorten_error,
)
from everwhen.families.tdbench.source.reasons import RowReason

BATCH = 50_000
"""Lines of a CSV file that are in memory as Python's texts at a time."""


def load_records(db: duckdb.DuckDBPyConnection, declaration: Declaration) -> tuple[str, ...]:
    """Load the records of a declaration's file or database as table `records`.

    No type is guessed: whatever a column has is taken as text.

    Args:
        db: Where to load them.
        declaration: The declaration; its rows are not of our world.

    Returns:
        The header.

    Raises:
        InputError: The file is missing or cannot be read.
    """
    header, file = read_header(declaration), find_file(declaration)
    if is_csv(file, declaration.source):
        delimiter = find_delimiter(file, declaration.source)
        if _load_plain_csv(db, file, delimiter, len(header)):
            return header
        _create_records(db, len(header))
        for batch in _read_csv(file, delimiter, len(header)):
            db.register("batch", batch)
            db.execute("INSERT INTO records SELECT * FROM batch")
            db.unregister("batch")
        return header
    columns = ", ".join(f"CAST({quote_name(name)} AS VARCHAR) AS c{place}" for place, name in enumerate(header))
    query = (
        f"SELECT row_number() OVER () AS line, {columns}, NULL::VARCHAR AS end_state, NULL::VARCHAR AS reason"
        f" FROM ({select_rows(declaration.source, file)})"
    )
    try:
        with open_database(declaration.source, file) as source:
            load_arrow(db, source.sql(query).to_arrow_table())
    except duckdb.Error as error:
        raise InputError(f"{file}: cannot be read: {shorten_error(error)}") from None
    return header


def load_arrow(db: duckdb.DuckDBPyConnection, arrow: pa.Table) -> None:
    """Load records that are in memory, with the columns of the table `records`."""
    db.register("arrow", arrow)
    db.execute("CREATE OR REPLACE TABLE records AS SELECT * FROM arrow")
    db.unregister("arrow")


def _load_plain_csv(db: duckdb.DuckDBPyConnection, file: Path, delimiter: str, width: int) -> bool:
    """Load a CSV file in which every line is a record, by DuckDB's reader, ten times as fast as Python's.

    Returns:
        Whether it did: not where a value has a line break, a line is empty or of another length, or a byte is no UTF-8.
    """
    names = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(width))
    texts = ", ".join(f"c{place}" for place in range(width))
    try:
        db.execute(
            f"""CREATE OR REPLACE TABLE records AS SELECT row_number() OVER () + 1 AS line, {texts},
                NULL::VARCHAR AS end_state, NULL::VARCHAR AS reason
            FROM read_csv(?, columns = {{{names}}}, header = true, delim = ?, quote = '"', escape = '"',
                auto_detect = false, strict_mode = true, max_line_size = 1_000_000)""",
            [str(file), delimiter],
        )
    except duckdb.Error:
        return False
    (count,) = db.execute("SELECT count(*) FROM records").fetchall()[0]
    return width > 1 and bool(count + 1 == _count_lines(file, delimiter))


def _count_lines(file: Path, delimiter: str) -> int:
    """Count the lines of a file; -1 where a quotation mark follows a blank, which readers take differently."""
    doubtful = [f'{before} "'.encode() for before in (delimiter, "\n")]
    count, last = 0, b"\n"
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            if any(pattern in last + block for pattern in doubtful):
                return -1
            count, last = count + block.count(b"\n"), block[-2:]
    return count + (last[-1:] != b"\n")


def _create_records(db: duckdb.DuckDBPyConnection, width: int) -> None:
    columns = "".join(f"c{place} VARCHAR, " for place in range(width))
    db.execute(f"CREATE OR REPLACE TABLE records (line BIGINT, {columns}end_state VARCHAR, reason VARCHAR)")


def _read_csv(file: Path, delimiter: str, width: int) -> Iterator[pa.Table]:
    """Read a CSV file in batches; empty lines are no records.

    Raises:
        InputError: A quotation mark is not closed, or a value is longer than the limit of Python's csv.
    """
    try:
        with file.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
            reader = csv.reader(stream, delimiter=delimiter, strict=True)
            next(reader, None)
            numbered = _number_lines(reader)
            while batch := list(islice(numbered, BATCH)):
                yield _build_batch(batch, width)
    except csv.Error as error:
        raise InputError(f"{file}:{reader.line_num}: cannot be read: {error}") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None


def _number_lines(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Number records by the line in which they begin, the header being the first."""
    line = reader.line_num + 1
    for values in reader:
        if values:
            yield line, values
        line = reader.line_num + 1


def _build_batch(batch: list[tuple[int, list[str]]], width: int) -> pa.Table:
    """Build records; one of another length than the header's keeps its first values, and is rejected."""
    lines, rows = zip(*batch, strict=True)
    reasons: list[str | None] = [None] * len(batch)
    if any(len(values) != width for values in rows):
        reasons = [
            None if len(values) == width else RowReason.WRONG_LENGTH.with_detail(found=len(values), expected=width)
            for values in rows
        ]
        rows = tuple((values + [""] * width)[:width] for values in rows)
    texts = {f"c{place}": pa.array(column, pa.string()) for place, column in enumerate(zip(*rows, strict=True))}
    states = pa.nulls(len(batch), pa.string())
    return pa.table(
        {"line": pa.array(lines, pa.int64()), **texts, "end_state": states, "reason": pa.array(reasons, pa.string())}
    )
