"""The rows of a broken key that are in conflict: of different values, at one time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from everwhen.families.tdbench.keys.dependencies import Key
from everwhen.families.tdbench.queries import pick_values
from everwhen.families.tdbench.source.open_table import OpenTable

Record = dict[str, Any]


def list_conflicts(
    table: OpenTable, given: Sequence[str], determines: Sequence[str], keys: Sequence[Key]
) -> list[tuple[Key, list[Record]]]:
    """List the rows of broken keys that are in conflict, by their starts.

    One query reads the rows of all keys: there can be thousands, and each would read the whole table.

    Returns:
        Of each key its rows with line, fields, stated_start, stated_end and conflicts_with: the line of a row of
        another value that surely holds on one of its days.
    """
    wanted = pa.table({"key": pa.array([list(key) for key in keys], pa.list_(pa.string()))})
    table.db.register("wanted", wanted)
    found = table.db.execute(
        f"""SELECT w.key, r.line, r.fields, r.stated_start, r.stated_end, {pick_values(determines)} AS value,
            r.first, r.last
        FROM spans r JOIN wanted w ON {pick_values(given)} = w.key
        ORDER BY r.earliest_start, r.line"""
    )
    names = [column[0] for column in found.description or ()]
    rows: dict[Key, list[Record]] = {key: [] for key in keys}
    for values in found.fetchall():
        record = dict(zip(names, values, strict=True))
        rows[tuple(record.pop("key"))].append(record)
    table.db.unregister("wanted")
    return [(key, keep_conflicting(records)) for key, records in rows.items()]


def keep_conflicting(rows: Iterable[Record]) -> list[Record]:
    """Keep the rows that share a day with one of another value, in their order.

    Of the rows that start before, the longest of another value decides; of those that start later, the next one.

    Args:
        rows: Records with line, value, first (the day from which they surely hold) and last (that on which they end).
    """
    partner = _find_partners(row for row in rows if row["first"] < row["last"])
    shown = ("line", "fields", "stated_start", "stated_end")
    return [
        {**{name: row[name] for name in shown}, "conflicts_with": partner[row["line"]]}
        for row in rows
        if row["line"] in partner
    ]


def _find_partners(rows: Iterable[Record]) -> dict[int, int]:
    """Find, by its line, for each row that shares a day with one of another value the line of such a row."""
    sure = sorted(rows, key=lambda row: (row["first"], row["line"]))
    partner: dict[int, int] = {}
    longest: list[Record] = []  # the best of two values
    for row in sure:
        other = _find_other(longest, row)
        if other is not None and other["last"] > row["first"]:
            partner[row["line"]] = other["line"]
        longest = _keep_best([row, *longest], key=lambda each: each["last"])
    following: list[Record] = []
    for row in reversed(sure):
        other = _find_other(following, row)
        if other is not None and other["first"] < row["last"]:
            partner.setdefault(row["line"], other["line"])
        following = _keep_best([row, *following], key=lambda each: -each["first"].toordinal())
    return partner


def _find_other(rows: Sequence[Record], row: Record) -> Record | None:
    """Find the first row of another value."""
    return next((each for each in rows if each["value"] != row["value"]), None)


def _keep_best(rows: list[Record], key: Any) -> list[Record]:
    """Keep the best row of each of the best two values, the best first."""
    best: dict[Any, Record] = {}
    for row in sorted(rows, key=key, reverse=True):
        best.setdefault(tuple(row["value"]), row)
    return list(best.values())[:2]
