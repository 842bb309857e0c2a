"""The totals of a dataset, compared with its rows: a row that is lost, doubled or exchanged changes a total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from pydantic import Field

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.models import StrictModel, validate_model
from everwhen.validate.database import Resources, find_files, open_dataset
from everwhen.validate.manifest import read_json
from everwhen.validate.plan import Name

TOTALS = "totals.json"


class Total(StrictModel):
    """The total of one part of a table."""

    rows: int
    ids: str | None = Field(default=None, pattern=r"^-?[0-9]+$")
    """The sum of its ids, as a text: it may have more digits than numbers in JSON keep."""


class TableTotals(StrictModel):
    """The totals of one table."""

    by: Name | None
    """The column whose values are the parts; None: the only part is all rows, and has no name."""
    of: Name | None
    """The column of the ids that are added up; None where rows are counted alone."""
    parts: dict[str, Total]


class Totals(StrictModel):
    """The content of `totals.json`."""

    tables: dict[str, TableTotals]


@dataclass(frozen=True)
class WrongTotal:
    """A part of a table whose rows are others than the stages made.

    Attributes:
        table: The table, such as `facts/statements`.
        part: The part, such as `property 569`; empty for the whole table.
        made: How many rows the stages made.
        rows: How many rows the table has.
        missing: The id of the one row that is missing, such as `subject 42`; None where it is not one row, or unknown.
    """

    table: str
    part: str
    made: int
    rows: int
    missing: str | None

    def __str__(self) -> str:
        """One line."""
        place = ", ".join(filter(None, (self.table, self.part)))
        if self.made > self.rows:
            named = f", of {self.missing}" if self.missing else ""
            return f"{place}: {count_noun(self.made - self.rows, 'row')} lost{named}"
        if self.made < self.rows:
            return f"{place}: {count_noun(self.rows - self.made, 'row')} too many"
        return f"{place}: {count_noun(self.rows, 'row')}, but not those that were made"


def find_wrong_totals(
    dataset: str | Path, manifest: Mapping[str, Any], families: Sequence[str], resources: Resources = Resources()
) -> tuple[WrongTotal, ...]:
    """Find the parts of tables whose rows do not add up to the totals of a dataset.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest. A dataset that was published without totals has none to compare.
        families: The families whose tables are compared, beside the facts.
        resources: Memory and threads of DuckDB.

    Returns:
        The parts, in order.

    Raises:
        InputError: The totals are damaged, or a table cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    path = Path(dataset) / TOTALS
    if TOTALS not in manifest.get("files", {}) or not path.is_file():
        return ()
    totals = validate_model(Totals, {"tables": read_json(path)}, path).tables
    names = [name for name in sorted({*totals, *manifest["tables"]}) if name.partition("/")[0] in (*families, "facts")]
    views = {
        name: f"table_{number}" for number, name in enumerate(names) if manifest["tables"].get(name, {}).get("files")
    }
    files = {view: find_files(dataset, manifest, name) for name, view in views.items()}
    wrong: list[WrongTotal] = []
    with open_dataset(dataset, files, resources) as db:
        for name in names:
            made = totals.get(name, TableTotals(by=None, of=None, parts={}))
            found = _total_table(db, views[name], made, f"{path}: damaged: {name}") if name in views else {}
            wrong += _compare_parts(name, made, found)
    return tuple(wrong)


def _total_table(
    db: duckdb.DuckDBPyConnection, view: str, made: TableTotals, source: str
) -> dict[str, tuple[int, int]]:
    """Total the rows of a table: by part, the number of rows and the sum of their ids."""
    part = f'"{made.by}"::VARCHAR' if made.by else "''"
    ids = f'coalesce(sum("{made.of}"::HUGEINT), 0)' if made.of else "0"
    try:
        found = db.execute(f"SELECT {part}, count(*), {ids} FROM {view} GROUP BY 1").fetchall()
    except (duckdb.BinderException, duckdb.ConversionException):
        raise InputError(f"{source} has no column {made.by or made.of}, or {made.of} has no numbers") from None
    return {str(name): (rows, int(total)) for name, rows, total in found}


def _compare_parts(table: str, made: TableTotals, found: Mapping[str, tuple[int, int]]) -> Iterator[WrongTotal]:
    for part in sorted({*made.parts, *found}):
        known = made.parts.get(part, Total(rows=0))
        rows, ids = found.get(part, (0, 0))
        lost = int(known.ids or 0) - ids if made.of else 0
        if known.rows != rows or lost:
            missing = f"{made.of} {lost}" if made.of and known.rows == rows + 1 else None
            yield WrongTotal(table, f"{made.by} {part}" if made.by else "", known.rows, rows, missing)
