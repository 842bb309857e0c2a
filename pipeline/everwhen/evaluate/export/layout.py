"""Rows in the layout of a release, as a family declares it in SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.export.origin import CANARY
from everwhen.evaluate.gold import open_items
from everwhen.validate.database import translate_error


def iter_layout(
    dataset: str | Path, manifest: Mapping[str, Any], family: str, sql: str, selection: Selection
) -> Iterator[dict[str, Any]]:
    """Iterate over items in a layout, then the canary GUID; they are not all held in memory.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        family: Name of the family.
        sql: One of `Evaluation.layouts`.
        selection: Which items; `limit` is not read.

    Raises:
        InputError: The dataset cannot be read, or there is no such split, set or id.
        MachineFailed: Memory or disk does not suffice.
    """
    with open_items(
        dataset, manifest, family, ids=selection.ids, split=selection.split, item_set=selection.item_set
    ) as db:
        try:
            for batch in db.sql(sql).to_arrow_reader(10_000):
                for row in batch.to_pylist():
                    yield {**row, "canary": CANARY}
        except duckdb.Error as error:
            raise translate_error(f"{family}: layout", error) from None
