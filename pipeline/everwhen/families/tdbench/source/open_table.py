"""A declared table opened in DuckDB: its rows, and what was rejected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.queries import write_query
from everwhen.families.tdbench.source.load import report_error
from everwhen.families.tdbench.source.reading import read_records
from everwhen.families.tdbench.source.reasons import RowReason
from everwhen.families.tdbench.source.records import load_arrow, load_records


@dataclass(frozen=True)
class OpenTable:
    """A declared table in DuckDB.

    Attributes:
        declaration: The declaration.
        db: Has the tables `rows` (line, and the columns of ROWS but row_id) and `rejects` (line, reason, text, fields),
            and the view `spans`: the rows with the days on which they surely hold.
        input_count: How many records were read: the rows and the rejects together.
    """

    declaration: Declaration
    db: duckdb.DuckDBPyConnection
    input_count: int

    def count(self, query: str) -> int:
        """Count by a query of one number."""
        return int(self.db.execute(query).fetchall()[0][0])

    def fetch(self, name: str, **values: Any) -> list[tuple[Any, ...]]:
        """Fetch what a query in a file finds (`write_query`)."""
        return self.db.execute(write_query(name, **values)).fetchall()


@contextmanager
def open_table(declaration: Declaration, arrow: pa.Table | None = None) -> Iterator[OpenTable]:
    """Open the table of a declaration.

    Args:
        declaration: The declaration.
        arrow: The records, where they are of our world (`everwhen.families.tdbench.source.world`).

    Yields:
        The table; its database is closed afterwards.

    Raises:
        InputError: The source cannot be read, or has no rows; most records end before they start; ends are open, and
            the declaration has no as_of.
    """
    with duckdb.connect() as db:
        if arrow is None:
            header = load_records(db, declaration)
        else:
            load_arrow(db, arrow)
            header = (*declaration.columns, *declaration.time.columns)
        read_records(db, declaration, header)
        table = OpenTable(declaration, db, db.execute("SELECT count(*) FROM records").fetchall()[0][0])
        _check_order(table)
        _check_ends(table)
        if arrow is None:
            _check_rows(table)
        yield table


def _check_rows(table: OpenTable) -> None:
    """Require rows."""
    if table.count("SELECT count(*) FROM rows"):
        return
    first = table.db.execute("SELECT line, reason FROM rejects ORDER BY line LIMIT 1").fetchall()
    why = f"all {table.input_count} are rejected; line {first[0][0]}: {first[0][1]}" if first else "the table is empty"
    raise report_error(table.declaration, ("from",), f"no rows: {why}")


def _check_order(table: OpenTable) -> None:
    """Require that most records with a start begin before they end."""
    query = "SELECT count(*), min(line) FROM rejects WHERE reason = ?"
    (wrong, line), (without, _) = (
        table.db.execute(query, [str(reason)]).fetchall()[0]
        for reason in (RowReason.END_BEFORE_START, RowReason.NO_START)
    )
    dated = table.input_count - without
    if wrong >= 2 and 2 * wrong > dated:
        reason = f"{wrong} of {dated} records end before they start, such as line {line}; start and end may be swapped"
        raise report_error(table.declaration, ("time",), reason)


def _check_ends(table: OpenTable) -> None:
    """Require as_of where an end is open."""
    if table.declaration.time.as_of is not None or table.declaration.time.end is None:
        return
    ((count, line),) = table.db.execute("SELECT count(*), min(line) FROM rows WHERE latest_end IS NULL").fetchall()
    if count:
        reason = (
            f"as_of is missing: {count} rows have no end, such as line {line}; name the last day of which the table"
            " knows, or set empty_end to unknown or next"
        )
        raise report_error(table.declaration, ("time",), reason)
