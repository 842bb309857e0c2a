"""Relations of counting questions: how many members of a class fall into a window, and in how many years.

What is counted is every member of a class that the facts hold, whether it could be named in a question or not. A member
that may or may not fall into a window makes the count undecided: no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.catalog.load import load_attributes, load_hops
from everwhen.core.hashing import split_of
from everwhen.core.session import held
from everwhen.families.complextempqa.bind.common import NO_COUNTRY, with_metadata
from everwhen.families.complextempqa.bind.office import NAMELESS_POSITION
from everwhen.families.complextempqa.bind.periods import inside, overlaps, periods
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.reasons import BindingReason

MOST_VACANT = 92
"""Days for which a position may be vacant, in the facts, without a doubt that they hold all who held it."""

FLOOR_OF_MEAN = "sum(amount) div count(1) - IF(sum(amount) < 0 AND sum(amount) % count(1) <> 0, 1, 0)"
"""Exact; `div` alone rounds what is below zero up."""

FOREVER = "9999-12-31"
"""The last day of what has no known end."""

NO_AMOUNT = ""
"""The key of members that are counted without a threshold."""

GROUP = ("list", "list_kind", "class", "key", "property", "hops", "threshold", "of", "of_id", "of_name")


def count(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Members of a class in a window, of a country or operator, above a threshold.

    T = floor(mean of the amount over the members of the class in the whole window that have it), and "more than" is
    strict. A member of no known amount is not counted: nothing says that it is above the threshold (the paper,
    Section 4.1).

    Args:
        world: The world.
        params: kind (event or item), periods (year, window, span), of (country, operator; nothing for all), above
            (nothing: no threshold; attribute: above the mean of an attribute; hop: of the end of a hop chain), every
            (whether years are counted: then no member may last over a turn of the year).

    Returns:
        Columns list, class, noun, a_noun, plural, of_id, of_name, threshold, more ("more than 38 deaths"), property,
        hops, when, n, years, and the metadata; the asked entities are the class and what it is counted by.
    """
    above = {"attribute": "key <> '' AND size(hops) = 0", "hop": "size(hops) > 0"}.get(
        params.get("above", ""), "key = ''"
    )
    rows = (
        world.once("counts", lambda: _counts(world))
        .where((F.col("list_kind") == params["kind"]) & (F.col("of") == params.get("of", "")))
        .where(above)
        .where(F.col("period").isin(params["periods"]))
    )
    if params.get("every"):
        over = F.when(F.col("over_years") > 0, BindingReason.MEMBER_OVER_YEARS)
        rows = rows.withColumn("reason", F.coalesce("reason", over))
    return rows


def _counts(world: World) -> DataFrame:
    """All counts at once: every class, alone, by country and by operator, with and without thresholds."""
    # What is open, or has no known end, may end in any window after its start; it surely does not lie in one whole.
    begun_before = (F.col("last_day") == F.lit(FOREVER).cast("date")) & (F.col("first_day") < F.col("first"))
    groups = (
        _counted(world)
        .join(F.broadcast(_named_periods(world)), on=overlaps() & ~begun_before, how="inner")
        .groupBy(*GROUP, "first", "last", "when", "period")
        .agg(
            F.count_distinct("entity").alias("n"),
            F.count_distinct(F.year("first_day")).alias("years"),
            F.count_if(~inside()).alias("undecided"),
            F.count_if("unknown").alias("unknown"),
            F.count_if(F.year("first_day") != F.year("last_day")).alias("over_years"),
        )
    )
    named = groups.join(world.named, on=F.col("of_id") == F.col("named"), how="left")
    unnamed = (F.col("of") != "") & F.col("named").isNull()
    reason = (
        F.when(F.col("undecided") > 0, BindingReason.MEMBER_AT_EDGE)
        .when(F.col("unknown") > 0, BindingReason.UNKNOWN_PATH_VALUE)
        .when(unnamed, F.replace(F.lit(BindingReason.NAMELESS), F.lit("{what}"), F.col("of")))
    )
    digits = F.when(F.col("threshold") == 1, F.lit("one")).otherwise(F.format_number("threshold", 0))
    said = F.when(F.col("threshold") == 1, F.col("words")["more_one"])
    more = F.replace(F.coalesce(said, F.col("words")["more"]), F.lit("{amount}"), digits)
    asked = F.concat_ws("\x1f", "list", "of", "of_id", "key", "when")
    # Countries may recur in other splits; an operator may be a company that is asked about itself.
    split = F.when(F.col("of") == "operator", split_of(F.col("of_id"), world.config)).otherwise(
        split_of(asked, world.config)
    )
    return (
        named.join(F.broadcast(world.words), on="key", how="left")
        .join(F.broadcast(world.list_words.drop("list_kind", "class")), on="list", how="inner")
        .select(
            *(c for c in GROUP if c != "of_name"),
            "period",
            "when",
            F.col("name").alias("of_name"),
            "noun",
            "a_noun",
            "plural",
            more.alias("more"),
            "n",
            "years",
            "over_years",
            F.lit(False).alias("popular"),
            F.coalesce("own_country", F.array().cast(NO_COUNTRY)).alias("countries"),
            F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
            F.col("list_topic").alias("topic"),
            split.alias("split"),
            F.col("class").alias("head"),
            reason.alias("reason"),
        )
    )


def _named_periods(world: World) -> DataFrame:
    """The periods with their kind: columns of `periods`, and period."""
    kinds = [periods(world, [kind]).withColumn("period", F.lit(kind)) for kind in ("year", "window", "span")]
    return kinds[0].unionByName(kinds[1]).unionByName(kinds[2])


def _counted(world: World) -> DataFrame:
    """Dated members of classes, once for each way of counting: columns of GROUP, entity, unknown and days.

    The days are those between which a member lies, whichever of its stated times is right: an election of two rounds
    counts where both lie in the window. Members without any stated time cannot be counted.
    """
    classes = world.list_words.where("NOT linked").select("list", "list_kind", "class")
    members = (
        world.members.where("earliest IS NOT NULL AND (latest IS NULL OR latest >= earliest)")
        .withColumn("first_day", F.col("earliest"))
        .withColumn("last_day", F.coalesce("latest", F.lit(FOREVER).cast("date")))
        .join(F.broadcast(classes), on="list", how="inner")
        .select("list", "list_kind", "class", "entity", "first_day", "last_day", "countries")
    )
    bare = members.where("list_kind = 'event'").select(
        "*",
        F.lit(NO_AMOUNT).alias("key"),
        F.lit(None).cast("int").alias("property"),
        F.array().cast("array<int>").alias("hops"),
        F.lit(None).cast("decimal(38,9)").alias("threshold"),
        F.lit(False).alias("unknown"),
    )
    by_all = bare.unionByName(_above(world, members)).withColumn("of", F.lit(""))
    # Kept, since it is read three times: alone, by country and by operator.
    by_all = by_all.withColumn("of_id", F.lit(None).cast("bigint")).transform(held)
    by_country = by_all.where("list_kind = 'event' AND size(hops) = 0").select(
        *(c for c in by_all.columns if c not in ("of", "of_id")),
        F.lit("country").alias("of"),
        F.explode("countries").alias("of_id"),
    )
    operators = world.attributes.where("attribute = 'operator'").select("entity", F.col("value_item").alias("of_id"))
    by_operator = (
        by_all.where("list_kind = 'event' AND size(hops) = 0")
        .drop("of", "of_id")
        .join(operators, on="entity", how="inner")
        .withColumn("of", F.lit("operator"))
    )
    every = by_all.unionByName(by_country).unionByName(by_operator)
    return every.withColumn("of_name", F.lit(None).cast("string")).select(
        *GROUP, "entity", "unknown", "first_day", "last_day"
    )


def _above(world: World, members: DataFrame) -> DataFrame:
    """Members above the mean of their class, for each amount that templates may name a threshold of.

    Of a hop chain also those that it starts from, and that it does not lead to a known value: unknown.
    """
    window = world.config.window
    told = world.words.where("words['more'] IS NOT NULL").select("key")
    amounts = members.join(world.amounts, on="entity", how="inner").join(F.broadcast(told), on="key", how="left_semi")
    comparable = (F.col("first_day") >= F.lit(window.start)) & (F.col("last_day") <= F.lit(window.end))
    means = (
        amounts.where(comparable)
        .groupBy("list", "key")
        .agg(
            F.expr(FLOOR_OF_MEAN).cast("decimal(38,9)").alias("threshold"),
            F.min("property").alias("property"),
            F.min("hops").alias("hops"),
            (F.min("amount") < F.max("amount")).alias("differ"),
        )
        .where("differ")
        .drop("differ")
    )
    above = (
        amounts.drop("property", "hops")
        .join(F.broadcast(means), on=["list", "key"], how="inner")
        .where("amount > threshold")
        .select(*members.columns, "key", "property", "hops", "threshold", F.lit(False).alias("unknown"))
    )
    started = {h.hops[0] for h in load_hops() if "more" in h.words}
    first_hops = world.attributes.where(
        F.col("attribute").isin(*(a.id for a in load_attributes() if a.property in started and a.pick == "one"))
    ).select("entity", F.col("property").alias("first_hop"))
    unknown = (
        members.join(first_hops, on="entity", how="inner")
        .join(F.broadcast(means), on="list", how="inner")
        .where(F.try_element_at("hops", F.lit(1)) == F.col("first_hop"))
        .join(amounts.select("entity", "list", "key"), on=["entity", "list", "key"], how="left_anti")
        .select(*members.columns, "key", "property", "hops", "threshold", F.lit(True).alias("unknown"))
    )
    return above.unionByName(unknown)


def count_holders(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many people held a position on some day of a window; only complete timelines.

    A position that nobody is known to have held for longer than MOST_VACANT days, or at either end of the window, may
    have had holders that the facts do not hold: no question.

    Args:
        world: The world.
        params: periods.

    Returns:
        Columns position, when, n, and the metadata.
    """
    touches = (F.col("first_day") <= F.col("last")) & (
        F.col("last_day").isNull() | (F.col("last_day") >= F.col("first"))
    )
    surely = (F.col("start_last") <= F.col("last")) & (
        F.col("end_first").isNull() | (F.col("end_first") >= F.col("first"))
    )
    before = (
        Window.partitionBy("position").orderBy("first_day", "statement_id").rowsBetween(Window.unboundedPreceding, -1)
    )
    terms = (
        world.terms.where("complete")
        .withColumn("filled_to", F.max(F.coalesce("last_day", F.lit("9999-12-31").cast("date"))).over(before))
        .withColumn("vacant", F.datediff("first_day", "filled_to") > MOST_VACANT)
    )
    groups = (
        terms.join(F.broadcast(periods(world, params["periods"])), on=touches, how="inner")
        .groupBy("position", "position_label", "first", "last", "when")
        .agg(
            F.count_distinct("holder").alias("n"),
            F.count_if(~surely).alias("undecided"),
            F.min("start_last").alias("known_from"),
            F.max(F.coalesce("end_first", F.col("last"))).alias("known_to"),
            F.count_if(F.col("vacant") & (F.col("first_day") > F.col("first"))).alias("vacancies"),
        )
    )
    reason = (
        F.when(F.col("undecided") > 0, BindingReason.TERM_AT_EDGE)
        .when(F.col("known_from") > F.col("first"), BindingReason.NO_HOLDER_AT_START)
        .when(F.col("known_to") < F.col("last"), BindingReason.NO_HOLDER_AT_END)
        .when(F.col("vacancies") > 0, BindingReason.VACANCY)
        .when(F.col("position_label").isNull(), NAMELESS_POSITION)
    )
    return groups.select(
        "position",
        "when",
        "n",
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
        F.lit(next(e.topic for e in world.lists if e.id == "heads_of_state")).alias("topic"),
        split_of(F.col("position"), world.config).alias("split"),
        F.col("position").alias("head"),
        reason.alias("reason"),
    )


def _works(world: World, list_: str, date: str) -> DataFrame:
    """Members of a list with their date, null where it is not usable: columns entity, first_day, last_day."""
    dates = world.attributes.where(F.col("attribute") == date).select("entity", "first_day", "last_day")
    return world.members.where(F.col("list") == list_).select("entity").join(dates, on="entity", how="left")


def count_works(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many works of a list, by one maker, came out in a window.

    Args:
        world: The world.
        params: list, maker (attribute id of the maker, that picks all), date (attribute id of its date), periods.

    Returns:
        Columns a (thing: the maker), when, n, and the metadata.
    """
    makers = world.attributes.where(F.col("attribute") == params["maker"]).select(
        "entity", F.col("value_item").alias("maker")
    )
    works = _works(world, params["list"], params["date"]).join(makers, on="entity", how="inner")
    return _count_works(world, works, ["maker"], ["a"], params)


def count_costars(world: World, params: Mapping[str, Any]) -> DataFrame:
    """In how many years of a window films came out in which two people appear who appear together more than once.

    Args:
        world: The world.
        params: periods.

    Returns:
        Columns a, b (things: the two), when, n (films), years, and the metadata. Both belong to one split; the first is
        decided by hash.
    """
    cast = world.attributes.where("attribute = 'cast'").select("entity", F.col("value_item").alias("actor"))
    people = world.things.select(F.col("thing.entity").alias("actor"), F.col("thing.split").alias("split"))
    cast = cast.join(people, on="actor", how="inner").withColumn("order", world.hash_of("costars", "actor"))
    one = cast.select("entity", "split", F.col("actor").alias("first_actor"), F.col("order").alias("first_order"))
    two = cast.select("entity", "split", F.col("actor").alias("second_actor"), F.col("order").alias("second_order"))
    both = one.join(two, on=["entity", "split"], how="inner").where("first_order < second_order")
    # One film of both would be asked for the number one.
    often = (
        both.groupBy("first_actor", "second_actor").agg(F.count_distinct("entity").alias("films")).where("films > 1")
    )
    works = both.join(often, on=["first_actor", "second_actor"], how="left_semi").join(
        _works(world, "films", "release"), on="entity", how="inner"
    )
    return _count_works(world, works, ["first_actor", "second_actor"], ["a", "b"], params)


def _count_works(
    world: World, works: DataFrame, keys: list[str], sides: list[str], params: Mapping[str, Any]
) -> DataFrame:
    """Count works by their people; every work that counts must have a date, in one year."""
    undated = works.groupBy(*keys).agg(F.count_if(F.col("first_day").isNull()).alias("undated"))
    groups = (
        works.join(F.broadcast(periods(world, params["periods"])), on=overlaps(), how="inner")
        .groupBy(*keys, "first", "last", "when")
        .agg(
            F.count_distinct("entity").alias("n"),
            F.count_distinct(F.year("first_day")).alias("years"),
            F.count_if(~inside()).alias("undecided"),
            F.count_if(F.year("first_day") != F.year("last_day")).alias("over_years"),
        )
        .join(undated, on=keys, how="inner")
    )
    for key, side in zip(keys, sides, strict=True):
        people = world.things.select(F.col("thing").alias(side))
        groups = groups.join(people, on=F.col(key) == F.col(f"{side}.entity"), how="inner")
    reason = (
        F.when(F.col("undated") > 0, BindingReason.UNDATED_WORK)
        .when(F.col("undecided") > 0, BindingReason.WORK_AT_EDGE)
        .when(F.col("over_years") > 0, BindingReason.WORK_OVER_YEARS)
    )
    counted = with_metadata(groups, sides, reason, F.lit(False))
    return counted.withColumn("span", F.struct(F.col("first").alias("start"), F.col("last").alias("end")))
