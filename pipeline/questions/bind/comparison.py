"""Relations of comparison questions: pairs and triples, unique by construction, deterministic, inside one split.

A ring: the things of a group stand in the order of a seeded hash, and each is compared with its next ones. Because no
two of a group's pairs join the same seats, no pair comes twice, and no cross join is ever made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from pipeline.questions.bind.common import with_metadata
from pipeline.questions.bind.world import VALUE, World

TIME = "time"
"""The key under which events are compared by their own time."""


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


def triples(seats: DataFrame) -> DataFrame:
    """Join each seat with the next two.

    Args:
        seats: As `seated` returns them.

    Returns:
        Columns a, b and c: rows. No set of three comes twice.
    """
    # Three on a ring make one triple, whoever begins.
    left = seats.where((F.col("n") > 3) | ((F.col("n") == 3) & (F.col("seat") == 0)))
    next_ = seats.select(
        F.col("row").alias("b"), "group", ((F.col("seat") - 1 + F.col("n")) % F.col("n")).alias("seat")
    )
    last = seats.select(F.col("row").alias("c"), "group", ((F.col("seat") - 2 + F.col("n")) % F.col("n")).alias("seat"))
    joined = left.join(next_, on=["group", "seat"]).join(last, on=["group", "seat"])
    return joined.select(F.col("row").alias("a"), "b", "c")


def pair(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Pairs of things, by their time, an attribute, or the end of a hop chain.

    Args:
        world: The world.
        params: kind (event or item); by: "time", "times" (attributes), "amounts" (attributes), "hop times" or
            "hop amounts".

    Returns:
        Columns a, b (things), va, vb (values), words, coin (0 or 1, by hash: for choices of wording that must not
        follow the answer), and the metadata. Which of the two comes first is decided by hash, so that yes and no are in
        balance.
    """
    return _chosen(world.once("pairs", lambda: _all_pairs(world)), params)


def trio(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Triples of things, by their time or an attribute.

    Args:
        world: The world.
        params: As for `pair`.

    Returns:
        Columns a, b, c (things), va, vb, vc (values), words, coin, and the metadata; in the order of a hash.
    """
    return _chosen(world.once("triples", lambda: _all_triples(world)), params)


def _chosen(rows: DataFrame, params: Mapping[str, Any]) -> DataFrame:
    return rows.where((F.col("a.kind") == params["kind"]) & (F.col("by") == params["by"]))


def _seats(world: World) -> DataFrame:
    """All that can be compared, on rings: by their time, the end of a hop chain or such an amount as death tolls events
    with all events, else things with those of their list."""

    def make() -> DataFrame:
        void = {"hops": F.array().cast("array<int>"), "key": F.lit(TIME)}
        fields = {name: F.col(f"thing.{name}") for name in ("first_day", "last_day", "precision")}
        types = {"property": "int", "value_item": "bigint", "amount": "decimal(38,9)"}
        v = F.struct(*(void.get(n, fields.get(n, F.lit(None).cast(types.get(n, "int")))).alias(n) for n in VALUE))
        by_time = world.things.where("thing.kind = 'event' AND thing.last_day IS NOT NULL").select(
            "thing", v.alias("v")
        )
        # What has words for it is compared: a quantity by degrees, a time by a verb, the end of a hop chain by either.
        stated = world.values.where(
            F.when(F.size("v.hops") > 0, F.col("words")["p1"].isNotNull())
            .when(F.col("v.amount").isNotNull(), F.col("words")["high"].isNotNull())
            .otherwise(F.col("v.first_day").isNotNull() & F.col("words")["verb"].isNotNull())
        )
        event = F.col("thing.kind") == "event"
        across = event & ((F.size("v.hops") > 0) | F.coalesce(F.col("words")["across"] == "yes", F.lit(False)))
        rows = by_time.select("thing", "v", F.lit(True).alias("across")).unionByName(
            stated.select("thing", "v", across.alias("across"))
        )
        group = ["v.key", "thing.kind", "IF(across, '', thing.list)", "thing.split"]
        return seated(rows, group, "thing.entity", world.hash_of("ring", "thing.entity"))

    return world.once("seats", make)


def _all_pairs(world: World) -> DataFrame:
    found = pairs(_seats(world), world.config.questions.pairs_per_entity)
    toss = world.hash_of("coin", "a.v.key", "a.thing.entity", "b.thing.entity")
    swap = F.pmod(toss, F.lit(2)) == 1
    first, second = F.when(swap, F.col("b")).otherwise(F.col("a")), F.when(swap, F.col("a")).otherwise(F.col("b"))
    ordered = found.select(first.alias("a"), second.alias("b"), toss.alias("toss"))
    return _compared(world, ordered, ["a", "b"])


def _all_triples(world: World) -> DataFrame:
    found = triples(_seats(world))
    toss = world.hash_of("coin", "a.v.key", "a.thing.entity", "b.thing.entity", "c.thing.entity")
    order = F.array_sort(
        F.array(*(F.struct(F.xxhash64(toss, f"{x}.thing.entity").alias("at"), F.col(x).alias("row")) for x in "abc"))
    )
    ordered = found.select(order.alias("order"), toss.alias("toss")).select(
        *(F.col("order")[n]["row"].alias(x) for n, x in enumerate("abc")), "toss"
    )
    return _compared(world, ordered, ["a", "b", "c"])


def _compared(world: World, ordered: DataFrame, sides: Sequence[str]) -> DataFrame:
    """What compared things carry: values, words, a coin, by what they are compared."""
    hop = F.size("va.hops") > 0
    time = F.col("va.amount").isNull()
    by = (
        F.when(F.col("va.key") == TIME, TIME)
        .when(hop & time, "hop times")
        .when(hop, "hop amounts")
        .when(time, "times")
        .otherwise("amounts")
    )
    rows = (
        ordered.select(
            *(F.col(f"{x}.thing").alias(x) for x in sides),
            *(F.col(f"{x}.v").alias(f"v{x}") for x in sides),
            F.pmod(F.shiftright("toss", 1), F.lit(2)).cast("int").alias("coin"),
        )
        .withColumn("by", by)
        .join(F.broadcast(world.words), on=F.col("va.key") == F.col("key"), how="left")
        .drop("key")
    )
    return with_metadata(rows, sides)


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
    found = pairs(seats, world.config.questions.pairs_per_entity)
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
