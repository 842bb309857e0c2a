"""Everything that can be compared, seated on rings: the things of one split that have a value of the same key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.core.session import held
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.budget import Ring, own_share, ringed
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.template import Template
from everwhen.language.lint import COMPARES, MEASURES
from everwhen.tables.descriptions import DESCRIPTIONS

TIME = "time"
"""The key under which events are compared by their own time."""

YEAR = r"(?<!Flight )\b(1\d{3}|20[0-2]\d)\b"
"""A year that a name or a description mentions; flights have numbers like it."""

BLOCK = ("kind", "by", "key", "on_list")
"""What things are compared by, in all splits."""

RING = ("kind", "by", "key", "on_list", "split")
"""What the things of one ring share; on_list is empty where things of all lists are compared."""


@dataclass(frozen=True)
class Seats:
    """The seats of all rings.

    Attributes:
        rows: One row a seat: seat (from 0 over all rings, ring by ring in the order of a seeded hash), near (the same
            in the order of the values), place (seat within its ring), entity, thing (its number, from 0), amount (the
            rank of its value: only which is greater counts), first_day, last_day, later (how many places further in
            the near order the first surely greater value stands), greater (how many of its ring are surely greater),
            year (the first that its name mentions, 0 for none), own (the number of what is compared on its ring), keys
            (the numbers of all that it is compared by, on whichever ring, ascending), forms (its descriptions that may
            be told: form, a hash of the form's id, number, the description's, and year, as of the name).
        things: What is asked about, one row an entity by number: number, entity, name, long_name, label, popular,
            countries, first_day, last_day, topic.
        told: The descriptions, by number: number, entity, key, description.
        rings: The rings, by number.
        words: Of each ring without its split (kind, by, key, on_list): property, hops, words, noun, which.
        judged: What could be compared: entity, key, and reason, why it takes no seat.
    """

    rows: DataFrame
    things: DataFrame
    told: DataFrame
    rings: list[Ring]
    words: DataFrame
    judged: DataFrame


def take_seats(world: World, templates: Sequence[Template]) -> Seats:
    """Seat all that can be compared: by their time, the end of a hop chain or such an amount as death tolls events with
    all events, else things with those of their list.

    Args:
        world: The world.
        templates: The templates; only by what they compare is anything seated.
    """
    judged = _compared(world).transform(held)
    asked = sorted({f"{t.params['kind']} {t.params['by']}" for t in ringed(templates)})
    compared = judged.where("reason IS NULL").where(F.concat_ws(" ", "kind", "by").isin(asked)).drop("reason")
    things = _numbered(compared.select("thing.*").drop_duplicates(["entity"]), world)
    told, forms = _forms(world, compared)
    seated = _seated(world, compared, things, forms).transform(held)
    lists = F.when(F.col("on_list") != "", F.col("thing.noun")), F.when(F.col("on_list") != "", F.col("thing.which"))
    words = (
        compared.groupBy("kind", "by", "key", "on_list")
        .agg(
            F.min("v.property").alias("property"),
            F.min("v.hops").alias("hops"),
            F.min(lists[0]).alias("noun"),
            F.min(lists[1]).alias("which"),
        )
        .join(F.broadcast(world.words), on="key", how="left")
    )
    passed = judged.select(F.col("thing.entity").alias("entity"), "key", "reason")
    return Seats(seated.drop(*RING), things, told, _rings(seated), words, passed)


def _compared(world: World) -> DataFrame:
    """What can be compared: columns thing, v, those of RING, and reason, why a thing takes no seat."""
    void = {"hops": F.array().cast("array<int>"), "key": F.lit(TIME)}
    own = {name: F.col(f"thing.{name}") for name in ("first_day", "last_day", "precision")}
    by_time = world.things.where("thing.kind = 'event' AND thing.last_day IS NOT NULL").select(
        "thing",
        F.struct(
            void["key"].alias("key"),
            F.lit(None).cast("int").alias("property"),
            void["hops"].alias("hops"),
            F.lit(None).cast("bigint").alias("value_item"),
            F.lit(None).cast("decimal(38,9)").alias("amount"),
            *(own[name].alias(name) for name in own),
        ).alias("v"),
        F.lit(True).alias("across"),
    )
    # What has words for it is compared: a quantity by degrees, a time by a verb, the end of a hop chain by either.
    stated = world.values.where(
        F.when(F.size("v.hops") > 0, F.col("words")["which"].isNotNull())
        .when(F.col("v.amount").isNotNull(), F.col("words")["high"].isNotNull())
        .otherwise(F.col("v.first_day").isNotNull() & F.col("words")["verb"].isNotNull())
    )
    event = F.col("thing.kind") == "event"
    across = event & ((F.size("v.hops") > 0) | F.coalesce(F.col("words")["across"] == "yes", F.lit(False)))
    rows = by_time.unionByName(stated.select("thing", "v", across.alias("across")))
    # Told before anybody sits down: what is never asked would leave gaps in its ring.
    named = world.named_texts.select("entity", "name", _year_in("long_name").alias("year"))
    confusing = F.regexp_replace("name", MEASURES.pattern, "").rlike(COMPARES.pattern)
    reason = F.when(F.col("name").isNull(), BindingReason.NAMELESS_ENTITY).when(confusing, RejectReason.COMPARING_NAME)
    return rows.join(named, on=F.col("thing.entity") == F.col("entity"), how="left").select(
        "thing",
        "v",
        F.col("thing.kind").alias("kind"),
        _by().alias("by"),
        F.col("v.key").alias("key"),
        F.when(F.col("across"), "").otherwise(F.col("thing.list")).alias("on_list"),
        F.col("thing.split").alias("split"),
        F.coalesce("year", F.lit(0)).alias("year"),
        reason.alias("reason"),
    )


def _year_in(text: str) -> Column:
    """The first year that a text mentions; 0 for none."""
    return F.coalesce(F.try_to_number(F.regexp_extract(text, YEAR, 1), F.lit("9999")), F.lit(0)).cast("int")


def _by() -> Column:
    """What templates call it that things are compared by."""
    hop, time = F.size("v.hops") > 0, F.col("v.amount").isNull()
    return (
        F.when(F.col("v.key") == TIME, TIME)
        .when(hop & time, "hop times")
        .when(hop, "hop amounts")
        .when(time, "times")
        .otherwise("amounts")
    )


def _numbered(things: DataFrame, world: World) -> DataFrame:
    """Things with their names, and a number each."""
    named = things.join(world.named_texts, on="entity", how="inner")
    return named.select(
        (F.row_number().over(Window.orderBy("entity")) - 1).alias("number"),
        *("entity", "name", "long_name", "label", "popular", "countries", "first_day", "last_day", "topic"),
    ).transform(held)


def _forms(world: World, compared: DataFrame) -> tuple[DataFrame, DataFrame]:
    """The descriptions of what is compared, numbered; and for each thing and key those that do not tell the answer."""
    things = compared.select("thing.entity").distinct()
    read = world.build.read(DESCRIPTIONS).join(things, on="entity", how="left_semi")
    told = read.withColumn("number", F.row_number().over(Window.orderBy("entity", "key")) - 1).transform(held)
    asked = compared.select(
        F.col("thing.entity").alias("entity"),
        F.col("key").alias("by_key"),
        F.concat("v.hops", F.filter(F.array("v.property"), lambda p: p.isNotNull())).alias("asked"),
    )
    form = F.struct(F.xxhash64("key").alias("form"), "number", _year_in("description").alias("year"))
    forms = (
        asked.join(told, on="entity", how="inner")
        .where(~F.arrays_overlap("properties", "asked"))
        .groupBy("entity", "by_key")
        .agg(F.array_sort(F.collect_list(form)).alias("forms"))
    )
    return told.select("number", "entity", "key", "description"), forms


def _seated(world: World, compared: DataFrame, things: DataFrame, forms: DataFrame) -> DataFrame:
    """Seats, with RING; see `Seats.rows`."""
    numbers = things.select("entity", F.col("number").alias("thing"))
    rows = compared.select(
        *RING,
        F.col("thing.entity").alias("entity"),
        F.dense_rank().over(Window.partitionBy(*RING).orderBy("v.amount")).alias("amount"),
        *(F.col(f"v.{day}").alias(day) for day in ("first_day", "last_day")),
        F.col("v.amount").isNull().alias("is_time"),
        "year",
    ).withColumn("order", world.hash_of("ring", "key", "entity"))
    # Days and ranks on one axis: from `low` to `high` the value lies.
    days = {name: F.unix_date(name) for name in ("first_day", "last_day")}
    rows = rows.withColumn("low", F.when(F.col("is_time"), days["first_day"]).otherwise(F.col("amount")))
    rows = rows.withColumn("high", F.when(F.col("is_time"), days["last_day"]).otherwise(F.col("amount")))
    rows = rows.join(F.broadcast(_key_numbers(world, compared)), on=list(BLOCK), how="inner")
    keys = rows.groupBy("entity").agg(F.array_sort(F.collect_list("own")).alias("keys"))
    rows = rows.join(keys, on="entity", how="inner")
    rings = Window.orderBy(*RING)
    each = Window.partitionBy(*RING)
    placed = (
        _with_later(rows)
        .withColumn("place", F.row_number().over(each.orderBy("order", "entity")) - 1)
        .withColumn("near_place", F.row_number().over(each.orderBy("low", "order", "entity")) - 1)
    )
    sizes = placed.groupBy(*RING).agg(F.count(F.lit(1)).alias("n"))
    before = rings.rowsBetween(Window.unboundedPreceding, -1)
    offsets = sizes.select(*RING, F.coalesce(F.sum("n").over(before), F.lit(0)).alias("offset"), "n")
    return (
        placed.join(F.broadcast(offsets), on=list(RING), how="inner")
        .join(numbers, on="entity", how="inner")
        .join(forms.withColumnRenamed("by_key", "key"), on=["entity", "key"], how="left")
        .select(
            *RING,
            (F.col("offset") + F.col("place")).alias("seat"),
            (F.col("offset") + F.col("near_place")).alias("near"),
            F.col("place").cast("int").alias("place"),
            "offset",
            "entity",
            F.col("thing").cast("int").alias("thing"),
            F.col("amount").cast("int").alias("amount"),
            "first_day",
            "last_day",
            (F.col("before") - F.col("near_place")).cast("int").alias("later"),
            (F.col("n") - F.col("before")).alias("greater"),
            "year",
            "own",
            "keys",
            F.coalesce("forms", F.array().cast("array<struct<form:bigint,number:int,year:int>>")).alias("forms"),
        )
    )


def _key_numbers(world: World, compared: DataFrame) -> DataFrame:
    """A number for all that things are compared by: BLOCK and own. A seeded hash is their order, since it decides."""
    blocks = compared.select(*BLOCK).distinct()
    return blocks.withColumn("own", F.row_number().over(Window.orderBy(world.hash_of("block", *BLOCK), *BLOCK)))


def _with_later(rows: DataFrame) -> DataFrame:
    """Add `before`: how many things of the ring have a value that is not surely greater, itself among them.

    Lows and highs stand on one axis; what has its low at or before a high is counted by one running sum.
    """
    axis = rows.select(*RING, "entity", F.col("low").alias("at"), F.lit(1).alias("one"), F.lit(0).alias("end"))
    ends = rows.select(*RING, "entity", F.col("high").alias("at"), F.lit(0).alias("one"), F.lit(1).alias("end"))
    running = Window.partitionBy(*RING).orderBy("at").rangeBetween(Window.unboundedPreceding, Window.currentRow)
    counted = axis.unionByName(ends).withColumn("before", F.sum("one").over(running)).where("end = 1")
    return rows.join(counted.select(*RING, "entity", "before"), on=[*RING, "entity"], how="inner")


def _rings(seated: DataFrame) -> list[Ring]:
    """The rings, with what decides how many pairs they give."""
    sets: dict[int, list[tuple[Sequence[int], int]]] = defaultdict(list)
    for row in seated.groupBy("offset", "keys").agg(F.count(F.lit(1)).alias("n")).collect():
        sets[row["offset"]].append((row["keys"], row["n"]))
    found = (
        seated.groupBy(*RING)
        .agg(
            F.min("offset").alias("offset"),
            F.count(F.lit(1)).alias("n"),
            F.count_if(F.size("forms") > 0).alias("described"),
            F.count_if(F.exists("forms", lambda form: form["year"] > 0)).alias("described_by_year"),
            F.array_sort(F.collect_list(F.when(F.col("year") > 0, F.col("year")))).alias("years"),
            F.array_sort(F.collect_list("greater")).alias("greater"),
        )
        .orderBy("offset")
        .collect()
    )
    return [
        Ring(
            number=number,
            kind=row["kind"],
            by=row["by"],
            key=row["key"],
            list=row["on_list"],
            split=row["split"],
            offset=int(row["offset"]),
            seats=int(row["n"]),
            described=int(row["described"]),
            described_by_year=int(row["described_by_year"]),
            years=tuple(Counter(row["years"]).values()),
            own=own_share(sets[row["offset"]]),
            later=np.array(row["greater"], dtype=np.int64),
        )
        for number, row in enumerate(found)
    ]
