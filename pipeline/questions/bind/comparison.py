"""Relations of comparison questions: pairs, unique by construction, deterministic, inside one split.

A ring: the things of a group stand in the order of a seeded hash, and each is compared with its next k. Because k is
at most half the group, no pair comes twice, and no cross join is ever made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from pipeline.questions.bind.common import with_metadata
from pipeline.questions.bind.world import World


def ring(rows: DataFrame, group: Sequence[str], key: str, width: int, salt: str) -> DataFrame:
    """Pair each row with the next ones on a hash-ordered ring of its group.

    Args:
        rows: The rows to pair; one row a key in each group.
        group: Expressions of what two rows must share.
        key: Expression of the row's own stable key.
        width: With how many of the next each row is paired; fewer in groups smaller than twice that.
        salt: Seeds the order.

    Returns:
        Columns a and b: structs of all columns of `rows`. No unordered pair comes twice.
    """
    columns = rows.columns
    keys = [F.expr(g) for g in group]
    seated = rows.select(
        F.struct(*columns).alias("row"), F.concat_ws("\x1f", *keys).alias("group"), F.expr(key).alias("key")
    )
    order = Window.partitionBy("group").orderBy(F.xxhash64(F.lit(salt), F.col("key")), F.col("key"))
    seated = seated.select(
        "row",
        "group",
        (F.row_number().over(order) - 1).alias("seat"),
        F.count(F.lit(1)).over(Window.partitionBy("group")).alias("n"),
    )
    step = F.col("step")
    # With an even number the opposite seat would meet twice: only the first half of the ring asks it.
    once = (step * 2 < F.col("n")) | ((step * 2 == F.col("n")) & (F.col("seat") < step))
    left = (
        seated.withColumn("step", F.explode(F.sequence(F.lit(1), F.lit(width))))
        .where(once)
        .select(F.col("row").alias("a"), "group", ((F.col("seat") + step) % F.col("n")).alias("seat"))
    )
    right = seated.select(F.col("row").alias("b"), "group", "seat")
    return left.join(right, on=["group", "seat"], how="inner").select("a", "b")


def pair(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Pairs of things, by their time or by an attribute.

    Args:
        world: The world.
        params: kind (event or item); by: "time", or a list of attribute ids; within: "list" where only things of the
            same list are compared, else "kind".

    Returns:
        Columns a, b (things), va, vb (attribute rows, where compared by attributes), words, coin (0 or 1, by hash: for
        choices of wording that must not follow the answer), and the metadata. Which of the two comes first is decided
        by hash, so that yes and no are in balance.
    """
    group = ["thing.kind", "thing.split"] + (["thing.list"] if params.get("within") == "list" else [])
    salt = f"{world.config.seed}\x1fring"
    width = world.config.questions.pairs_per_entity
    if params["by"] == "time":
        rows = world.things.where((F.col("thing.kind") == params["kind"]) & F.col("thing.last_day").isNotNull())
        pairs = ring(rows, group, "thing.entity", width, salt)
        sides: list[Column] = [F.col("a.thing").alias("a"), F.col("b.thing").alias("b")]
        label = F.lit("time")
    else:
        rows = world.values.where((F.col("thing.kind") == params["kind"]) & F.col("v.attribute").isin(params["by"]))
        pairs = ring(rows.drop("words"), ["v.attribute", *group], "thing.entity", width, salt)
        sides = [
            F.col("a.thing").alias("a"),
            F.col("b.thing").alias("b"),
            F.col("a.v").alias("va"),
            F.col("b.v").alias("vb"),
        ]
        label = F.col("a.v.attribute")
    toss = F.xxhash64(F.lit(f"{world.config.seed}\x1fcoin"), label, F.col("a.thing.entity"), F.col("b.thing.entity"))
    swap = F.pmod(toss, F.lit(2)) == 1
    coin = F.pmod(F.shiftright(toss, 1), F.lit(2)).cast("int")
    first = F.when(swap, F.col("b")).otherwise(F.col("a"))
    second = F.when(swap, F.col("a")).otherwise(F.col("b"))
    ordered = pairs.select(first.alias("a"), second.alias("b"), coin.alias("coin")).select(*sides, "coin")
    if params["by"] != "time":
        words = world.values.select(F.col("v.attribute").alias("attribute"), "words").dropDuplicates(["attribute"])
        ordered = ordered.join(F.broadcast(words), on=F.col("va.attribute") == F.col("attribute"), how="inner")
    return with_metadata(ordered, ["a", "b"])
