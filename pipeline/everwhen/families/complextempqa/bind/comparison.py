"""Who held an office first: pairs of its holders inside one split, each with those who came next.

Holders stand in the order in which they took office, and each is paired with the next ones. So no pair comes twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.common import with_metadata
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.config import read_settings


def held_first(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Pairs of people who held the same position, each of them once.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns a, b (things), position, ta, tb (their terms), and the metadata.
    """
    terms = world.terms.where("once AND position_label IS NOT NULL").select(
        "position", "position_label", "position_popular", "holder", F.struct("first_day", "start_last").alias("t")
    )
    held = world.things.join(terms, on=F.col("thing.entity") == F.col("holder"), how="inner").drop("holder")
    order = Window.partitionBy("position", "thing.split").orderBy("t.first_day", "thing.entity")
    seats = held.withColumn("seat", F.row_number().over(order)).withColumn("row", F.struct(*held.columns))
    group: list[Column | str] = ["position", F.col("thing.split").alias("split")]
    last = F.col("seat") + read_settings(world.config).pairs_per_entity
    others = F.explode(F.sequence(F.col("seat") + 1, last)).alias("seat")
    earlier = seats.select(*group, F.col("row").alias("a"), others)
    later = seats.select(*group, F.col("row").alias("b"), "seat")
    found = earlier.join(later, on=["position", "split", "seat"], how="inner").select("a", "b")
    swap = F.pmod(world.hash_of("coin", "a.position", "a.thing.entity", "b.thing.entity"), F.lit(2)) == 1
    first, second = F.when(swap, F.col("b")).otherwise(F.col("a")), F.when(swap, F.col("a")).otherwise(F.col("b"))
    rows = found.select(first.alias("a"), second.alias("b")).select(
        F.col("a.position").alias("position"),
        F.col("a.position_popular").alias("position_popular"),
        F.col("a.t").alias("ta"),
        F.col("b.t").alias("tb"),
        F.col("b.thing").alias("b"),
        F.col("a.thing").alias("a"),
    )
    return with_metadata(rows, ["a", "b"], None, F.col("position_popular"))
