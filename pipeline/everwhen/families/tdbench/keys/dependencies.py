"""Which dependencies hold in a table that is open in DuckDB, and which keys contradict them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from everwhen.families.tdbench.queries import are_known, pick_values, write_query
from everwhen.families.tdbench.source.open_table import OpenTable

Key = tuple[str, ...]

MAX_GIVEN_COLUMNS = 3
"""Columns on the left side of a dependency that is looked for."""

SAMPLE = 20_000
"""Rows on which a dependency is tried first: what they contradict, the table does."""

MAX_SEARCHED_ROWS = 200_000
"""Rows of a table in which dependencies are looked for without being asked for."""


@dataclass(frozen=True)
class FoundTfd:
    """A temporal functional dependency that holds.

    Attributes:
        given: The columns that determine.
        determined: The column that they determine.
        keys: How many keys there are.
        most_rows: Rows of the key that has most; of 1, the dependency says nothing.
    """

    given: tuple[str, ...]
    determined: str
    keys: int
    most_rows: int


def find_broken_keys(table: OpenTable, given: Sequence[str], determines: Sequence[str]) -> list[Key]:
    """Find the keys that contradict a dependency: two rows of different values surely share more than a handover day.

    Returns:
        The keys, sorted.
    """
    return list_keys(table, f"{select_broken_keys(given, determines)} ORDER BY key")


def list_keys(table: OpenTable, query: str) -> list[Key]:
    """List the keys that a query finds."""
    return [tuple(key) for (key,) in table.db.execute(query).fetchall()]


def select_broken_keys(given: Sequence[str], determines: Sequence[str]) -> str:
    """Write the query of the keys that `find_broken_keys` finds."""
    marked = write_query("keys/broken", table="spans", given=given, determined=[determines])
    return f"SELECT DISTINCT key FROM ({marked}) WHERE broken_0"


def find_unclear_keys(table: OpenTable, given: Sequence[str], determines: Sequence[str]) -> list[Key]:
    """Find the keys that may contradict a dependency, dates being coarse, and do not surely; sorted."""
    sure = set(find_broken_keys(table, given, determines))
    found = list_keys(table, write_query("keys/unclear", given=given, determines=determines))
    return [key for key in found if key not in sure]


def count_keys(table: OpenTable, given: Sequence[str]) -> int:
    """Count the keys."""
    return table.count(f"SELECT count(DISTINCT {pick_values(given)}) FROM rows")


def find_contradictions(table: OpenTable, given: Sequence[str], determines: Sequence[str]) -> list[Key]:
    """Find the keys that contradict a dependency that holds without regard to time, sorted."""
    query = f"""
        SELECT {pick_values(given)} AS key FROM rows WHERE {are_known((*given, *determines))}
        GROUP BY key HAVING count(DISTINCT {pick_values(determines)}) > 1 ORDER BY key"""
    return list_keys(table, query)


def list_column_sets(columns: Sequence[str], most_given: int = MAX_GIVEN_COLUMNS) -> list[tuple[str, ...]]:
    """List the sets of columns that may determine others, the small ones first."""
    return [each for size in range(1, most_given + 1) for each in combinations(columns, size)]


def find_tfds(table: OpenTable, begin: Callable[[str], None] = lambda step: None) -> list[FoundTfd]:
    """Find the minimal dependencies that hold: without one of the given columns, none of them would.

    Args:
        table: The table.
        begin: Called with each step that begins (`list_column_sets` says how many there are).

    Returns:
        By number of given columns, then in the order of the table's columns; those in which every key has one row are
        left out.
    """
    columns = table.declaration.columns
    table.db.execute(
        f"CREATE OR REPLACE TEMP TABLE sample AS SELECT * FROM spans ORDER BY hash(line), line LIMIT {SAMPLE}"
    )
    parts = max(1, table.count("SELECT count(*) FROM rows") // SAMPLE)
    found: list[FoundTfd] = []
    for given in list_column_sets(columns):
        begin(f"{table.declaration.name}: what {', '.join(given)} determine{'s' if len(given) == 1 else ''}")
        wanted = _list_unimplied(columns, given, found)
        # Some rows of all keys, then all rows of some keys, then all: most dependencies fail at once.
        some_keys = f"(SELECT * FROM spans WHERE hash({pick_values(given)}) % {parts} = 0)"
        for name in ("sample", some_keys, "spans"):
            wanted = _keep_unbroken(table, name, given, wanted)
        if wanted:
            keys, most = table.db.execute(
                f"SELECT count(*), coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM rows WHERE {are_known(given)}"
                f" GROUP BY {pick_values(given)})"
            ).fetchall()[0]
            found += [FoundTfd(given, column, keys, most) for column in wanted]
    return [tfd for tfd in found if tfd.most_rows > 1]


def _list_unimplied(columns: Sequence[str], given: Sequence[str], found: Sequence[FoundTfd]) -> list[str]:
    """List the columns of which no dependency that is found says that those given determine them."""
    implied = {tfd.determined for tfd in found if set(tfd.given) <= set(given)} | set(given)
    return [column for column in columns if column not in implied]


def _keep_unbroken(table: OpenTable, name: str, given: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Keep the columns that those given determine in the rows of a table."""
    if not wanted:
        return []
    flags = ", ".join(f"coalesce(bool_or(broken_{place}), false)" for place in range(len(wanted)))
    marked = write_query("keys/broken", table=name, given=given, determined=[[column] for column in wanted])
    (broken,) = table.db.execute(f"SELECT {flags} FROM ({marked})").fetchall()
    return [column for column, is_broken in zip(wanted, broken, strict=True) if not is_broken]
