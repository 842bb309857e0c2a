"""Values of a column that differ in case, accents, blanks and punctuation alone: perhaps one thing in two spellings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from everwhen.evaluate.answers.names import fold
from everwhen.families.tdbench.source.open_table import OpenTable


@dataclass(frozen=True)
class NearDuplicates:
    """Values of one column that read as the same.

    Attributes:
        column: The column.
        values: The values, each with its number of rows, the most frequent first.
    """

    column: str
    values: tuple[tuple[str, int], ...]


def find_near_duplicates(table: OpenTable) -> list[NearDuplicates]:
    """Find the values of the columns that questions name or ask for which read as another value, by column."""
    found = []
    for column in table.declaration.used_columns:
        same: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
        query = "SELECT fields[?] AS value, count(*) AS n FROM rows GROUP BY value ORDER BY n DESC, value"
        for value, count in table.db.execute(query, [column]).fetchall():
            if value is not None and (tokens := fold(value)):
                same[tokens].append((value, count))
        found += [NearDuplicates(column, tuple(values)) for values in same.values() if len(values) > 1]
    return found


def find_absent_words(table: OpenTable) -> list[tuple[str, str]]:
    """Find the columns and values for which `words.values` has words, and which no row has."""
    absent = []
    for column, words in table.declaration.words.values.items():
        known = set(table.db.execute("SELECT DISTINCT fields[?] FROM rows", [column]).fetchall())
        absent += [(column, value) for value in words if (value,) not in known]
    return absent
