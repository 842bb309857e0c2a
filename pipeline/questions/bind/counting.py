"""Relations of counting questions: how many members of a class fall into a window, and in how many years.

What is counted is every member of a class that the facts hold, whether it could be named in a question or not. A member
that may or may not fall into a window makes the count undecided: no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pipeline.questions.bind.world import World
from pipeline.world.splits import split_of

NO_COUNTRY = "array<bigint>"


def periods(world: World, kinds: list[str]) -> DataFrame:
    """The windows of counting questions.

    Args:
        world: The world.
        kinds: year (each year of the window), window (runs of `questions.window_years` years from its first, the last
            cut off where it would end early), span (all of it).

    Returns:
        Columns first, last: days, both included; from_year, to_year.
    """
    start, end = world.config.window.start.year, world.config.window.end.year
    width = world.config.questions.window_years
    runs: list[tuple[int, int]] = []
    if "year" in kinds:
        runs += [(y, y) for y in range(start, end + 1)]
    if "window" in kinds:
        runs += [(y, y + width - 1) for y in range(start, end - width + 2, width)]
    if "span" in kinds:
        runs += [(start, end)]
    rows = world.spark.createDataFrame(sorted(set(runs)), "from_year int, to_year int")
    return rows.select(
        F.make_date("from_year", F.lit(1), F.lit(1)).alias("first"),
        F.make_date("to_year", F.lit(12), F.lit(31)).alias("last"),
        "from_year",
        "to_year",
    )


def _counted(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Members of event classes by period, and by country and threshold where the template has them."""
    lists = [(e.id, e.roots[0], e.noun, e.plural, e.topic) for e in world.lists if e.kind == "event" and not e.linked]
    words = world.spark.createDataFrame(lists, "list string, class bigint, noun string, plural string, topic string")
    members = world.members.where("reason IS NULL").join(F.broadcast(words), on="list", how="inner")
    country = F.explode("countries") if params.get("by_country") else F.lit(None).cast("bigint")
    members = members.withColumn("country", country)
    attribute = params.get("above")
    if attribute:
        window = world.config.window
        amounts = world.attributes.where(F.col("attribute") == attribute).select("entity", "amount")
        members = members.join(amounts, on="entity", how="left")
        inside = (F.col("first_day") >= F.lit(window.start)) & (F.col("last_day") <= F.lit(window.end))
        means = (
            members.where(inside & F.col("amount").isNotNull())
            .dropDuplicates(["list", "entity"])
            .groupBy("list")
            .agg(F.expr("sum(amount) div count(1)").cast("decimal(38,9)").alias("threshold"))
        )
        members = members.join(F.broadcast(means), on="list", how="inner")
        # Without a stated amount nothing says that it is above the threshold: not counted (the paper, Section 4.1).
        members = members.where("amount > threshold")
    else:
        members = members.withColumn("threshold", F.lit(None).cast("decimal(38,9)"))
    overlaps = (F.col("first_day") <= F.col("last")) & (F.col("last_day") >= F.col("first"))
    return members.join(F.broadcast(periods(world, params["periods"])), on=overlaps, how="inner")


def _count(world: World, params: Mapping[str, Any], answer: Column) -> DataFrame:
    inside = (F.col("first_day") >= F.col("first")) & (F.col("last_day") <= F.col("last"))
    keys = ["list", "class", "noun", "plural", "topic", "country", "threshold", "first", "last", "from_year", "to_year"]
    groups = (
        _counted(world, params)
        .groupBy(*keys)
        .agg(
            F.count_if(~inside).alias("undecided"),
            answer.cast("bigint").alias("n"),
            F.count_if(F.year("first_day") != F.year("last_day")).alias("over_years"),
        )
    )
    named = world.names.select(F.col("entity").alias("country"), F.lit(True).alias("country_named"))
    reason = F.when(F.col("undecided") > 0, "a member may or may not fall into the window").when(
        F.col("country").isNotNull() & F.col("country_named").isNull(), "the country has no unambiguous name"
    )
    key = F.concat_ws("\x1f", "list", "country", "from_year", "to_year")
    return groups.join(named, on="country", how="left").select(
        *keys,
        "n",
        "over_years",
        F.lit(False).alias("popular"),
        F.when(F.col("country").isNotNull(), F.array("country"))
        .otherwise(F.array().cast(NO_COUNTRY))
        .alias("countries"),
        F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
        split_of(key, world.config).alias("split"),
        F.col("class").alias("head"),
        reason.alias("reason"),
    )


def count_events(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Events of a class in a window, a country, and above a threshold.

    T = floor(mean of the attribute over the members of the class in the whole window that state it), and "more than" is
    strict (DESIGN law 6).

    Args:
        world: The world.
        params: periods (year, window, span), by_country (bool), above (attribute id or nothing).

    Returns:
        Columns list, class, noun, plural, country, threshold, first, last, from_year, to_year, n, and the metadata. At
        least one member is in each.
    """
    return _count(world, params, F.count_distinct("entity"))


def count_years(world: World, params: Mapping[str, Any]) -> DataFrame:
    """In how many years of a window events of a class happened; none may last over a turn of the year.

    Args:
        world: The world.
        params: As for `count_events`.

    Returns:
        The columns of `count_events`; n counts years.
    """
    counted = _count(world, params, F.count_distinct(F.year("first_day")))
    over = F.when(F.col("over_years") > 0, "a member lasts over a turn of the year")
    return counted.withColumn("reason", F.coalesce("reason", over))


def count_holders(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many people held a position on some day of a window; only complete timelines.

    Args:
        world: The world.
        params: periods.

    Returns:
        Columns position, first, last, from_year, to_year, n, and the metadata.
    """
    touches = (F.col("first_day") <= F.col("last")) & (
        F.col("last_day").isNull() | (F.col("last_day") >= F.col("first"))
    )
    surely = (F.col("start_last") <= F.col("last")) & (
        F.col("end_first").isNull() | (F.col("end_first") >= F.col("first"))
    )
    terms = world.timelines.where("complete")
    known_from = terms.groupBy("position").agg(F.min("start_last").alias("known_from"))
    groups = (
        terms.join(F.broadcast(periods(world, params["periods"])), on=touches, how="inner")
        .join(known_from, on="position", how="inner")
        .groupBy("position", "known_from", "first", "last", "from_year", "to_year")
        .agg(F.count_distinct("holder").alias("n"), F.count_if(~surely).alias("undecided"))
    )
    named = world.names.select(F.col("entity").alias("position"), F.lit(True).alias("named"))
    reason = (
        F.when(F.col("undecided") > 0, "a term may or may not fall into the window")
        .when(F.col("known_from") > F.col("first"), "nobody is known to have held the position at the window's start")
        .when(F.col("named").isNull(), "the position has no unambiguous name")
    )
    return groups.join(named, on="position", how="left").select(
        "position",
        "first",
        "last",
        "from_year",
        "to_year",
        "n",
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
        F.lit(next(e.topic for e in world.lists if e.id == "heads_of_state")).alias("topic"),
        split_of(F.col("position"), world.config).alias("split"),
        F.col("position").alias("head"),
        reason.alias("reason"),
    )


def count_works(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many works of a list, by one maker, came out in a window.

    Args:
        world: The world.
        params: list, maker (attribute id of the maker, one value a work), date (attribute id of its date), periods.

    Returns:
        Columns maker, first, last, from_year, to_year, n, and the metadata; the asked entity is the maker.
    """
    dates = world.attributes.where(F.col("attribute") == params["date"]).select("entity", "first_day", "last_day")
    works = (
        world.members.where(F.col("list") == params["list"])
        .select("entity")
        .join(world.attributes.where(F.col("attribute") == params["maker"]), on="entity", how="inner")
        .select("entity", F.col("value_item").alias("maker"))
        .join(dates, on="entity", how="left")
    )
    undated = works.groupBy("maker").agg(F.count_if(F.col("first_day").isNull()).alias("undated"))
    overlaps = (F.col("first_day") <= F.col("last")) & (F.col("last_day") >= F.col("first"))
    inside = (F.col("first_day") >= F.col("first")) & (F.col("last_day") <= F.col("last"))
    groups = (
        works.join(F.broadcast(periods(world, params["periods"])), on=overlaps, how="inner")
        .groupBy("maker", "first", "last", "from_year", "to_year")
        .agg(F.count_distinct("entity").alias("n"), F.count_if(~inside).alias("undecided"))
        .join(undated, on="maker", how="inner")
    )
    makers = world.things.select(F.col("thing").alias("a"))
    reason = F.when(F.col("undated") > 0, "a work has no usable date").when(
        F.col("undecided") > 0, "a work may or may not fall into the window"
    )
    return groups.join(makers, on=F.col("maker") == F.col("a.entity"), how="inner").select(
        "maker",
        "first",
        "last",
        "from_year",
        "to_year",
        "n",
        F.lit(False).alias("popular"),
        F.col("a.countries").alias("countries"),
        F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
        F.col("a.topic").alias("topic"),
        F.col("a.split").alias("split"),
        F.col("a.entity").alias("head"),
        reason.alias("reason"),
    )
