"""Which keys are incomplete: a rejected record may belong to them, so that nobody knows all their rows; in DuckDB.

A value of a rejected record that is not known may be any. Of our world it may not: an item without a name of its own is
another item than those that have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from everwhen.core.sql import render_literal
from everwhen.families.tdbench.keys.dependencies_duckdb import Key, pick_values
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.source.open_table import OpenTable
from everwhen.families.tdbench.source.reasons import WITHOUT_LOSS


@dataclass(frozen=True)
class IncompleteKey:
    """A key that a rejected record may belong to.

    Attributes:
        key: Its values.
        record: The first such record, with its file and line, and why it is rejected.
        is_sure: Whether the record surely belongs to it, all values of the key being known.
    """

    key: Key
    record: str
    is_sure: bool


def find_incomplete_keys(table: OpenTable, columns: Sequence[str]) -> list[IncompleteKey]:
    """Find the keys to which a rejected record may belong; none where the declaration says `rejected: row`.

    Args:
        table: The table.
        columns: The columns of the key.

    Returns:
        The keys, sorted, those of which every record is rejected among them.
    """
    query = f"SELECT * FROM ({select_incomplete_keys(table, columns)}) ORDER BY key"
    return [IncompleteKey(tuple(key), record, is_sure) for key, record, is_sure in table.db.execute(query).fetchall()]


def select_incomplete_keys(table: OpenTable, columns: Sequence[str]) -> str:
    """Write the query of the keys to which a rejected record may belong, with the columns of `IncompleteKey`.

    Keys and records are joined by the values that are known, of each set of known columns by itself: no key is compared
    with every record.
    """
    harmless = ", ".join(map(render_literal, WITHOUT_LOSS))
    declaration = table.declaration
    lost = f"reason NOT IN ({harmless})" if declaration.rejected == "key" else "false"
    if declaration.source.is_world:
        lost += f" AND list_count({pick_values(columns)}) = {len(columns)}"
    return f"""
        WITH lost AS (
            SELECT {pick_values(columns)} AS known, min(line) AS line, arg_min(reason, line) AS reason
            FROM rejects WHERE {lost} GROUP BY known),
        shapes AS (SELECT DISTINCT list_transform(known, lambda value: value IS NOT NULL) AS is_known FROM lost),
        keys AS (SELECT {pick_values(columns)} AS key FROM rows UNION SELECT known FROM lost),
        masked AS (
            SELECT key, list_transform(key, lambda value, place: CASE WHEN is_known[place] THEN value END) AS known
            FROM keys CROSS JOIN shapes WHERE list_count(key) = {len(columns)})
        SELECT key, {render_literal(name_place(table))} || min(line) || ': ' || arg_min(reason, line) AS record,
            bool_or(known = key) AS is_sure
        FROM masked JOIN lost USING (known) GROUP BY key"""


def name_place(table: OpenTable) -> str:
    """Name where records are, up to the number of one: file and line, or the source and the record."""
    source = table.declaration.source
    if source.file is not None:
        return f"{source.file}:"
    return f"record {source.database} " if source.database is not None else f"{table.declaration.name}, record "


def list_key_columns(name: str, scopes: Sequence[Scope]) -> Iterator[tuple[Scope, bool, tuple[str, ...]]]:
    """List by which columns scopes find rows of a declaration: those of their key, or of the event that they name.

    Args:
        name: The declaration.
        scopes: All scopes.

    Yields:
        The scope, whether the columns are those of its event, and the columns.
    """
    for scope in scopes:
        if scope.declaration == name:
            yield scope, False, scope.key
        if scope.join is not None and scope.join.other == name:
            yield scope, True, scope.join.event
