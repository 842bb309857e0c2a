"""Row profiles: the rows of a table grouped by the columns of a suite, each group with its number of rows.

Great Expectations queries a table for each number that it wants, and groups complete rows to find repeated values.
A hundred million rows would take it minutes and gigabytes. Here DuckDB reads the table once and groups rows that are
equal in every column of the suite. An expectation that every profile meets is met by every row. Repeated values are
counted exactly: hashes are grouped, and only rows with equal hashes are compared in full.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pandas as pd

from everwhen.validate.database import list_rows, translate_error
from everwhen.validate.suites import Suite

ROWS_SHOWN = 10

REPEATED_HASHES = "SELECT h FROM (SELECT hash({key}) AS h FROM {table}) GROUP BY h HAVING count(*) > 1"

REPEATED_VALUES = """
SELECT {key} AS value, count(*) AS rows, min({id}) AS one, max({id}) AS other
FROM {table} WHERE hash({key}) IN (SELECT h FROM repeated) GROUP BY 1 HAVING count(*) > 1
"""


class RowProfiles:
    """The row profiles of a table, by the columns of one suite."""

    def __init__(
        self, db: duckdb.DuckDBPyConnection, table: str, suite: Suite, parameters: Mapping[str, dt.date] | None = None
    ) -> None:
        """Read the table.

        Args:
            db: A connection that has the table.
            table: Its name.
            suite: Its suite.
            parameters: Days for `$name` in the suite's columns.

        Raises:
            InputError: A column of the suite cannot be computed.
        """
        self._db, self._table, self._suite = db, table, suite
        try:
            self._columns = self._fill_parameters(parameters or {})
            columns = ", ".join(f'{sql} AS "{name}"' for name, sql in self._columns.items())
            self.rows: pd.DataFrame = db.execute(
                f"SELECT {columns}, count(*) AS rows FROM {table} GROUP BY ALL ORDER BY ALL"
            ).df()
            """One row for each profile: the suite's columns, and `rows`, how many rows have these values."""
            for name, key in suite.unique.items():
                self.rows[name] = self._count_repeated(key)
        except duckdb.Error as error:
            raise translate_error(f"suite {suite.name}", error) from None

    def _fill_parameters(self, parameters: Mapping[str, dt.date]) -> dict[str, str]:
        """Fill the parameters into the columns' SQL; a condition that is null counts as false."""
        columns = dict(self._suite.columns)
        for name, day in parameters.items():
            columns = {column: sql.replace(f"${name}", f"DATE '{day}'") for column, sql in columns.items()}
        listed = ", ".join(f'{sql} AS "{column}"' for column, sql in columns.items())
        types = self._db.execute(f"DESCRIBE SELECT {listed} FROM {self._table}").fetchall()
        return {
            column: f"coalesce({sql}, false)" if type_ == "BOOLEAN" else sql
            for (column, sql), (_, type_, *_) in zip(columns.items(), types, strict=True)
        }

    def _count_repeated(self, key: str) -> int:
        """Count the values that occur in several rows."""
        self._db.execute(
            f"CREATE OR REPLACE TEMP TABLE repeated AS {REPEATED_HASHES.format(key=key, table=self._table)}"
        )
        if not self._db.table("repeated").limit(1).fetchall():
            return 0
        return int(self._db.execute(f"SELECT count(*) FROM ({self._select_repeated(key)})").fetchall()[0][0])

    def _select_repeated(self, key: str) -> str:
        return REPEATED_VALUES.format(key=key, table=self._table, id=self._suite.id)

    def count_rows(self, column: str, profiles: Sequence[int]) -> int:
        """Count the rows of some profiles; of a unique column, count the repeated values instead."""
        if column in self._suite.unique:
            return int(self.rows[column].max())
        return int(self.rows.loc[list(profiles), "rows"].sum())

    def show_rows(self, column: str, profiles: Sequence[int]) -> tuple[dict[str, Any], ...]:
        """Show up to ten rows of some profiles, as they are in the table, the wrong value first.

        Args:
            column: The column that is wrong.
            profiles: Positions of the profiles in `rows`.
        """
        if column in self._suite.unique:
            key = self._suite.unique[column]
            self._count_repeated(key)
            rows = self._db.execute(f"SELECT * FROM ({self._select_repeated(key)}) ORDER BY one LIMIT {ROWS_SHOWN}")
        else:
            self._db.register("wrong", self.rows.loc[list(profiles), [column]].drop_duplicates())
            sql = self._columns[column]
            rows = self._db.execute(
                f'SELECT {sql} AS "{column}", t.* FROM {self._table} t WHERE {sql} IN (SELECT "{column}" FROM wrong) '
                f"ORDER BY {self._suite.id} LIMIT {ROWS_SHOWN}"
            )
        return tuple(list_rows(rows))
