"""What is measured and shown of a dataset's tables: totals, bytes of columns, some items to read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.table import Table
from everwhen.families.family_build import Items

EXACT = "decimal(38,0)"


def render_totals(build: Build, published: Mapping[str, Table]) -> str:
    """Render `totals.json`, from the tables that the stages of a build have written, and not from their copies.

    Args:
        published: The tables of the dataset, by their folder in it.
    """
    counted = [_total_table(build.read(table), folder, table) for folder, table in published.items()]
    totals: dict[str, dict[str, Any]] = {
        folder: {"by": table.total_by, "of": table.total_of, "parts": {}} for folder, table in published.items()
    }
    for row in reduce(DataFrame.unionByName, counted).collect():
        total = {"rows": row["records"]} | ({} if row["ids"] is None else {"ids": row["ids"]})
        totals[row["table"]]["parts"][row["part"]] = total
    return json.dumps(totals, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _total_table(df: DataFrame, folder: str, table: Table) -> DataFrame:
    """Total the rows of one table: columns table, part, records, ids.

    The sum of ids is a text: it may have more digits than numbers in JSON keep.
    """
    part = F.lit("") if table.total_by is None else F.col(table.total_by).cast("string")
    ids = F.lit(None) if table.total_of is None else F.sum(F.col(table.total_of).cast(EXACT)).cast(EXACT)
    return (
        df.groupBy(part.alias("part"))
        .agg(F.count(F.lit(1)).alias("records"), ids.cast("string").alias("ids"))
        .select(F.lit(folder).alias("table"), "part", "records", "ids")
    )


def measure_columns(folder: Path) -> dict[str, int]:
    """Bytes of each column in the parquet files of a folder, as they are compressed, the largest first.

    Args:
        folder: On a local disk; what their footers say is read and no more.
    """
    sizes: Counter[str] = Counter()
    for path in sorted(folder.glob("*.parquet")):
        footer = pq.read_metadata(path)
        for group in map(footer.row_group, range(footer.num_row_groups)):
            for column in map(group.column, range(footer.num_columns)):
                sizes[column.path_in_schema.partition(".")[0]] += column.total_compressed_size
    return dict(sizes.most_common())


SHOWN = 5
"""Items that the card and the last screen of a build show: one screen holds them."""


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
