"""Everything that can be compared, in blocks: like things of one split that have a value of the same key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.core.session import held
from everwhen.families.complextempqa.bind.declared import surely_unique
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.budget import Block, blocked, own_share
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.template import Template
from everwhen.language.lint import COMPARES
from everwhen.tables.ranks import best_rank
from everwhen.tables.statements import STATEMENTS
from everwhen.wikidata.properties import Property

TIME = "time"
"""The key under which events are compared by their own time."""

YEAR = r"(?<!Flight )\b(1\d{3}|20[0-2]\d)\b"
"""A year that a name or a description mentions; flights have numbers like it."""

NUMBER = r"(?<!Flight )\b[0-9]+(st|nd|rd|th)?\b|\b(First|Second|Third|Fourth|Fifth|Sixth|[IVX]+)\b"
"""A number that tells which of a series comes first ("64th Academy Awards", "Second Congo War"); no flight's."""

COMPARED_BY = ("kind", "by", "key", "on_list", "alike")
"""What things are compared by, in all splits. `on_list` is empty where lists are compared; `alike` joins their group,
what is shared, and what is near."""

BLOCK = (*COMPARED_BY, "split")
"""What the things of one block share."""

DAYS_APART = 30
"""Times that are compared lie further apart: what happened in the same month is often disputed, or nobody asks."""

AMOUNTS_APART = 0.05
"""Amounts that are compared differ by a larger share: counts of victims and running times differ by source."""

YEARS_NEAR = 20
"""Times that are compared lie in the same so many years: nobody asks which of two came first by half a century."""

SHIFTS = 1 << 30
"""How many hashes of a thing there are to say where its turns begin."""


@dataclass(frozen=True)
class Seats:
    """The seats of all blocks.

    Attributes:
        rows: One row a seat: seat (from 0 over all blocks, in the order of the values within a block), place (within
            its block), gap (how many places further its first partner stands), partners (how many it has from there
            on), turn (its place in the order of a seeded hash), shift (that hash, an int), entity, thing (its number,
            from 0), amount (the rank of its value: only which is greater counts), first_day, last_day, year (the first
            that its name mentions, 0 for none), series (a hash of its name without the number, 0 where it has none),
            own (the number of what is compared in its block), keys (the numbers of all that it is compared by, in
            whichever block, ascending), forms (its descriptions that may be told: form, a hash of the form's id,
            number, the description's, and year, as of the name).
        things: What is asked about, one row an entity by number: number, entity, name, long_name, label, popular,
            countries, first_day, last_day, topic.
        told: The descriptions, by number: number, entity, key, description.
        blocks: The blocks, by number.
        words: Of what things are compared by (COMPARED_BY): property, hops, words, noun, which.
        judged: What could be compared: entity, key, and reason, why it takes no seat.
    """

    rows: DataFrame
    things: DataFrame
    told: DataFrame
    blocks: list[Block]
    words: DataFrame
    judged: DataFrame


def take_seats(world: World, templates: Sequence[Template]) -> Seats:
    """Seat all that can be compared: events by their time with those of their group of lists, else things with those of
    their list (`EntityList.group`), and of these those that share what the list names (`EntityList.alike_by`).

    Args:
        world: The world.
        templates: The templates; only by what they compare is anything seated.
    """
    judged = _compared(world).transform(held)
    asked = sorted({f"{t.params['kind']} {t.params['by']}" for t in blocked(templates)})
    compared = judged.where("reason IS NULL").where(F.concat_ws(" ", "kind", "by").isin(asked)).drop("reason")
    things = _numbered(compared.select("thing.*").drop_duplicates(["entity"]), world)
    told, forms = _forms(world, compared)
    seated = _seated(world, compared, things, forms).transform(held)
    lists = F.when(F.col("on_list") != "", F.col("thing.noun")), F.when(F.col("on_list") != "", F.col("thing.which"))
    words = (
        compared.groupBy(*COMPARED_BY)
        .agg(
            F.min("v.property").alias("property"),
            F.min("v.hops").alias("hops"),
            F.min(lists[0]).alias("noun"),
            F.min(lists[1]).alias("which"),
        )
        .join(F.broadcast(world.words), on="key", how="left")
    )
    passed = judged.select(F.col("thing.entity").alias("entity"), "key", "reason")
    return Seats(seated.drop(*BLOCK), things, told, _blocks(seated), words, passed)


def _compared(world: World) -> DataFrame:
    """What can be compared: columns thing, v, those of BLOCK, and reason, why a thing takes no seat."""
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
    )
    # What has words for it is compared: a quantity by degrees, a time by a verb, the end of a hop chain by either.
    stated = world.values.where(
        F.when(F.size("v.hops") > 0, F.col("words")["which"].isNotNull())
        .when(F.col("v.amount").isNotNull(), F.col("words")["high"].isNotNull())
        .otherwise(F.col("v.first_day").isNotNull() & F.col("words")["verb"].isNotNull())
    )
    rows = by_time.unionByName(stated.select("thing", "v"))
    # Told before anybody sits down: what is never asked would leave gaps in its block.
    named = world.named_texts.select("entity", "name", _year_in("long_name").alias("year"), _series())
    confusing = F.col("name").rlike(COMPARES.pattern)
    reason = (
        F.when(F.col("name").isNull(), BindingReason.NAMELESS_ENTITY)
        .when(confusing, RejectReason.COMPARING_NAME)
        .when((F.size("alike_by") > 0) & F.col("shared").isNull(), BindingReason.NOTHING_SHARED)
        .when(
            F.col("v.amount").isNotNull() & F.expr("thing.kind = 'item' AND thing.extent = 'span'"),
            BindingReason.NO_MORE,
        )
        .when(F.col("v.amount") == 0, BindingReason.NONE_COMPARED)
    )
    shares = read_settings(world.config).compare_alike
    groups = [(e.id, e.group or e.id, e.alike_by if shares else []) for e in world.lists]
    group = F.broadcast(world.spark.createDataFrame(groups, "of_list string, list_group string, alike_by array<int>"))
    # What both lead to is not compared by what they share on the way: the directors of films of one director.
    alike = F.when((F.size("alike_by") > 0) & ~F.arrays_overlap("v.hops", "alike_by"), F.col("shared"))
    near = _near() if shares else F.lit(None).cast("string")
    grouped = F.col("v.key") == TIME
    rows = (
        rows.join(named, on=F.col("thing.entity") == F.col("entity"), how="left")
        .join(_shared(world), on=F.col("thing.entity") == F.col("of_thing"), how="left")
        .join(group, on=F.col("thing.list") == F.col("of_list"), how="inner")
    )
    return rows.select(
        "thing",
        "v",
        F.col("thing.kind").alias("kind"),
        _by().alias("by"),
        F.col("v.key").alias("key"),
        F.when(grouped, "").otherwise(F.col("thing.list")).alias("on_list"),
        F.concat_ws(" ", F.when(grouped, F.col("list_group")), alike, near).alias("alike"),
        F.col("thing.split").alias("split"),
        F.coalesce("year", F.lit(0)).alias("year"),
        "series",
        reason.alias("reason"),
    )


def _near() -> Column:
    """The years in which a time lies ("1980 to 1999"), or the powers of two around an amount ("2^5 to 2^6")."""
    first = (F.floor(F.year("v.first_day") / YEARS_NEAR) * YEARS_NEAR).cast("int")
    years = F.concat_ws(" to ", first.cast("string"), (first + YEARS_NEAR - 1).cast("string"))
    # By its binary digits, which are the same on every machine; logarithms are not.
    power = F.length(F.bin(F.floor(F.abs("v.amount")))) - 1
    powers = F.format_string("2^%d to 2^%d", power, power + 1)
    return F.when(F.col("v.amount").isNull(), years).otherwise(powers)


def _shared(world: World) -> DataFrame:
    """What things share with others of their list by the properties that it names: columns of_thing, shared (item ids).

    Of several values of a property the one that most members have counts, then the least. What has no value of one of
    them shares nothing.
    """
    named = [(e.id, property, len(e.alike_by)) for e in world.lists for property in e.alike_by]
    properties = world.spark.createDataFrame(sorted(named), "list string, property int, needed int")
    stated = best_rank(world.build.read(STATEMENTS)).where("value_item IS NOT NULL")
    rows = (
        world.things.select("thing.entity", "thing.list")
        .join(F.broadcast(properties), on="list", how="inner")
        .join(
            stated.select(F.col("subject").alias("entity"), "property", "value_item"),
            on=["entity", "property"],
            how="inner",
        )
        .distinct()
    )
    members = F.count(F.lit(1)).over(Window.partitionBy("list", "property", "value_item"))
    counted = rows.withColumn("order", F.struct(members.alias("members"), (-F.col("value_item")).alias("least")))
    commonest = counted.groupBy("entity", "property", "needed").agg(F.max_by("value_item", "order").alias("item"))
    of_each = F.array_sort(F.collect_list(F.struct("property", "item")))["item"]
    return (
        commonest.groupBy(F.col("entity").alias("of_thing"), "needed")
        .agg(F.concat_ws(" ", of_each.cast("array<string>")).alias("shared"), F.count(F.lit(1)).alias("found"))
        .where("found = needed")
        .select("of_thing", "shared")
    )


def _year_in(text: str) -> Column:
    """The first year that a text mentions; 0 for none."""
    return F.coalesce(F.try_to_number(F.regexp_extract(text, YEAR, 1), F.lit("9999")), F.lit(0)).cast("int")


def _series() -> Column:
    """What a name with a number shares with the others of its series ("60th Academy Awards"): a hash; 0 for none."""
    numbered = F.col("name").rlike(NUMBER)
    return F.when(numbered, F.xxhash64(F.regexp_replace("name", NUMBER, "#"))).otherwise(0).alias("series")


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
    read = surely_unique(world).join(things, on="entity", how="left_semi")
    told = read.withColumn("number", F.row_number().over(Window.orderBy("entity", "key")) - 1).transform(held)
    asked = compared.select(
        F.col("thing.entity").alias("entity"),
        F.col("key").alias("by_key"),
        # What follows another thing is later: it is not told where times are compared.
        F.concat(
            "v.hops", F.array_compact(F.array("v.property", F.when(F.col("v.amount").isNull(), Property.FOLLOWS.value)))
        ).alias("asked"),
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
    """Seats, with BLOCK; see `Seats.rows`."""
    numbers = things.select("entity", F.col("number").alias("thing"))
    days = {name: F.unix_date(f"v.{name}").cast("double") for name in ("first_day", "last_day")}
    amount = F.col("v.amount").cast("double")
    is_time = F.col("v.amount").isNull()
    rows = compared.select(
        *BLOCK,
        F.col("thing.entity").alias("entity"),
        F.dense_rank().over(Window.partitionBy(*BLOCK).orderBy("v.amount")).alias("amount"),
        *(F.col(f"v.{day}").alias(day) for day in ("first_day", "last_day")),
        # On one axis: from `low` the value lies, and what is compared with it begins behind `high`.
        F.when(is_time, days["first_day"]).otherwise(amount).alias("low"),
        F.when(is_time, days["last_day"] + DAYS_APART).otherwise(amount + AMOUNTS_APART * F.abs(amount)).alias("high"),
        "year",
        "series",
    ).withColumn("order", world.hash_of("seat", "key", "entity"))
    rows = rows.join(F.broadcast(_key_numbers(world, compared)), on=list(COMPARED_BY), how="inner")
    keys = rows.groupBy("entity").agg(F.array_sort(F.collect_list("own")).alias("keys"))
    rows = rows.join(keys, on="entity", how="inner")
    each = Window.partitionBy(*BLOCK)
    placed = (
        _with_before(rows)
        .withColumn("place", F.row_number().over(each.orderBy("low", "order", "entity")) - 1)
        .withColumn("less", F.rank().over(each.orderBy("low")) - 1)
        .withColumn("turn", F.row_number().over(each.orderBy("order", "entity")) - 1)
    )
    sizes = placed.groupBy(*BLOCK).agg(F.count(F.lit(1)).alias("n"))
    ahead = Window.orderBy(*BLOCK).rowsBetween(Window.unboundedPreceding, -1)
    offsets = sizes.select(*BLOCK, F.coalesce(F.sum("n").over(ahead), F.lit(0)).alias("offset"), "n")
    # Not at the first that is greater, or all that tie would meet the same few: the second of them begins one later.
    gap = F.col("before") - F.col("less")
    return (
        placed.join(F.broadcast(offsets), on=list(BLOCK), how="inner")
        .join(numbers, on="entity", how="inner")
        .join(forms.withColumnRenamed("by_key", "key"), on=["entity", "key"], how="left")
        .select(
            *BLOCK,
            (F.col("offset") + F.col("place")).alias("seat"),
            F.col("place").cast("int").alias("place"),
            gap.cast("int").alias("gap"),
            F.greatest(F.lit(0), F.col("n") - F.col("place") - gap).cast("int").alias("partners"),
            F.col("turn").cast("int").alias("turn"),
            F.pmod("order", F.lit(SHIFTS)).cast("int").alias("shift"),
            "offset",
            "entity",
            F.col("thing").cast("int").alias("thing"),
            F.col("amount").cast("int").alias("amount"),
            "first_day",
            "last_day",
            "year",
            "series",
            "own",
            "keys",
            F.coalesce("forms", F.array().cast("array<struct<form:bigint,number:int,year:int>>")).alias("forms"),
        )
    )


def _key_numbers(world: World, compared: DataFrame) -> DataFrame:
    """A number for all that things are compared by: COMPARED_BY and own. A seeded hash is their order."""
    blocks = compared.select(*COMPARED_BY).distinct()
    order = Window.orderBy(world.hash_of("block", *COMPARED_BY), *COMPARED_BY)
    return blocks.withColumn("own", F.row_number().over(order))


def _with_before(rows: DataFrame) -> DataFrame:
    """Add `before`: how many things of the block have a value that is not surely greater, itself among them.

    Lows and highs stand on one axis; what has its low at or before a high is counted by one running sum.
    """
    axis = rows.select(*BLOCK, "entity", F.col("low").alias("at"), F.lit(1).alias("one"), F.lit(0).alias("end"))
    ends = rows.select(*BLOCK, "entity", F.col("high").alias("at"), F.lit(0).alias("one"), F.lit(1).alias("end"))
    running = Window.partitionBy(*BLOCK).orderBy("at").rangeBetween(Window.unboundedPreceding, Window.currentRow)
    counted = axis.unionByName(ends).withColumn("before", F.sum("one").over(running)).where("end = 1")
    return rows.join(counted.select(*BLOCK, "entity", "before"), on=[*BLOCK, "entity"], how="inner")


def _blocks(seated: DataFrame) -> list[Block]:
    """The blocks, with what decides how many pairs they give."""
    sets: dict[int, list[tuple[Sequence[int], int]]] = defaultdict(list)
    for row in seated.groupBy("offset", "keys").agg(F.count(F.lit(1)).alias("n")).collect():
        sets[row["offset"]].append((row["keys"], row["n"]))
    # The second partner stands about as far behind the first as the first behind the thing itself.
    triples = F.greatest(F.lit(0), F.expr("(partners - gap + 1) div 2"))
    found = (
        seated.groupBy(*BLOCK)
        .agg(
            F.min("offset").alias("offset"),
            F.count(F.lit(1)).alias("n"),
            F.count_if(F.size("forms") > 0).alias("described"),
            F.count_if(F.exists("forms", lambda form: form["year"] > 0)).alias("described_by_year"),
            F.array_sort(F.collect_list(F.when(F.col("year") > 0, F.col("year")))).alias("years"),
            F.array_sort(F.collect_list("partners")).alias("partners"),
            F.array_sort(F.collect_list(triples)).alias("triples"),
        )
        .orderBy("offset")
        .collect()
    )
    return [
        Block(
            number=number,
            kind=row["kind"],
            by=row["by"],
            key=row["key"],
            list=row["on_list"],
            alike=row["alike"],
            split=row["split"],
            offset=int(row["offset"]),
            seats=int(row["n"]),
            described=int(row["described"]),
            described_by_year=int(row["described_by_year"]),
            years=tuple(Counter(row["years"]).values()),
            own=own_share(sets[row["offset"]]),
            partners=np.array(row["partners"], dtype=np.int64),
            triples=np.array(row["triples"], dtype=np.int64),
        )
        for number, row in enumerate(found)
    ]
