"""Relations of attribute questions: one event or item, and what is stated of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from pipeline.questions.bind.common import with_metadata
from pipeline.questions.bind.world import World
from pipeline.world.splits import split_of


def lifetime(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Things with their time.

    Args:
        world: The world.
        params: kind (event or item), extents (list of instant, span, open).

    Returns:
        Column a (thing), start (struct first_day, precision) and end (struct last day as first_day, precision), and the
        metadata.
    """
    chosen = world.things.select(F.col("thing").alias("a")).where(
        (F.col("a.kind") == params["kind"]) & F.col("a.extent").isin(params["extents"])
    )
    return with_metadata(chosen, ["a"])


def single_value(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Things with the one value of an attribute.

    Args:
        world: The world.
        params: attributes (ids).

    Returns:
        Columns a (thing), v (attribute row), words, and the metadata.
    """
    chosen = world.values.where(F.col("v.attribute").isin(params["attributes"])).select(
        F.col("thing").alias("a"), "v", "words"
    )
    return with_metadata(chosen, ["a"])


def described(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Events that a description fits, with the one value of another attribute, or with their time.

    Args:
        world: The world.
        params: attributes (ids) that are asked for; none for the time.

    Returns:
        Columns a (thing), d (row of `descriptions`), v and words where attributes are asked for, and the metadata.
        Of several descriptions of an event one is taken, by hash.
    """
    order = F.xxhash64(F.lit(f"{world.config.seed}\x1fdescription"), "event", "attribute")
    told = (
        world.descriptions.groupBy("event")
        .agg(F.min_by(F.struct("attribute", "property", "amount", "description"), order).alias("d"))
        .select(F.col("event").alias("described"), "d")
    )
    if not params.get("attributes"):
        chosen = world.things.join(told, on=F.col("thing.entity") == F.col("described"), how="inner").select(
            F.col("thing").alias("a"), "d"
        )
        return with_metadata(chosen, ["a"])
    chosen = (
        world.values.where(F.col("v.attribute").isin(params["attributes"]))
        .join(told, on=F.col("thing.entity") == F.col("described"), how="inner")
        .where("v.attribute <> d.attribute")
        .select(F.col("thing").alias("a"), "v", "words", "d")
    )
    return with_metadata(chosen, ["a"])


def hop_chain(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Things with the value at the end of a hop chain.

    Args:
        world: The world.
        params: hops (ids of chains).

    Returns:
        Columns a (thing), h (row of `hops`), words, and the metadata.
    """
    rows = world.hops.where(F.col("hop").isin(params["hops"]))
    chosen = (
        world.things.join(rows.alias("h"), on=F.col("thing.entity") == F.col("h.entity"), how="inner")
        .join(F.broadcast(world.hop_words), on="hop", how="inner")
        .select(F.col("thing").alias("a"), F.struct(*(F.col(f"h.{c}") for c in rows.columns)).alias("h"), "words")
    )
    return with_metadata(chosen, ["a"])


def became(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Terms with their holder.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns a (thing: the holder), t (row of `timelines`), and the metadata. Who held the position more than once
        has no one start.
    """
    terms = world.timelines.select(
        "position",
        "holder",
        "once",
        F.struct("statement_id", "first_day", "start_last", "start_precision", "last_day").alias("t"),
    )
    # One row a holder and position, whichever term it shows where there are several: those give no question.
    terms = terms.groupBy("position", "holder", "once").agg(F.min("t").alias("t"))
    office = world.popularity.select(F.col("entity").alias("office"), F.col("popular").alias("office_popular"))
    chosen = (
        world.things.join(terms, on=F.col("thing.entity") == F.col("holder"), how="inner")
        .join(
            world.names.select(F.col("entity").alias("named_office")),
            on=F.col("position") == F.col("named_office"),
            how="left",
        )
        .join(office, on=F.col("position") == F.col("office"), how="left")
        .select(F.col("thing").alias("a"), "position", "t", "once", "office_popular", "named_office")
    )
    reason = F.when(~F.col("once"), "held the position more than once").when(
        F.col("named_office").isNull(), "the position has no unambiguous name"
    )
    return with_metadata(chosen, ["a"], reason).withColumn(
        "popular", F.col("popular") & F.coalesce("office_popular", F.lit(False))
    )


def reign(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Years in which one person held a position from the first day to the last, and nobody else on any day.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns position, year, holder, and the metadata; the asked entity is the position. Only complete timelines,
        and years of the window.
    """
    window = world.config.window
    terms = world.timelines.where("complete")
    last = F.coalesce(F.year("last_day"), F.lit(window.end.year))
    years = terms.select(
        "position",
        "holder",
        "first_day",
        "start_last",
        "end_first",
        "last_day",
        F.explode(
            F.sequence(
                F.greatest(F.year("first_day"), F.lit(window.start.year)),
                F.least(last, F.lit(window.end.year)),
            )
        ).alias("year"),
    ).where(
        (F.year("first_day") <= F.col("year"))
        & (last >= F.col("year"))
        & (F.year("first_day") <= window.end.year)
        & (last >= window.start.year)
    )
    new_year, eve = F.make_date("year", F.lit(1), F.lit(1)), F.make_date("year", F.lit(12), F.lit(31))
    whole = (F.col("start_last") <= new_year) & (F.col("end_first").isNull() | (F.col("end_first") >= eve))
    reigns = years.groupBy("position", "year").agg(
        F.count_distinct("holder").alias("holders"),
        F.bool_or(whole).alias("whole"),
        F.min("holder").alias("holder"),
    )
    return _positions(world, reigns)


def _positions(world: World, reigns: DataFrame) -> DataFrame:
    """Add what a question about a position carries."""
    year = F.col("year")
    span = F.struct(
        F.make_date(year, F.lit(1), F.lit(1)).alias("start"), F.make_date(year, F.lit(12), F.lit(31)).alias("end")
    )
    reason = (
        F.when(F.col("holders") > 1, "more than one holder in the year")
        .when(~F.col("whole"), "not held from the first day of the year to the last")
        .when(F.col("named").isNull(), "the position has no unambiguous name")
        .when(F.col("answer_named").isNull(), "the holder is not asked about")
    )
    holders = world.things.select(
        F.col("thing.entity").alias("holder"),
        F.col("thing.countries").alias("answer_countries"),
        F.col("thing.topic").alias("topic"),
        F.lit(True).alias("answer_named"),
    )
    popular = world.popularity.select(F.col("entity").alias("position"), "popular")
    named = world.names.select(F.col("entity").alias("position"), F.lit(True).alias("named"))
    return (
        reigns.join(holders, on="holder", how="left")
        .join(popular, on="position", how="left")
        .join(named, on="position", how="left")
        .select(
            "position",
            "year",
            "holder",
            F.coalesce("popular", F.lit(False)).alias("popular"),
            F.array().cast("array<bigint>").alias("countries"),
            span.alias("span"),
            F.coalesce("topic", F.lit("")).alias("topic"),
            split_of(F.col("position"), world.config).alias("split"),
            F.col("position").alias("head"),
            reason.alias("reason"),
        )
    )
