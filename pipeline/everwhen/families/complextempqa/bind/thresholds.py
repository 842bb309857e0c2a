"""Thresholds of counts: "more than 50 deaths"."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.world import WorldTables

STATED_BY = 2
"""A threshold is named only of an amount that one in so many members of the class has, at least."""


def find_thresholds(world: WorldTables, counted: DataFrame) -> DataFrame:
    """Find the thresholds that people would say: columns list, key, property, threshold.

    The mean, rounded to one figure, or to two where one does not split the class: some members are above, some are not.

    Args:
        world: The world.
        counted: The members that are counted: list, of, entity, first_day, last_day.
    """
    window = world.config.window
    with_words = world.words.where("words['more'] IS NOT NULL").select("key")
    dated = counted.where("of = ''").where(
        (F.col("first_day") >= F.lit(window.start)) & (F.col("last_day") <= F.lit(window.end))
    )
    sizes = dated.groupBy("list").agg(F.count_distinct("entity").alias("size"))
    stated = (
        dated.select("list", "entity")
        .join(world.amounts.where("size(hops) = 0"), on="entity", how="inner")
        .join(F.broadcast(with_words), on="key", how="left_semi")
    )
    means = (
        stated.groupBy("list", "key")
        .agg(
            F.min("property").alias("property"),
            F.sum("amount").alias("total"),
            F.count(F.lit(1)).alias("number"),
            F.min("amount").alias("least"),
            F.max("amount").alias("most"),
        )
        .join(sizes, on="list", how="inner")
        .where(f"number * {STATED_BY} >= size AND total >= number")
        .withColumn("step", F.expr("CAST(power(10, length(CAST(total div number AS STRING)) - 1) AS BIGINT)"))
    )
    # In whole numbers: half a step is added and the rest cut off.
    rounded = "CAST((2 * total + number * {step}) div (2 * number * {step}) * {step} AS DECIMAL(38,9))"
    one = F.expr(rounded.format(step="step"))
    two = F.when(F.col("step") > 1, F.expr(rounded.format(step="(step div 10)")))
    splits = [(F.col("least") <= T) & (F.col("most") > T) for T in (one, two)]
    return means.select(
        "list", "key", "property", F.when(splits[0], one).when(splits[1], two).alias("threshold")
    ).where("threshold IS NOT NULL")
