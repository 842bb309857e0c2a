"""Relations of attribute questions: one event or item, and what is stated of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.common import with_metadata
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.reasons import BindingReason


def lifetime(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Things with their time.

    Args:
        world: The world.
        params: kind (event or item), extents (list of instant, span, open).

    Returns:
        Columns a (thing), verbs, and the metadata.
    """
    chosen = world.things.select(F.col("thing").alias("a")).where(
        (F.col("a.kind") == params["kind"]) & F.col("a.extent").isin(params["extents"])
    )
    return with_metadata(world.with_verbs(chosen), ["a"])


def single_value(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Things with the one value of an attribute, or with the value at the end of a hop chain.

    Args:
        world: The world.
        params: keys (ids of attributes or of hop chains); kind (event or item) where not both.

    Returns:
        Columns a (thing), v (value), words, verbs, and the metadata.
    """
    chosen = world.values.where(F.col("v.key").isin(params["keys"])).select(F.col("thing").alias("a"), "v", "words")
    if "kind" in params:
        chosen = chosen.where(F.col("a.kind") == params["kind"])
    return with_metadata(world.with_verbs(chosen), ["a"])


def hop_value(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Things with the value at the end of a hop chain.

    Args:
        world: The world.
        params: kind (event or item), value (quantity, time or item).

    Returns:
        Columns a (thing), v (value), words, and the metadata.
    """
    column = {"quantity": "v.amount", "time": "v.first_day", "item": "v.value_item"}[params["value"]]
    chosen = world.values.where(
        (F.size("v.hops") > 0) & F.col(column).isNotNull() & (F.col("thing.kind") == params["kind"])
    )
    return with_metadata(chosen.select(F.col("thing").alias("a"), "v", "words"), ["a"])


def claimed_country(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Events with their one country, and with the country that the question names: that one or another, by hash.

    The other is the country of another event of the same list, so that it is no easier to rule out than it must be. A
    list of one country alone gives no question: all its answers would be yes.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns a (thing), v (value), verbs, claimed (the country that is named), and the metadata.
    """
    stated = world.values.where("v.key = 'country'").select(F.col("thing").alias("a"), "v")
    of_list = stated.groupBy(F.col("a.list").alias("of_list")).agg(
        F.array_sort(F.collect_list("v.value_item")).alias("all")
    )
    both = stated.join(F.broadcast(of_list), on=F.col("a.list") == F.col("of_list"), how="inner")
    others = both.withColumn("others", F.filter("all", lambda c: c != F.col("v.value_item")))
    toss = world.hash_of("claim", "a.entity")
    at = F.pmod(F.shiftright(toss, 1), F.greatest(F.size("others"), F.lit(1))).cast("int") + 1
    other = F.try_element_at(F.col("others"), at)
    claimed = others.select(
        "a", "v", "others", F.when(F.pmod(toss, F.lit(2)) == 0, F.col("v.value_item")).otherwise(other).alias("claimed")
    ).join(world.named, on=F.col("claimed") == F.col("named"), how="left")
    reason = F.when(F.size("others") == 0, BindingReason.ONE_COUNTRY).when(
        F.col("named").isNull(), BindingReason.NAMELESS.with_detail(what="country")
    )
    rows = with_metadata(world.with_verbs(claimed), ["a"], reason, F.coalesce("named_popular", F.lit(False)))
    return rows.withColumn("countries", F.array_sort(F.array_union("countries", "own_country")))
