"""Who held an office first: pairs of its holders, unique by construction, deterministic, inside one split.

A ring: the things of a group stand in the order of a seeded hash, and each is compared with its next ones. Because no
two of a group's pairs join the same seats, no pair comes twice, and no cross join is ever made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.common import with_metadata
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.config import read_settings


def seated(rows: DataFrame, group: Sequence[str], key: str, order: Column) -> DataFrame:
    """Give each row its seat on the ring of its group.

    Args:
        rows: The rows; one row a key in each group.
        group: Expressions of what two rows must share.
        key: Expression of the row's own stable key.
        order: The seeded hash that orders the ring.

    Returns:
        Columns row (struct of all columns of `rows`), group, seat (from 0), n (seats of the group).
    """
    named = rows.select(
        F.struct(*rows.columns).alias("row"),
        F.concat_ws("\x1f", *(F.expr(g) for g in group)).alias("group"),
        F.expr(key).alias("key"),
        order.alias("order"),
    )
    ring = Window.partitionBy("group").orderBy("order", "key")
    return named.select(
        "row",
        "group",
        (F.row_number().over(ring) - 1).alias("seat"),
        F.count(F.lit(1)).over(Window.partitionBy("group")).alias("n"),
    )


def pairs(seats: DataFrame, width: int) -> DataFrame:
    """Pair each seat with the next ones.

    Args:
        seats: As `seated` returns them.
        width: With how many of the next each is paired; fewer in groups smaller than twice that.

    Returns:
        Columns a and b: rows. No unordered pair comes twice.
    """
    step = F.col("step")
    # With an even number the opposite seat would meet twice: only the first half of the ring asks it.
    once = (step * 2 < F.col("n")) | ((step * 2 == F.col("n")) & (F.col("seat") < step))
    left = (
        seats.withColumn("step", F.explode(F.sequence(F.lit(1), F.lit(width))))
        .where(once)
        .select(F.col("row").alias("a"), "group", ((F.col("seat") + step) % F.col("n")).alias("seat"))
    )
    return left.join(seats.select(F.col("row").alias("b"), "group", "seat"), on=["group", "seat"]).select("a", "b")


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
    seats = seated(held, ["position", "thing.split"], "thing.entity", world.hash_of("ring", "thing.entity"))
    found = pairs(seats, read_settings(world.config).pairs_per_entity)
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
