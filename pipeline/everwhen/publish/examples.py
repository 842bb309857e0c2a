"""Some items of a dataset, to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from everwhen.families.family_build import Items

SHOWN = 5


def read_item(folder: Path, items: Items, item_id: int | str) -> dict[str, Any]:
    """Read one item with all its columns, in the order of the file.

    Args:
        folder: The folder of the table, on a local disk.
        items: What identifies an item.
        item_id: Its id.
    """
    with duckdb.connect() as db:
        table = db.read_parquet([str(path) for path in sorted(folder.glob("*.parquet"))])
        found = table.filter(duckdb.ColumnExpression(items.id).isin(duckdb.ConstantExpression(item_id)))
        (row,) = found.limit(1).fetchall()
        return dict(zip(found.columns, row, strict=True))


def sample_items(folder: Path, items: Items) -> list[dict[str, Any]]:
    """Sample five items of different types; where fewer types have items to show first, several of one type.

    Args:
        folder: The folder of the table, on a local disk.
        items: What identifies and shows an item; those that `items.prefer` chooses come first.

    Returns:
        The id and the columns to show, by the first of these; nothing of an empty table. Ids are hashes: the least of
        them are chosen.
    """
    kind = items.show[0]
    with duckdb.connect() as db:
        table = db.read_parquet([str(path) for path in sorted(folder.glob("*.parquet"))])
        least = table.aggregate(f"{kind}, NOT ({items.prefer}) AS plain, min({items.id}, {SHOWN}) AS ids").fetchall()
        order = sorted((plain, turn, item) for _, plain, ids in least for turn, item in enumerate(ids))
        chosen = [item for _, _, item in order[:SHOWN]]
        if not chosen:
            return []
        found = table.filter(duckdb.ColumnExpression(items.id).isin(*map(duckdb.ConstantExpression, chosen)))
        rows = found.project(", ".join([items.id, *items.show])).order(f"{kind}, {items.id}")
        return [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]
