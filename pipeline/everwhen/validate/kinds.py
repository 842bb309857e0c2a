"""The kinds of rows of a table, which is what Great Expectations looks at.

Great Expectations asks a table for each number that it wants, and groups whole rows to tell whether a value is
repeated: minutes and gigabytes for a hundred million rows. Here DuckDB reads the table once, and rows in which all that
a suite looks at is alike become one row with their number: an expectation that holds for the kinds holds for every row.
Repetitions are counted exactly: hashes are grouped, and only rows whose hashes are alike are compared in full.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pandas as pd

from everwhen.validate.database import translate_error
from everwhen.validate.suites import Suite

ROWS_SHOWN = 10

REPEATED = "SELECT h FROM (SELECT hash({key}) AS h FROM {table}) GROUP BY h HAVING count(*) > 1"

TWICE = """
SELECT {key} AS value, count(*) AS rows, min({id}) AS one, max({id}) AS other
FROM {table} WHERE hash({key}) IN (SELECT h FROM repeated) GROUP BY 1 HAVING count(*) > 1
"""


class Kinds:
    """A table as a suite sees it."""

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
            InputError: What the suite looks at cannot be computed.
        """
        self._db, self._table, self._suite = db, table, suite
        try:
            self._columns = self._told(parameters or {})
            columns = ", ".join(f'{sql} AS "{name}"' for name, sql in self._columns.items())
            self.rows: pd.DataFrame = db.execute(
                f"SELECT {columns}, count(*) AS rows FROM {table} GROUP BY ALL ORDER BY ALL"
            ).df()
            """One row for each kind: the suite's columns, and rows, how many there are."""
            for name, key in suite.unique.items():
                self.rows[name] = self._repeated(key)
        except duckdb.Error as error:
            raise translate_error(f"suite {suite.name}", error) from None

    def _told(self, parameters: Mapping[str, dt.date]) -> dict[str, str]:
        """The columns with their parameters; a condition that cannot be told is false."""
        columns = dict(self._suite.columns)
        for name, day in parameters.items():
            columns = {column: sql.replace(f"${name}", f"DATE '{day}'") for column, sql in columns.items()}
        listed = ", ".join(f'{sql} AS "{column}"' for column, sql in columns.items())
        types = self._db.execute(f"DESCRIBE SELECT {listed} FROM {self._table}").fetchall()
        return {
            column: f"coalesce({sql}, false)" if kind == "BOOLEAN" else sql
            for (column, sql), (_, kind, *_) in zip(columns.items(), types, strict=True)
        }

    def _repeated(self, key: str) -> int:
        """How many values stand in several rows."""
        self._db.execute(f"CREATE OR REPLACE TEMP TABLE repeated AS {REPEATED.format(key=key, table=self._table)}")
        if not self._db.table("repeated").limit(1).fetchall():
            return 0
        return int(self._db.execute(f"SELECT count(*) FROM ({self._twice(key)})").fetchall()[0][0])

    def _twice(self, key: str) -> str:
        return TWICE.format(key=key, table=self._table, id=self._suite.id)

    def number(self, column: str, places: Sequence[int]) -> int:
        """How many rows are wrong where some kinds are: of what must be different, how many values are repeated."""
        if column in self._suite.unique:
            return int(self.rows[column].max())
        return int(self.rows.loc[list(places), "rows"].sum())

    def shown(self, column: str, places: Sequence[int]) -> tuple[dict[str, Any], ...]:
        """Up to ten rows of some kinds, as they stand in the table, what is wrong with them in front.

        Args:
            column: The column that is wrong.
            places: The kinds, by place.
        """
        if column in self._suite.unique:
            key = self._suite.unique[column]
            self._repeated(key)
            found = self._db.execute(f"SELECT * FROM ({self._twice(key)}) ORDER BY one LIMIT {ROWS_SHOWN}")
        else:
            self._db.register("wrong", self.rows.loc[list(places), [column]].drop_duplicates())
            sql = self._columns[column]
            found = self._db.execute(
                f'SELECT {sql} AS "{column}", t.* FROM {self._table} t WHERE {sql} IN (SELECT "{column}" FROM wrong) '
                f"ORDER BY {self._suite.id} LIMIT {ROWS_SHOWN}"
            )
        names = [c[0] for c in found.description or ()]
        return tuple(dict(zip(names, row, strict=True)) for row in found.fetchall())
