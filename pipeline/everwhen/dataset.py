"""A published dataset, opened to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.validate.database import find_files, locate
from everwhen.validate.manifest import load_manifest


class Dataset:
    """A dataset folder: its manifest, and its tables as DuckDB relations.

    A relation reads what is asked of it and no more: `.filter("type = '2ac'").limit(5).df()`.

    Attributes:
        path: Its folder.
        manifest: The content of manifest.json.
    """

    def __init__(self, path: str | Path) -> None:
        """Open a dataset.

        Raises:
            InputError: There is no finished dataset in the folder.
        """
        self.path = Path(path)
        self.manifest: dict[str, Any] = load_manifest(path)
        self._db = duckdb.connect(":memory:")

    def __repr__(self) -> str:
        """The folder, its families and their rows."""
        rows = ", ".join(f"{name}: {entry['rows']:,} rows" for name, entry in self.manifest["families"].items())
        return f"Dataset({str(self.path)!r}, {rows})"

    @property
    def families(self) -> tuple[str, ...]:
        """The families in it."""
        return tuple(self.manifest["families"])

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables in it, such as "complextempqa/questions" and "facts/statements"."""
        return tuple(self.manifest["tables"])

    def table(self, name: str) -> duckdb.DuckDBPyRelation:
        """Open a table.

        Raises:
            InputError: The dataset has no such table, or one of its files is missing.
        """
        files = find_files(self.path, self.manifest, name)
        return self._db.read_parquet([locate(file) for file in files])

    def items(self, family: str, split: str | None = None) -> duckdb.DuckDBPyRelation:
        """Open the items of a family.

        Args:
            family: Its name.
            split: Only the items of this split, of a family that has splits.

        Raises:
            InputError: The dataset has no such family, or the family no such split.
        """
        if family not in self.manifest["families"]:
            raise InputError(f"{self.path}: no family {family}; there are {', '.join(self.families)}")
        items = self.table(self.manifest["families"][family]["items"])
        if split is None:
            return items
        splits = self.manifest["families"][family]["counts"].get("split", {})
        if split not in splits:
            raise InputError(f"{self.path}: {family} has no split {split}; it has {', '.join(splits) or 'none'}")
        return items.filter(duckdb.ColumnExpression("split") == duckdb.ConstantExpression(split))
