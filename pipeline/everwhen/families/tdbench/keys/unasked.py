"""Which keys of a table are not asked, and why: for `everwhen tdbench check`, in DuckDB."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from everwhen.families.tdbench.keys.dependencies_duckdb import Key, pick_values
from everwhen.families.tdbench.keys.incomplete import IncompleteKey, find_incomplete_keys
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.source.load import report_error
from everwhen.families.tdbench.source.open_table import OpenTable


@dataclass(frozen=True)
class UnaskedKeys:
    """The keys of some columns that are not asked; those that contradict their dependency are listed by themselves.

    Attributes:
        columns: The columns of the key.
        keys: How many keys there are, those without a row among them.
        incomplete: The keys that a rejected record may belong to.
        ambiguous: Keys that read as one another, in the declared words and in any capitals.
    """

    columns: tuple[str, ...]
    keys: int
    incomplete: tuple[IncompleteKey, ...]
    ambiguous: tuple[tuple[Key, ...], ...]

    @property
    def is_all(self) -> bool:
        """Whether no key is left."""
        return self.keys > 0 and len(self.incomplete) == self.keys


def find_unasked_keys(table: OpenTable, scopes: Sequence[Scope]) -> list[UnaskedKeys]:
    """Find the keys that are not asked, by the columns of the scopes that ask the table."""
    name = table.declaration.name
    sets = dict.fromkeys(scope.key for scope in scopes if scope.declaration == name)
    return [_find_of_columns(table, columns) for columns in sets]


def require_complete_keys(table: OpenTable, scopes: Sequence[Scope]) -> None:
    """Require that a key is left to be asked, where a table is asked.

    Raises:
        InputError: A rejected record may belong to each; the message names file, line and key, and the record.
    """
    unasked = find_unasked_keys(table, scopes)
    if unasked and all(each.is_all for each in unasked):
        record = unasked[0].incomplete[0].record
        reason = f"no key is asked, as a rejected record may belong to each of them; {record}"
        raise report_error(table.declaration, ("from",), f"{reason}; mend the record, or set rejected: row")


def _find_of_columns(table: OpenTable, columns: tuple[str, ...]) -> UnaskedKeys:
    found = table.db.execute(f"SELECT DISTINCT {pick_values(columns)} AS key FROM rows ORDER BY key").fetchall()
    keys = [tuple(key) for (key,) in found]
    incomplete = tuple(find_incomplete_keys(table, columns))
    words = table.declaration.words.values
    by_reading: dict[tuple[str, ...], list[Key]] = defaultdict(list)
    for key in keys:
        worded = (words.get(column, {}).get(value, value) for column, value in zip(columns, key, strict=True))
        by_reading[tuple(word.lower() for word in worded)].append(key)
    return UnaskedKeys(
        columns,
        len({*keys, *(each.key for each in incomplete)}),
        incomplete,
        tuple(tuple(same) for same in by_reading.values() if len(same) > 1),
    )
