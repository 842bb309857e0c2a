"""What is exported: the items of a selection. Those of private tables are left out unless these are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from everwhen.core.errors import InputError
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.export.origin import CANARY, Origin, describe_origin
from everwhen.evaluate.gold import open_items, read_gold, select_rows
from everwhen.evaluate.items import Gold
from everwhen.evaluate.prompts import Prompts
from everwhen.validate.database import translate_error
from everwhen.validate.manifest import load_manifest

ALL_SOURCES = 'SELECT "{key}" AS item_id, unnest($names::VARCHAR[]) AS source FROM items'
"""Where a family does not say which items are of which table, each is of all."""

CLOSED = """SELECT item_id, list(DISTINCT source ORDER BY source) FILTER (NOT list_contains($open::VARCHAR[], source))
FROM ({sources}) GROUP BY item_id ORDER BY item_id"""

NAMES = "SELECT DISTINCT source FROM ({sources}) ORDER BY source"

SHOTS = 16
"""Few-shot examples of each type, at most."""

LEAST_HASHES = """
WITH described AS ({shots}),
hashed AS (SELECT type, item_id, md5('export' || item_id) AS hash FROM described)
SELECT unnest(arg_min(item_id, hash, {count})) AS item_id FROM hashed GROUP BY type
"""


class Source:
    """Items of a family that are exported, and the licences of its tables.

    Attributes:
        selection: The items that may be exported.
        left_out: How many items were left out, by private table; an item of two tables is counted for both.
    """

    def __init__(self, dataset: str | Path, family: str, evaluation: Evaluation, selection: Selection) -> None:
        """Leave out the items of private tables that the selection does not name.

        The licences are those of the manifest; a family without `licences` is in the public domain.

        Raises:
            InputError: The selection names a private table that is not there or has a licence; or as of `open_items`.
        """
        self.dataset, self.family, self.evaluation = dataset, family, evaluation
        self._manifest = load_manifest(dataset)
        self._entry = self._manifest["families"][family]
        self._licences: Mapping[str, str | None] = self._entry.get("licences", {})
        self._sources = evaluation.sources or ALL_SOURCES.format(key=self._entry["id"])
        known = [name for name, licence in self._licences.items() if licence is None]
        for name in selection.private:
            if name not in known:
                there_are = ", ".join(known) or "none"
                raise InputError(f"--private {name}: no private table of {family}; there are {there_are}")
        self._open = [name for name in self._licences if name not in known or name in selection.private]
        self.selection, self.left_out = self._keep_open(selection)

    def read_gold(self) -> Gold:
        """Read the items."""
        return read_gold(self.dataset, self.family, self.evaluation, **self.selection.chosen)

    def iter_layout(self, sql: str) -> Iterator[dict[str, Any]]:
        """Iterate over the items in a layout (`Evaluation.layouts`), not all held in memory; then the canary GUID."""
        with open_items(self.dataset, self.family, **self.selection.chosen) as db:
            try:
                for batch in db.sql(sql).to_arrow_reader(10_000):
                    for row in batch.to_pylist():
                        yield {**row, "canary": CANARY}
            except duckdb.Error as error:
                raise translate_error(f"{self.family}: layout", error) from None

    def select_examples(self, prompts: Prompts) -> list[int]:
        """Select the few-shot examples: of each type the items of train with the least hashes, if there is train."""
        if "train" not in self._entry["counts"].get("split", {}):
            return []
        open_, _ = self._keep_open(Selection(split="train"))
        sql = LEAST_HASHES.format(shots=prompts.shots, count=SHOTS)
        return sorted(item for (item,) in select_rows(self.dataset, self.family, sql, **open_.chosen))

    def describe(self, items: int, examples: Collection[int] = ()) -> Origin:
        """Describe what was exported: so many items, and the few-shot examples with these ids beside them.

        Raises:
            InputError: There are no items.
        """
        if not items and self.left_out:
            raise InputError(
                f"{self.dataset}: every selected item is of a private table ({', '.join(self.left_out)}), so nothing is"
                " exported; --private TABLE exports those of TABLE"
            )
        if not items:
            raise InputError(f"{self.dataset}: no item of {self.family} is selected, so nothing is exported")
        used = [self.selection, *([Selection(ids=examples)] if examples else [])]
        found = [name for each in used if self._licences for (name,) in self._query(NAMES, each, {})]
        licences = {name: self._licences.get(name) for name in found}
        return describe_origin(
            self._manifest, self.family, self.selection, items=items, licences=licences, left_out=self.left_out
        )

    def _keep_open(self, selection: Selection) -> tuple[Selection, Mapping[str, int]]:
        """Leave out the items of closed tables; return how many there are by table, too."""
        if not self._licences:
            return selection, {}
        found = self._query(CLOSED, selection, {"open": self._open})
        if not any(closed for _, closed in found):
            return selection, {}
        counts = Counter(name for _, closed in found for name in closed or ())
        return replace(selection, ids=[int(item) for item, closed in found if not closed]), dict(sorted(counts.items()))

    def _query(self, sql: str, selection: Selection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        if "$names" in self._sources:
            values = {**values, "names": list(self._licences)}
        with open_items(self.dataset, self.family, **selection.chosen) as db:
            try:
                return db.execute(sql.format(sources=self._sources), values or None).fetchall()
            except duckdb.Error as error:
                raise translate_error(f"{self.family}: sources", error) from None
