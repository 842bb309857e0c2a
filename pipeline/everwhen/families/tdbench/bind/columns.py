"""Columns that are computed once, however often they are used."""

from __future__ import annotations

from pyspark.sql import DataFrame


def derive_columns(rows: DataFrame, **columns: str) -> DataFrame:
    """Add columns, and compute each of them once.

    Spark puts the expression of a column in the place of each use, also into filters: what is derived in ten steps
    would be computed, and planned, a thousand times. It does so only below a generator.

    Args:
        rows: The rows; columns of the same names are replaced.
        columns: Expressions of Spark SQL on the columns of `rows`, by name.
    """
    kept = [f"`{name}`" for name in rows.columns if name not in columns]
    struct = ", ".join(f"{expression} AS `{name}`" for name, expression in columns.items())
    return rows.selectExpr(*kept, f"inline(array(struct({struct})))")
