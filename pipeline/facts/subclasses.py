"""The classes below the class roots that entity lists name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pipeline.facts.ranks import best_rank
from pipeline.tables.subclasses import SUBCLASSES

SUBCLASS_OF = 279


def subclasses(statements: DataFrame, roots: Iterable[int]) -> DataFrame:
    """Follow subclass-of statements of the best rank from the roots downwards, level by level.

    Cycles end, since a class is taken up once a root.

    Args:
        statements: The columns of `STATEMENTS`.
        roots: Item ids without Q.

    Returns:
        The columns of `SUBCLASSES`; each root is below itself.
    """
    spark = statements.sparkSession
    edges = (
        best_rank(statements.where(F.col("property") == SUBCLASS_OF))
        .where((F.col("snak") == "value") & F.col("value_item").isNotNull())
        .select(F.col("subject").alias("class"), F.col("value_item").alias("parent"))
        .dropDuplicates()
        .localCheckpoint()
    )
    rows = [(root, root) for root in sorted(set(roots))]
    level = spark.createDataFrame(rows, "class bigint, root bigint").localCheckpoint()
    levels = []
    while not level.isEmpty():
        levels.append(level)
        seen = reduce(DataFrame.unionByName, levels)
        below = edges.join(level.withColumnRenamed("class", "parent"), on="parent", how="inner")
        level = (
            below.select("class", "root")
            .dropDuplicates()
            .join(seen, on=["class", "root"], how="left_anti")
            .localCheckpoint()
        )
    closure = reduce(DataFrame.unionByName, levels, spark.createDataFrame([], "class bigint, root bigint"))
    return SUBCLASSES.select(closure)
