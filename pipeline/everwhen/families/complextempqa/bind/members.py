"""Members of classes of events, as counts see them: who is counted, how many of each year, above which thresholds."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.common import fill_open_end
from everwhen.families.complextempqa.bind.periods import is_in_window
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.wikidata.properties import Property

NO_AMOUNT = ""
"""The key of members that are counted without a threshold."""

COUNTRY = "country"
"""What `of` says of members that are counted by country."""

KEYS = ("list", "key", "of", "of_id")
"""The columns that distinguish what is counted."""

STATED_BY = 2
"""A threshold is named only of an amount that one in so many members of the class has, at least."""


def select_dated_members(world: WorldTables) -> DataFrame:
    """Select dated members of classes of events, once for each way of counting.

    The days are the bounds of all stated times of a member: an election of two rounds counts if both are in the window.
    Members without any stated time cannot be counted.

    Returns:
        Columns list, class, of, of_id, entity, first_day, last_day, certain: false where the class or the country is
        hedged; null, without of_id, where the member may be of any country.
    """
    classes = world.list_words.where("NOT linked AND list_kind = 'event'").select("list", "class")
    members = (
        world.members.where("earliest IS NOT NULL AND (latest IS NULL OR latest >= earliest)")
        .withColumn("first_day", F.col("earliest"))
        .withColumn("last_day", fill_open_end("latest"))
        .join(F.broadcast(classes), on="list", how="inner")
    )
    columns = ("list", "class", "entity", "first_day", "last_day", "of", "of_id", "certain")
    alone = members.withColumn("of", F.lit("")).withColumn("of_id", F.lit(None).cast("bigint")).select(*columns)
    by_country = members.withColumn("of", F.lit(COUNTRY)).withColumn("of_id", F.explode("countries"))
    return (
        alone.unionByName(by_country.select(*columns))
        .unionByName(_place_doubtful_members(world, members.withColumn("of", F.lit(COUNTRY))).select(*columns))
        .transform(checkpoint)
    )


def _place_doubtful_members(world: WorldTables, members: DataFrame) -> DataFrame:
    """Place members in the countries that may be theirs: hedged ones, or any, where none or an unknown one is stated.

    What is stated to be in no country is in none.

    Returns:
        The columns of `members`, of_id (null: any), certain (false; null of any).
    """
    doubtful = world.select_doubtful_values(Property.COUNTRY)
    stated = members.join(doubtful.where("snak <> 'novalue'"), on="entity", how="inner")
    silent = members.where(F.size("countries") == 0).join(doubtful, on="entity", how="left_anti")
    placed = stated.unionByName(silent, allowMissingColumns=True).withColumn("of_id", F.col("item"))
    return placed.withColumn("certain", F.when(F.col("of_id").isNotNull(), F.lit(False)))


def count_by_years(world: WorldTables, counted: DataFrame, subjects: DataFrame) -> DataFrame:
    """Count the members of what is counted by the years in which they begin and end: windows are of whole years.

    A thousand members of a class are some dozens of rows.

    Args:
        counted: The members.
        subjects: What is counted, with thresholds.

    Returns:
        Columns of KEYS, begun and ended (years), counts (members, or those above the threshold), all (members, whatever
        they state), unknown (members that state no amount, or may be of any country), uncertain (members that are
        hedged).
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
    columns = (*KEYS, F.year("first_day").alias("begun"), F.year("last_day").alias("ended"), "above", "certain")
    years = (
        alone.select(*columns)
        .unionByName(above.select(*columns))
        .groupBy(*KEYS, "begun", "ended")
        .agg(
            F.count_if(F.col("certain") & F.col("above")).alias("counts"),
            F.count_if("certain").alias("all"),
            F.count_if(F.col("above").isNull() | F.col("certain").isNull()).alias("unknown"),
            F.count_if(~F.col("certain")).alias("uncertain"),
        )
        .transform(checkpoint)
    )
    # Members of any country are so of each that is asked about.
    is_open = (F.col("of") == COUNTRY) & F.col("of_id").isNull()
    countries = F.broadcast(subjects.where(F.col("of") == COUNTRY).select("list", "of_id").distinct())
    everywhere = years.where(is_open).drop("of_id").join(countries, on="list", how="inner")
    return years.where(~is_open).unionByName(everywhere).transform(checkpoint)


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


def find_thresholds(world: WorldTables, counted: DataFrame) -> DataFrame:
    """Find the thresholds that people would say: columns list, key, property, threshold.

    The mean, rounded to one figure, or to two where one does not split the class: some members are above, some are not.

    Args:
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
