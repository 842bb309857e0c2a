"""Other names of the values of our world: the English aliases of their items."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.tables.declarations import ALIASES
from everwhen.tables.entities import ENTITIES, list_aliases
from everwhen.tables.names import NAMES


def collect_aliases(rows: DataFrame, declarations: Sequence[Declaration], build: Build) -> DataFrame:
    """Collect the aliases of the items that are values of our world.

    An alias is left out if another value of its column has it as its name or alias, without regard to case.

    Args:
        rows: The columns of `everwhen.families.tdbench.tables.rows.ROWS`.
        declarations: The declarations; those of files and databases have none here.
        build: The build, whose names and entities are read.

    Returns:
        The columns of `everwhen.families.tdbench.tables.declarations.ALIASES`.
    """
    named = [(each.name, column) for each in declarations for column in _list_item_columns(each)]
    if not named:
        return build.spark.createDataFrame([], ALIASES.ddl)
    columns = F.broadcast(build.spark.createDataFrame(named, "declaration string, column string"))
    fields = rows.select("declaration", F.explode("fields").alias("column", "value"))
    values = fields.join(columns, ["declaration", "column"]).where("value IS NOT NULL").distinct()
    items = values.join(build.read(NAMES).selectExpr("name AS value", "entity AS item"), "value")
    aliases = items.join(list_aliases(build.read(ENTITIES)), "item").drop("item").distinct()
    every = aliases.unionByName(values.withColumn("alias", F.col("value")))
    folded = F.lower("alias").alias("folded")
    single = (
        every.groupBy("declaration", "column", folded)
        .agg(F.count_distinct("value").alias("bearers"))
        .where("bearers = 1")
        .drop("bearers")
    )
    kept = aliases.where("lower(alias) <> lower(value)").withColumn("folded", F.lower("alias"))
    return ALIASES.select(kept.join(single, ["declaration", "column", "folded"], "left_semi"))


def _list_item_columns(declaration: Declaration) -> list[str]:
    """List the columns whose values are items with a name of their own; a role is a part of a name."""
    source = declaration.source
    if not source.is_world:
        return []
    return [source.subject, source.value, *([source.jurisdiction] if source.jurisdiction else [])]
