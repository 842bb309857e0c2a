"""Values at the end of property paths: every property on the way has one value."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.models import MAX_PATH_LENGTH, PropertyPath
from everwhen.tables.ranks import select_best_rank
from everwhen.world.attributes import AMOUNT, find_conversion_factor, in_unit

VALUE = f"value_item bigint, amount {AMOUNT}, unit bigint, first_day date, last_day date, precision tinyint"
"""What a statement says, of whatever type."""


def follow_paths(statements: DataFrame, heads: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Follow every chain from every head that it is for, all chains at once.

    A path continues only where its property has exactly one best-rank value: however many statements there are, each
    has a value, and it is the same one. It ends where the value that is asked for is stated in that way too, a quantity
    in a unit of the asked one's dimension. One join a depth, whatever the number of chains.

    Args:
        statements: Table `statements`.
        heads: Columns entity, list, kind.
        paths: The chains.

    Returns:
        Rows of the table `hops`.
    """
    single = _select_single_values(statements, paths)
    at = _start_paths(heads, paths)
    for depth in range(1, MAX_PATH_LENGTH + 1):
        at = _advance_paths(at, single, depth)
    value, kind = F.col("value"), F.col("value_kind")
    fits = (
        F.when(kind == "item", value["value_item"].isNotNull())
        .when(kind == "time", value["first_day"].isNotNull())
        .otherwise(value["amount"].isNotNull() & (value["unit"] == F.col("base")))
    )
    return at.where(fits).select(
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
    )


def _select_single_values(statements: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Select the one best-rank value of each subject and property in use: columns here, property, read."""
    wanted = sorted({property_ for path in paths for property_ in path.properties})
    values = F.struct("value_item", "amount", "unit", "first_day", "last_day", "precision")
    return (
        select_best_rank(statements.where(F.col("property").isin(wanted)))
        .groupBy(F.col("subject").alias("here"), "property")
        .agg(F.bool_and(F.col("snak") == "value").alias("known"), F.collect_set(values).alias("said"))
        .where(F.col("known") & (F.size("said") == 1))
        .select("here", "property", F.element_at("said", 1).alias("read"))
    )


def _start_paths(heads: DataFrame, paths: Sequence[PropertyPath]) -> DataFrame:
    """Return every head at the beginning of every path that it is for."""
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


def _advance_paths(at: DataFrame, single: DataFrame, depth: int) -> DataFrame:
    """Read the property of this depth at each path's item, and advance to its value unless the path ends there.

    Chains that have ended already pass untouched; those that find no value are dropped.
    """
    length = F.size("properties")
    reads, goes_on = F.lit(depth) <= length, F.lit(depth) < length
    item = F.col("read.value_item")
    found = (
        at.withColumn("property", F.get("properties", F.lit(depth - 1)))
        .join(single, on=["here", "property"], how="left")
        .where(~reads | (F.col("read").isNotNull() & (~goes_on | item.isNotNull())))
    )
    return found.select(
        *(name for name in at.columns if name not in ("here", "bridges", "value")),
        F.when(goes_on, item).otherwise(F.col("here")).alias("here"),
        F.when(goes_on, F.concat("bridges", F.array(item))).otherwise(F.col("bridges")).alias("bridges"),
        F.when(reads, F.col("read")).otherwise(F.col("value")).alias("value"),
    )
