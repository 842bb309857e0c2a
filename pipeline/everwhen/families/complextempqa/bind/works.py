"""Relations of counting questions: how many works of somebody, or of two together, came out in a window.

A work that may or may not have come out in the window, or is hedged, makes the count undecided: no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_attributes
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.common import with_metadata
from everwhen.families.complextempqa.bind.declared import with_ranges
from everwhen.families.complextempqa.bind.periods import (
    build_window_span,
    group_by_windows,
    is_in_window,
    keep_few_of_each_answer,
    may_be_in_window,
    sum_where,
    with_windows,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason


def count_works(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How many works of a list, by one maker, came out in a window.

    Args:
        params: list, maker (attribute id of the maker, that picks all), date (attribute id of its date), declared (the
            key of the declarations that fit).

    Returns:
        Columns subject (the maker), when, count, counted_over, and the metadata.
    """
    makers = _list_makers(world, params["maker"], "maker")
    works = _list_works(world, params["list"], params["date"]).join(makers, on="entity", how="inner")
    return _count_works(world, works, ["maker"], ["subject"], params)


def count_costars(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """How many films came out in a window in which two people appear who appear together more than once.

    Args:
        params: declared (the key of the declarations that fit).

    Returns:
        Columns first_subject, second_subject, when, count, counted_over, and the metadata. Both subjects belong to
        one split; a hash decides which is the first.
    """
    cast = _list_makers(world, "cast", "actor")
    people = world.subjects.select(F.col("subject.entity").alias("actor"), F.col("subject.split").alias("split"))
    cast = cast.join(people, on="actor", how="inner").withColumn("order", world.hash_of("costars", "actor"))
    one, two = (
        cast.withColumnsRenamed({"actor": f"{side}_actor", "order": f"{side}_order", "by": f"{side}_by"})
        for side in ("first", "second")
    )
    both = (
        one.join(two, on=["entity", "split"], how="inner")
        .where("first_order < second_order")
        .withColumn("by", F.col("first_by") & F.col("second_by"))
    )
    # One film of both would be asked for the number one.
    often = (
        both.groupBy("first_actor", "second_actor").agg(F.count_distinct("entity").alias("films")).where("films > 1")
    )
    works = both.join(often, on=["first_actor", "second_actor"], how="left_semi").join(
        _list_works(world, "films", "release"), on="entity", how="inner"
    )
    return _count_works(world, works, ["first_actor", "second_actor"], ["first_subject", "second_subject"], params)


def _list_makers(world: WorldTables, attribute: str, name: str) -> DataFrame:
    """List who made works, certain or not: columns entity (the work), `name`, by (whether the maker is certain)."""
    stated = world.attributes.where(F.col("attribute") == attribute).select("entity", F.col("value_item").alias(name))
    (property_,) = (each.property for each in load_attributes() if each.id == attribute)
    doubtful = world.select_doubtful_values(property_).where("item IS NOT NULL")
    return stated.withColumn("by", F.lit(True)).unionByName(
        doubtful.select("entity", F.col("item").alias(name), F.lit(False).alias("by"))
    )


def _list_works(world: WorldTables, entity_list: str, date: str) -> DataFrame:
    """Members of a list with their date, null where it is not usable: columns entity, certain, first_day, last_day."""
    dates = world.attributes.where(F.col("attribute") == date).select("entity", "first_day", "last_day")
    members = world.members.where(F.col("list") == entity_list)
    return members.select("entity", "certain").join(dates, on="entity", how="left")


def _count_works(
    world: WorldTables, works: DataFrame, keys: list[str], sides: list[str], params: Mapping[str, Any]
) -> DataFrame:
    """Count works by their people; every work that counts must have a date."""
    begun, ended = F.year("first_day").alias("begun"), F.year("last_day").alias("ended")
    is_certain = F.col("certain") & F.col("by")
    years = checkpoint(
        works.groupBy(*keys, begun, ended).agg(
            F.count_if(is_certain).alias("works"), F.count_if(~is_certain).alias("hedged")
        )
    )
    undated = years.groupBy(*keys).agg(
        sum_where("works", F.col("begun").isNull()).alias("undated"), sum_where("hedged").alias("hedged")
    )
    windows = with_windows(world, with_ranges(world, undated, params["declared"], keys[0]), keys)
    groups = group_by_windows(windows, years, keys, may_be_in_window()).agg(
        sum_where("works").alias("count"), sum_where("works", ~is_in_window()).alias("undecided")
    )
    reason = (
        F.when(F.col("hedged") > 0, BindingReason.COUNT_HEDGED)
        .when(F.col("undated") > 0, BindingReason.UNDATED_WORK)
        .when(F.col("undecided") > 0, BindingReason.WORK_AT_EDGE)
    )
    # Few are kept before people are joined, who are ten times as wide as the counts.
    counted = keep_few_of_each_answer(world, groups.withColumn("reason", F.coalesce("range_reason", reason)), keys)
    for key, side in zip(keys, sides, strict=True):
        people = world.subjects.select(F.col("subject").alias(side))
        counted = counted.join(people, on=F.col(key) == F.col(f"{side}.entity"), how="inner")
    return with_metadata(counted, sides, F.col("reason"), F.lit(False), build_window_span())
