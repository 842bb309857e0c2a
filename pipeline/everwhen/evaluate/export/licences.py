"""Which licences exported items have. Items of private tables are left out unless these are asked for by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import open_items
from everwhen.validate.database import translate_error

ALL_SOURCES = 'SELECT "{key}" AS item_id, unnest($names::VARCHAR[]) AS source FROM items'
"""Where a family does not say which items are of which table, each is of all."""

CLOSED = """SELECT item_id, list(DISTINCT source ORDER BY source) FILTER (NOT list_contains($open::VARCHAR[], source))
FROM ({sources}) GROUP BY item_id ORDER BY item_id"""

NAMES = "SELECT DISTINCT source FROM ({sources}) ORDER BY source"


@dataclass(frozen=True)
class Kept:
    """What is left of a selection.

    Attributes:
        selection: The items that may be exported.
        left_out: How many items were left out, by private table; an item of two tables is counted for both.
    """

    selection: Selection
    left_out: Mapping[str, int] = field(default_factory=dict)


class Licences:
    """The licences of a family's tables."""

    def __init__(
        self,
        dataset: str | Path,
        manifest: Mapping[str, Any],
        family: str,
        evaluation: Evaluation,
        private: Collection[str] = (),
    ) -> None:
        """Read the licences from the manifest.

        Args:
            dataset: Folder of the dataset.
            manifest: Its manifest; a family without `licences` is in the public domain.
            family: Name of the family.
            evaluation: What the family declares.
            private: The private tables that may be exported.

        Raises:
            InputError: `private` names a table that is not there or has a licence.
        """
        entry = manifest["families"][family]
        self._licences: Mapping[str, str | None] = entry.get("licences", {})
        self._source = (dataset, manifest, family)
        self._sources = evaluation.sources or ALL_SOURCES.format(key=entry["id"])
        known = [name for name, licence in self._licences.items() if licence is None]
        for name in private:
            if name not in known:
                raise InputError(
                    f"--private {name}: no private table of {family}; there are {', '.join(known) or 'none'}"
                )
        self._open = [name for name, licence in self._licences.items() if licence is not None or name in private]

    def keep_open(self, selection: Selection) -> Kept:
        """Leave out the items of private tables that were not named.

        Raises:
            InputError: As of `open_items`.
        """
        if not self._licences:
            return Kept(selection)
        found = self._query(CLOSED, selection, {"open": self._open})
        if not any(closed for _, closed in found):
            return Kept(selection)
        counts = Counter(name for _, closed in found for name in closed or ())
        ids = [int(item) for item, closed in found if not closed]
        return Kept(replace(selection, ids=ids), dict(sorted(counts.items())))

    def find_licences(self, selection: Selection) -> dict[str, str | None]:
        """Find the licences of selected items by table; empty where all is in the public domain.

        Raises:
            InputError: As of `open_items`.
        """
        if not self._licences:
            return {}
        return {name: self._licences.get(name) for (name,) in self._query(NAMES, selection, {})}

    def _query(self, sql: str, selection: Selection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        dataset, manifest, family = self._source
        if "$names" in self._sources:
            values = {**values, "names": list(self._licences)}
        chosen: dict[str, Any] = {"ids": selection.ids, "split": selection.split, "item_set": selection.item_set}
        with open_items(dataset, manifest, family, **chosen) as db:
            try:
                return db.execute(sql.format(sources=self._sources), values or None).fetchall()
            except duckdb.Error as error:
                raise translate_error(f"{family}: sources", error) from None
