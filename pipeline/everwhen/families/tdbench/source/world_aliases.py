"""Other names of the values of our world: the English aliases of their items."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.tables.accepted_answers import select_unambiguous
from everwhen.tables.facts import ENTITIES, list_aliases
from everwhen.tables.world import NAMES


def collect_aliases(rows: DataFrame, declarations: Sequence[Declaration], build: Build) -> DataFrame:
    """Collect the aliases of the items that are values of our world.

    An alias is left out if another value of its column has it as its name or alias, without regard to case.

    Args:
        rows: The columns of `everwhen.families.tdbench.tables.ROWS`.
        declarations: The declarations; those of files and databases have none here.
        build: The build, whose names and entities are read.

    Returns:
        Columns answer, scope and text.
    """
    scopes = [f"{each.name}/{column}" for each in declarations for column in _list_item_columns(each)]
    if not scopes:
        return build.spark.createDataFrame([], "answer string, scope string, text string")
    values = list_values(rows).where(F.col("scope").isin(scopes))
    items = values.join(build.read(NAMES).selectExpr("name AS answer", "entity AS item"), "answer")
    aliases = items.join(list_aliases(build.read(ENTITIES)), "item")
    named = aliases.select("answer", "scope", F.col("alias").alias("text"))
    return select_unambiguous(named, values.withColumn("text", F.col("answer")))


def list_values(rows: DataFrame) -> DataFrame:
    """List the values of rows, each once: columns answer and scope."""
    fields = rows.select("declaration", F.explode("fields").alias("column", "answer"))
    scoped = fields.select("answer", F.concat_ws("/", "declaration", "column").alias("scope"))
    return scoped.where("answer IS NOT NULL").distinct()


def _list_item_columns(declaration: Declaration) -> list[str]:
    """List the columns whose values are items with a name of their own; a role is a part of a name."""
    source = declaration.source
    if not source.is_world:
        return []
    return [source.subject, source.value, *([source.jurisdiction] if source.jurisdiction else [])]
