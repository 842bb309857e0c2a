"""Ranks of statements."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F


def select_best_rank(statements: DataFrame) -> DataFrame:
    """The statements of the best rank of their subject and property: the preferred ones if any, else the normal ones.

    Deprecated statements are never among them. The rank is chosen over all snak types: a preferred somevalue leaves
    no value, which is for the caller to drop.

    Args:
        statements: The columns `subject`, `property` and `rank`, among any others.

    Returns:
        The columns of `statements`.
    """
    group = Window.partitionBy("subject", "property")
    preferred = F.max(F.col("rank") == "preferred").over(group)
    best = F.when(preferred, F.lit("preferred")).otherwise(F.lit("normal"))
    marked = statements.where(F.col("rank") != "deprecated").withColumn("_best", best)
    return marked.where(F.col("rank") == F.col("_best")).select(*statements.columns)
