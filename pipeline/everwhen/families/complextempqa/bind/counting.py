"""Relations of counting questions: how many members of a class fall into a window, and in how many years.

What is counted is every member of a class that the facts hold, whether it could be named in a question or not. A member
that may or may not fall into a window makes the count undecided: no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.hashing import split_of
from everwhen.core.session import held
from everwhen.families.complextempqa.bind.common import NO_COUNTRY, with_metadata
from everwhen.families.complextempqa.bind.declared import (
    COUNTED_COMPLETE,
    COUNTED_HELD,
    open_reason,
    with_ranges,
)
from everwhen.families.complextempqa.bind.office import NAMELESS_POSITION
from everwhen.families.complextempqa.bind.periods import few_of_each_answer, inside, overlaps, with_windows
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.reasons import BindingReason

MOST_VACANT = 92
"""Days for which a position may be vacant, in the facts, without a doubt that they hold all who held it."""

FOREVER = "9999-12-31"
"""The last day of what has no known end."""

NO_AMOUNT = ""
"""The key of members that are counted without a threshold."""

GROUP = ("list", "class", "key", "property", "threshold", "of", "of_id")
"""What tells apart what is counted."""

KEYS = ("list", "key", "of", "of_id")
"""What tells apart what is counted, and no more."""

STATED_BY = 2
"""A threshold is named only of an amount that one in so many members of the class has, at least."""


def count(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Members of a class of events in a window, of a country or above a threshold; there may be none.

    T is the mean of the amount over the members of the class in the window of the dataset that have it, rounded to one
    figure, or to two where one does not split the class. "More than" is strict. A member of no known amount is not
    counted: nothing says that it is above the threshold (the paper, Section 4.1), and the count is one of the facts.

    Args:
        world: The world.
        params: of (country; nothing for all), above (attribute: above a threshold; nothing: no threshold),
            every (whether years are counted: then no member may last over a turn of the year).

    Returns:
        Columns list, class, noun, a_noun, plural, happened, of_id, threshold, more ("more than 40 deaths"), property,
        when, n, years, counted_over, and the metadata; the asked entities are the class and what it is counted by.
    """
    above = "key <> ''" if params.get("above") else "key = ''"
    rows = world.once("counts", lambda: _counts(world)).where(F.col("of") == params.get("of", "")).where(above)
    if params.get("every"):
        over = F.when(F.col("over_years") > 0, BindingReason.MEMBER_OVER_YEARS)
        rows = rows.withColumn("reason", F.coalesce("reason", over))
    return few_of_each_answer(world, rows, KEYS, "years" if params.get("every") else "n")


def _counts(world: World) -> DataFrame:
    """All counts at once: every class, alone and by country, with and without thresholds."""
    counted = _members(world)
    things = with_ranges(world, _groups(world, counted), "list", "class")
    windows = with_windows(world, _within_lives(world, things), KEYS)
    amounts = world.amounts.where("size(hops) = 0").select("entity", "key", "amount")
    # What is open, or has no known end, may end in any window after its start; it surely does not lie in one whole.
    begun_before = (F.col("last_day") == F.lit(FOREVER).cast("date")) & (F.col("first_day") < F.col("first"))
    same = [F.col(f"m.{key}").eqNullSafe(F.col(f"w.{key}")) for key in ("list", "of", "of_id")]
    met = (
        windows.alias("w")
        .join(counted.alias("m"), on=[*same, overlaps() & ~begun_before], how="left")
        .select("w.*", "entity", "first_day", "last_day")
        .join(amounts, on=["entity", "key"], how="left")
        .withColumn(
            "counts",
            F.col("entity").isNotNull()
            & ((F.col("key") == NO_AMOUNT) | _is_above(F.col("amount"), F.col("threshold"))),
        )
    )
    groups = met.groupBy(*windows.columns).agg(
        F.count_distinct(F.when(F.col("counts"), F.col("entity"))).alias("n"),
        F.count_distinct(F.when(F.col("counts"), F.year("first_day"))).alias("years"),
        F.count_if(F.coalesce(F.col("counts"), F.lit(False)) & ~inside()).alias("undecided"),
        F.count_if(F.col("entity").isNotNull() & (F.col("key") != NO_AMOUNT) & F.col("amount").isNull()).alias(
            "unknown"
        ),
        F.count_if(F.col("counts") & (F.year("first_day") != F.year("last_day"))).alias("over_years"),
    )
    named = groups.join(world.named, on=F.col("of_id") == F.col("named"), how="left")
    unnamed = (F.col("of") != "") & F.col("named").isNull()
    is_open = (F.col("counted_over") == COUNTED_COMPLETE) & (F.col("unknown") > 0)
    reason = (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(open_reason(world, is_open).isNotNull(), open_reason(world, is_open))
        .when(F.col("undecided") > 0, BindingReason.MEMBER_AT_EDGE)
        .when(unnamed, F.replace(F.lit(BindingReason.NAMELESS), F.lit("{what}"), F.col("of")))
    )
    digits = F.when(F.col("threshold") == 1, F.lit("one")).otherwise(F.format_number("threshold", 0))
    said = F.when(F.col("threshold") == 1, F.col("words")["more_one"])
    more = F.replace(F.coalesce(said, F.col("words")["more"]), F.lit("{amount}"), digits)
    asked = F.concat_ws("\x1f", "list", "of", "of_id", "key", "when")
    return (
        named.join(F.broadcast(world.words), on="key", how="left")
        .join(F.broadcast(world.list_words.drop("class")), on="list", how="inner")
        .select(
            *GROUP,
            "when",
            "noun",
            "a_noun",
            "plural",
            "happened",
            more.alias("more"),
            "n",
            "years",
            "over_years",
            F.when(is_open, F.lit(COUNTED_HELD)).otherwise(F.col("counted_over")).alias("counted_over"),
            F.lit(False).alias("popular"),
            F.coalesce("own_country", F.array().cast(NO_COUNTRY)).alias("countries"),
            F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
            F.col("list_topic").alias("topic"),
            split_of(asked, world.config).alias("split"),
            F.col("class").alias("head"),
            reason.alias("reason"),
        )
    )


def _is_above(amount: Column, threshold: Column) -> Column:
    """Whether an amount is strictly above the threshold."""
    return amount > threshold


def _members(world: World) -> DataFrame:
    """Dated members of classes of events, once for each way of counting: columns list, class, of, of_id, entity, days.

    The days are those between which a member lies, whichever of its stated times is right: an election of two rounds
    counts where both lie in the window. Members without any stated time cannot be counted.
    """
    classes = world.list_words.where("NOT linked AND list_kind = 'event'").select("list", "class")
    members = (
        world.members.where("earliest IS NOT NULL AND (latest IS NULL OR latest >= earliest)")
        .withColumn("first_day", F.col("earliest"))
        .withColumn("last_day", F.coalesce("latest", F.lit(FOREVER).cast("date")))
        .join(F.broadcast(classes), on="list", how="inner")
    )
    columns = ("list", "class", "entity", "first_day", "last_day", "of", "of_id")
    alone = members.withColumn("of", F.lit("")).withColumn("of_id", F.lit(None).cast("bigint")).select(*columns)
    by_country = members.withColumn("of", F.lit("country")).withColumn("of_id", F.explode("countries"))
    return alone.unionByName(by_country.select(*columns)).transform(held)


def _groups(world: World, counted: DataFrame) -> DataFrame:
    """What is counted: each class, with and without threshold, and its members of each country."""
    things = counted.select("list", "class", "of", "of_id").distinct()
    bare = things.select(
        "*",
        F.lit(NO_AMOUNT).alias("key"),
        F.lit(None).cast("int").alias("property"),
        F.lit(None).cast("decimal(38,9)").alias("threshold"),
    )
    above = things.where("of = ''").join(F.broadcast(_thresholds(world, counted)), on="list", how="inner")
    return bare.unionByName(above.select(*bare.columns))


def _within_lives(world: World, things: DataFrame) -> DataFrame:
    """Cut the years of what is counted by country to those in which the country is, as far as its start and end are
    known."""
    own = [e.id for e in world.lists if e.own_country]
    lives = (
        world.members.where(F.col("list").isin(own))
        .groupBy(F.col("entity").alias("of_id"))
        .agg(F.year(F.min("first_day")).alias("begun"), F.year(F.max("last_day")).alias("ended"))
    )
    return (
        things.join(lives, on="of_id", how="left")
        .withColumn("since", F.greatest("since", "begun"))
        .withColumn("until", F.least("until", "ended"))
        .select(*things.columns)
    )


def _thresholds(world: World, counted: DataFrame) -> DataFrame:
    """The thresholds that people would say: columns list, key, property, threshold.

    The mean, rounded to one figure, or to two where one does not split the class: some of it lie above, some do not.
    """
    window = world.config.window
    told = world.words.where("words['more'] IS NOT NULL").select("key")
    dated = counted.where("of = ''").where(
        (F.col("first_day") >= F.lit(window.start)) & (F.col("last_day") <= F.lit(window.end))
    )
    sizes = dated.groupBy("list").agg(F.count_distinct("entity").alias("size"))
    stated = (
        dated.select("list", "entity")
        .join(world.amounts.where("size(hops) = 0"), on="entity", how="inner")
        .join(F.broadcast(told), on="key", how="left_semi")
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


def count_holders(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many people held a position on some day of a window, and in how many of its years somebody new took office.

    Where the position is not declared complete, one that nobody is known to have held for longer than MOST_VACANT
    days, or at either end of the window, may have had holders that the facts do not hold: no question. Every term of
    the position needs a usable start and end.

    Args:
        world: The world.
        params: every (whether years are counted, and not people).

    Returns:
        Columns position, when, n (people), years (in which a term began of somebody who did not hold the position just
        before), vague (whether the year of such a beginning is not known), counted_over, and the metadata.
    """
    touches = (F.col("first_day") <= F.col("last")) & (
        F.col("last_day").isNull() | (F.col("last_day") >= F.col("first"))
    )
    surely = (F.col("start_last") <= F.col("last")) & (
        F.col("end_first").isNull() | (F.col("end_first") >= F.col("first"))
    )
    order = Window.partitionBy("position").orderBy("first_day", "statement_id")
    before = order.rowsBetween(Window.unboundedPreceding, -1)
    terms = (
        world.terms.where("complete")
        .withColumn("filled_to", F.max(F.coalesce("last_day", F.lit(FOREVER).cast("date"))).over(before))
        .withColumn("vacant", F.datediff("first_day", "filled_to") > MOST_VACANT)
        .withColumn("new", ~F.lag("holder").over(order).eqNullSafe(F.col("holder")))
    )
    ranged = with_ranges(world, terms.select("position", "position_label").distinct(), "position", "position")
    windows = with_windows(world, ranged, ["position"]).withColumnRenamed("position", "asked").drop("position_label")
    begins = F.col("new") & (F.col("start_last") >= F.col("first")) & (F.col("first_day") <= F.col("last"))
    groups = (
        terms.join(F.broadcast(windows), on=touches & (F.col("position") == F.col("asked")), how="inner")
        .groupBy("position", "position_label", "first", "last", "when", "counted_over", "range_reason")
        .agg(
            F.count_distinct("holder").alias("n"),
            F.count_distinct(F.when(begins, F.year("first_day"))).alias("years"),
            (F.count_if(begins & (F.year("first_day") != F.year("start_last"))) > 0).alias("vague"),
            F.count_if(~surely).alias("undecided"),
            F.min("start_last").alias("known_from"),
            F.max(F.coalesce("end_first", F.col("last"))).alias("known_to"),
            F.count_if(F.col("vacant") & (F.col("first_day") > F.col("first"))).alias("vacancies"),
        )
    )
    is_open = F.col("counted_over") == COUNTED_HELD
    reason = (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(F.col("undecided") > 0, BindingReason.TERM_AT_EDGE)
        .when(is_open & (F.col("known_from") > F.col("first")), BindingReason.NO_HOLDER_AT_START)
        .when(is_open & (F.col("known_to") < F.col("last")), BindingReason.NO_HOLDER_AT_END)
        .when(is_open & (F.col("vacancies") > 0), BindingReason.VACANCY)
        .when(F.col("position_label").isNull(), NAMELESS_POSITION)
    )
    counted = groups.select(
        "position",
        "when",
        "n",
        "years",
        "vague",
        "counted_over",
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
        F.lit(next(e.topic for e in world.lists if e.id == "heads_of_state")).alias("topic"),
        split_of(F.col("position"), world.config).alias("split"),
        F.col("position").alias("head"),
        reason.alias("reason"),
    )
    return few_of_each_answer(world, counted, ["position"], "years" if params.get("every") else "n")


def _works(world: World, list_: str, date: str) -> DataFrame:
    """Members of a list with their date, null where it is not usable: columns entity, first_day, last_day."""
    dates = world.attributes.where(F.col("attribute") == date).select("entity", "first_day", "last_day")
    return world.members.where(F.col("list") == list_).select("entity").join(dates, on="entity", how="left")


def count_works(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many works of a list, by one maker, came out in a window.

    Args:
        world: The world.
        params: list, maker (attribute id of the maker, that picks all), date (attribute id of its date), declared (the
            key of the declarations that fit).

    Returns:
        Columns a (thing: the maker), when, n, counted_over, and the metadata.
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
        params: declared (the key of the declarations that fit).

    Returns:
        Columns a, b (things: the two), when, n (films), years, counted_over, and the metadata. Both belong to one
        split; the first is decided by hash.
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
    windows = with_windows(world, with_ranges(world, undated, params["declared"], keys[0]), keys)
    fits = [F.col(f"w.{key}") == F.col(f"x.{key}") for key in keys]
    groups = (
        windows.alias("w")
        .join(works.alias("x"), on=[*fits, overlaps()], how="left")
        .select("w.*", "entity", "first_day", "last_day")
        .groupBy(*windows.columns)
        .agg(
            F.count_distinct("entity").alias("n"),
            F.count_distinct(F.year("first_day")).alias("years"),
            F.count_if(~inside()).alias("undecided"),
            F.count_if(F.year("first_day") != F.year("last_day")).alias("over_years"),
        )
    )
    for key, side in zip(keys, sides, strict=True):
        people = world.things.select(F.col("thing").alias(side))
        groups = groups.join(people, on=F.col(key) == F.col(f"{side}.entity"), how="inner")
    reason = (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(F.col("undated") > 0, BindingReason.UNDATED_WORK)
        .when(F.col("undecided") > 0, BindingReason.WORK_AT_EDGE)
        .when(F.col("over_years") > 0, BindingReason.WORK_OVER_YEARS)
    )
    counted = with_metadata(groups, sides, reason, F.lit(False))
    spanned = counted.withColumn("span", F.struct(F.col("first").alias("start"), F.col("last").alias("end")))
    return few_of_each_answer(world, spanned, keys, "years" if params.get("every") else "n")
