"""The totals of a dataset: of each part of its tables the rows and the sum of their ids, as the stages made them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.table import Table

EXACT = "decimal(38,0)"


def render_totals(build: Build, published: Mapping[str, Table]) -> str:
    """Render `totals.json`, from the tables that the stages of a build have written, and not from their copies.

    Args:
        build: The build.
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
