"""Members of classes of events, as counts see them: who is counted, and how many of each year."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.common import fill_open_end
from everwhen.families.complextempqa.bind.periods import is_in_window
from everwhen.families.complextempqa.bind.world import World

NO_AMOUNT = ""
"""The key of members that are counted without a threshold."""

KEYS = ("list", "key", "of", "of_id")
"""The columns that distinguish what is counted."""


def select_dated_members(world: World) -> DataFrame:
    """Select dated members of classes of events, once for each way of counting.

    The days are the bounds of all stated times of a member: an election of two rounds counts if both are in the window.
    Members without any stated time cannot be counted.

    Returns:
        Columns list, class, of, of_id, entity, first_day, last_day.
    """
    classes = world.list_words.where("NOT linked AND list_kind = 'event'").select("list", "class")
    members = (
        world.members.where("earliest IS NOT NULL AND (latest IS NULL OR latest >= earliest)")
        .withColumn("first_day", F.col("earliest"))
        .withColumn("last_day", fill_open_end("latest"))
        .join(F.broadcast(classes), on="list", how="inner")
    )
    columns = ("list", "class", "entity", "first_day", "last_day", "of", "of_id")
    alone = members.withColumn("of", F.lit("")).withColumn("of_id", F.lit(None).cast("bigint")).select(*columns)
    by_country = members.withColumn("of", F.lit("country")).withColumn("of_id", F.explode("countries"))
    return alone.unionByName(by_country.select(*columns)).transform(checkpoint)


def count_by_years(world: World, counted: DataFrame, subjects: DataFrame) -> DataFrame:
    """Count the members of what is counted by the years in which they begin and end: windows are of whole years.

    A thousand members of a class are some dozens of rows.

    Args:
        world: The world.
        counted: The members.
        subjects: What is counted, with thresholds.

    Returns:
        Columns of KEYS, begun and ended (years), counts (members, or those above the threshold), all (members, whatever
        they state), unknown (members that state no amount).
    """
    amounts = world.amounts.where("size(hops) = 0").select("entity", "key", "amount")
    thresholds = subjects.where(F.col("key") != NO_AMOUNT).select("list", "key", "threshold").distinct()
    alone = counted.withColumn("key", F.lit(NO_AMOUNT)).withColumn("above", F.lit(True))
    above = (
        counted.where("of = ''")
        .join(F.broadcast(thresholds), on="list", how="inner")
        .join(amounts, on=["entity", "key"], how="left")
        .withColumn("above", is_above(F.col("amount"), F.col("threshold")))
    )
    columns = (*KEYS, F.year("first_day").alias("begun"), F.year("last_day").alias("ended"), "above")
    return (
        alone.select(*columns)
        .unionByName(above.select(*columns))
        .groupBy(*KEYS, "begun", "ended")
        .agg(
            F.count_if(F.coalesce("above", F.lit(False))).alias("counts"),
            F.count(F.lit(1)).alias("all"),
            F.count_if(F.col("above").isNull()).alias("unknown"),
        )
        .transform(checkpoint)
    )


def count_class_members(years: DataFrame, windows: DataFrame) -> DataFrame:
    """Count the members of a class that are surely in a window, of any country: columns list, first, last, size."""
    asked = windows.where("of <> ''").select("list", "first", "last").distinct()
    members = years.where((F.col("of") == "") & (F.col("key") == NO_AMOUNT)).withColumnRenamed("list", "of_list")
    return (
        members.join(F.broadcast(asked), on=(F.col("of_list") == F.col("list")) & is_in_window(), how="inner")
        .groupBy("list", "first", "last")
        .agg(F.sum("all").alias("size"))
    )


def is_above(amount: Column, threshold: Column) -> Column:
    """Whether an amount is strictly above the threshold."""
    return amount > threshold
