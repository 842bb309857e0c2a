"""Which dependencies hold in a table that is open in DuckDB, and which keys contradict them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from everwhen.core.sql import render_literal
from everwhen.families.tdbench.source.open_table import OpenTable

Key = tuple[str, ...]

NEVER = "DATE '9999-12-31'"
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
    query = f"{select_broken_keys(table, given, determines)} ORDER BY key"
    return [tuple(found) for (found,) in table.db.execute(query).fetchall()]


def select_broken_keys(table: OpenTable, given: Sequence[str], determines: Sequence[str]) -> str:
    """Write the query of the keys that `find_broken_keys` finds."""
    return f"SELECT DISTINCT key FROM ({_mark_broken(table, 'rows', given, [determines])}) WHERE broken_0"


def find_unclear_keys(table: OpenTable, given: Sequence[str], determines: Sequence[str]) -> list[Key]:
    """Find the keys that may contradict a dependency, dates being coarse, and do not surely.

    Two rows may if they share days in one of the readings of their dates. An end and a start that are one and the same
    stated unit are a handover.
    """
    end = "latest_end + 1" if _has_points(table) else f"coalesce(latest_end, {NEVER})"
    query = f"""
        WITH keyed AS (
            SELECT *, {pick_values(given)} AS key, {pick_values(determines)} AS value, CAST({end} AS DATE) AS last
            FROM rows WHERE {_are_known((*given, *determines))})
        SELECT DISTINCT a.key FROM keyed a JOIN keyed b ON a.key = b.key AND a.value <> b.value AND a.line < b.line
            AND greatest(a.earliest_start, b.earliest_start) < least(a.last, b.last)
        WHERE NOT coalesce(a.earliest_end = b.earliest_start AND a.end_precision = b.start_precision, false)
            AND NOT coalesce(b.earliest_end = a.earliest_start AND b.end_precision = a.start_precision, false)
        ORDER BY a.key"""
    sure = set(find_broken_keys(table, given, determines))
    return [tuple(key) for (key,) in table.db.execute(query).fetchall() if tuple(key) not in sure]


def count_keys(table: OpenTable, given: Sequence[str]) -> int:
    """Count the keys."""
    return table.count(f"SELECT count(DISTINCT {pick_values(given)}) FROM rows")


def find_contradictions(table: OpenTable, given: Sequence[str], determines: Sequence[str]) -> list[Key]:
    """Find the keys that contradict a dependency that holds without regard to time, sorted."""
    query = f"""
        SELECT {pick_values(given)} AS key FROM rows WHERE {_are_known((*given, *determines))}
        GROUP BY key HAVING count(DISTINCT {pick_values(determines)}) > 1 ORDER BY key"""
    return [tuple(key) for (key,) in table.db.execute(query).fetchall()]


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
        f"CREATE OR REPLACE TEMP TABLE sample AS SELECT * FROM rows ORDER BY hash(line), line LIMIT {SAMPLE}"
    )
    parts = max(1, table.count("SELECT count(*) FROM rows") // SAMPLE)
    found: list[FoundTfd] = []
    for given in list_column_sets(columns):
        begin(f"{table.declaration.name}: what {', '.join(given)} determine{'s' if len(given) == 1 else ''}")
        wanted = _list_unimplied(columns, given, found)
        # Some rows of all keys, then all rows of some keys, then all: most dependencies fail at once.
        some_keys = f"(SELECT * FROM rows WHERE hash({pick_values(given)}) % {parts} = 0)"
        for name in ("sample", some_keys, "rows"):
            wanted = _keep_unbroken(table, name, given, wanted)
        if wanted:
            keys, most = table.db.execute(
                f"SELECT count(*), max(n) FROM (SELECT count(*) AS n FROM rows GROUP BY {pick_values(given)})"
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
    (broken,) = table.db.execute(
        f"SELECT {flags} FROM ({_mark_broken(table, name, given, [[column] for column in wanted])})"
    ).fetchall()
    return [column for column, is_broken in zip(wanted, broken, strict=True) if not is_broken]


def _mark_broken(table: OpenTable, name: str, given: Sequence[str], determined: Sequence[Sequence[str]]) -> str:
    """Select the rows that surely hold for a day with their key, and for each of the values whether they break it.

    Of the rows that start before, the one that lasts longest is compared: where two rows share a day with a third one,
    they share it with each other.
    """
    end = write_last_day(table)
    values = ", ".join(
        f"CASE WHEN {_are_known(columns)} THEN {pick_values(columns)} END AS value_{place}"
        for place, columns in enumerate(determined)
    )
    places = range(len(determined))
    flags = ", ".join(
        f"coalesce(longest_{place}.last > first AND longest_{place}.value <> value_{place}, false) AS broken_{place}"
        for place in places
    )
    longest = ", ".join(
        f"max(CASE WHEN value_{place} IS NOT NULL THEN {{'last': last, 'value': value_{place}}} END) OVER before"
        f" AS longest_{place}"
        for place in places
    )
    return f"""
        SELECT key, {flags} FROM (SELECT *, {longest}
            FROM (SELECT {pick_values(given)} AS key, {values}, latest_start AS first, CAST({end} AS DATE) AS last
                FROM {name} WHERE {_are_known(given)})
            WHERE first < last
            WINDOW before AS (PARTITION BY key ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        )"""


def write_last_day(table: OpenTable, alias: str = "") -> str:
    """Write the day before which a row surely holds; of a point, the day after it."""
    end = f"{alias}earliest_end"
    return f"{end} + 1" if _has_points(table) else f"coalesce({end}, {NEVER})"


def _has_points(table: OpenTable) -> bool:
    return table.declaration.time.end is None


def pick_values(columns: Sequence[str]) -> str:
    """Write the values of columns as a list."""
    return f"[{', '.join(f'fields[{render_literal(column)}]' for column in columns)}]"


def _are_known(columns: Sequence[str]) -> str:
    """Write that no row is empty in columns."""
    return " AND ".join(f"fields[{render_literal(column)}] IS NOT NULL" for column in columns)
