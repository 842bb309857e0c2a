"""Find the values at the ends of property paths; every property of a path has exactly one value."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.models import MAX_PATH_LENGTH, PropertyPath
from everwhen.tables.ranks import select_best_rank
from everwhen.world.attributes import AMOUNT, find_conversion_factor, in_unit

VALUE = (
    f"value_item bigint, amount {AMOUNT}, unit bigint,"
    " first_day date, last_day date, precision tinyint, calendar string"
)
"""The value of a statement, of any datatype."""


def follow_paths(statements: DataFrame, heads: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Follow every property path from every head that it applies to.

    A path continues only if its next property has exactly one best-rank value: all statements of best rank have a
    value, and the same one. The last property must also have one value; a quantity must be in a unit of the path's
    dimension. All paths are followed together, with one join for each depth.

    Args:
        statements: Table `statements`.
        heads: The entities at which paths start: columns entity, list, kind.
        paths: The property paths.

    Returns:
        Rows of the table `hops`.
    """
    single_values = _select_single_values(statements, paths)
    reached = _start_paths(heads, paths)
    for depth in range(1, MAX_PATH_LENGTH + 1):
        reached = _advance_paths(reached, single_values, depth)
    value, kind = F.col("value"), F.col("value_kind")
    fits = (
        F.when(kind == "item", value["value_item"].isNotNull())
        .when(kind == "time", value["first_day"].isNotNull())
        .otherwise(value["amount"].isNotNull() & (value["unit"] == F.col("base")))
    )
    return reached.where(fits).select(
        "entity",
        "hop",
        "hops",
        "bridges",
        F.element_at("properties", -1).alias("property"),
        F.when(kind == "item", value["value_item"]).alias("value_item"),
        F.when(kind == "quantity", in_unit(value["amount"], F.col("factor"))).alias("amount"),
        F.when(kind == "time", value["first_day"]).alias("first_day"),
        F.when(kind == "time", value["last_day"]).alias("last_day"),
        F.when(kind == "time", value["precision"]).alias("precision"),
        F.when(kind == "time", value["calendar"]).alias("calendar"),
    )


def _select_single_values(statements: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Select the best-rank value of each subject and property that has exactly one: columns here, property, read."""
    wanted = sorted({property_ for path in paths for property_ in path.properties})
    values = F.struct("value_item", "amount", "unit", "first_day", "last_day", "precision", "calendar")
    return (
        select_best_rank(statements.where(F.col("property").isin(wanted)))
        .groupBy(F.col("subject").alias("here"), "property")
        .agg(F.bool_and(F.col("snak") == "value").alias("known"), F.collect_set(values).alias("values"))
        .where(F.col("known") & (F.size("values") == 1))
        .select("here", "property", F.element_at("values", 1).alias("read"))
    )


def _start_paths(heads: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Pair every head with every path that applies to it, at the beginning of the path."""
    rows = []
    for path in paths:
        base, factor = find_conversion_factor(path.unit)
        for name in path.lists or ["*"]:
            rows.append((path.id, path.kind, name, path.hops, path.properties, path.value, base, factor))
    schema = (
        "hop string, for_kind string, for_list string, hops array<int>, properties array<int>, value_kind string,"
        f" base bigint, factor {AMOUNT}"
    )
    wanted = heads.sparkSession.createDataFrame(rows, schema)
    on = (F.col("kind") == F.col("for_kind")) & ((F.col("for_list") == "*") | (F.col("for_list") == F.col("list")))
    return heads.join(F.broadcast(wanted), on=on, how="inner").select(
        "entity",
        "hop",
        "hops",
        "properties",
        "value_kind",
        "base",
        "factor",
        F.col("entity").alias("here"),
        F.array().cast("array<bigint>").alias("bridges"),
        F.lit(None).cast(f"struct<{VALUE}>").alias("value"),
    )


def _advance_paths(reached: DataFrame, single_values: DataFrame, depth: int) -> DataFrame:
    """Read the property of this depth at the current item of each path, and advance to its value.

    A path that ends here keeps its item. Paths that ended earlier stay unchanged; paths without a value are dropped.
    """
    length = F.size("properties")
    reads, continues = F.lit(depth) <= length, F.lit(depth) < length
    item = F.col("read.value_item")
    found = (
        reached.withColumn("property", F.get("properties", F.lit(depth - 1)))
        .join(single_values, on=["here", "property"], how="left")
        .where(~reads | (F.col("read").isNotNull() & (~continues | item.isNotNull())))
    )
    return found.select(
        *(name for name in reached.columns if name not in ("here", "bridges", "value")),
        F.when(continues, item).otherwise(F.col("here")).alias("here"),
        F.when(continues, F.concat("bridges", F.array(item))).otherwise(F.col("bridges")).alias("bridges"),
        F.when(reads, F.col("read")).otherwise(F.col("value")).alias("value"),
    )
