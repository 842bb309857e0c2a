"""Items of Wikidata."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.table import Column, Table

UNWRITABLE = r"^\s*$|[\p{Cc}\u2028\u2029]"
"""Aliases that nobody can write: blank ones, and those with control characters."""

ENTITIES = Table(
    name="entities",
    stage="facts",
    meaning="An item, in its newest revision among the dump files.",
    total_of="item",
    columns=(
        Column("item", "bigint", "item id without Q; unique"),
        Column("label", "string", "English label, else the label for all languages (mul)", nullable=True),
        Column("aliases", "array<string>", "English aliases, then those for all languages (mul), each once"),
        Column("description", "string", "English description", nullable=True),
        Column("title", "string", "English Wikipedia article", nullable=True),
        Column("sitelinks", "int", "how many wikis have a page on it; null where none is stated", nullable=True),
        Column("revision", "bigint", "lastrevid; -1 where unknown"),
        Column("file", "string", "the file it was read from"),
    ),
)


def list_aliases(entities: DataFrame) -> DataFrame:
    """List the aliases of items that somebody can write, each once.

    Args:
        entities: Columns item and aliases.

    Returns:
        Columns item and alias.
    """
    exploded = entities.select("item", F.explode("aliases").alias("alias"))
    return exploded.where(~F.col("alias").rlike(UNWRITABLE)).distinct()
