"""Relations of counting questions: how many members of a class, holders, handovers or works fall into a window.

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
from everwhen.families.complextempqa.bind.office import NAMELESS_POSITION, term
from everwhen.families.complextempqa.bind.periods import few_of_each_answer, inside, overlaps, with_windows
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.reasons import BindingReason

MOST_VACANT = 92
"""Days for which a position may be vacant, in the facts, without a doubt that they hold all who held it."""

MOST_BETWEEN = 7
"""Days between two holders of a position; who acted in it for longer might be counted, too."""

LEAST_MEMBERS = 5
"""Members that a class has at least in a window in which those of one country are counted."""

TERMS_A_CLASS = 1000
"""In how many terms of office the members of a class are counted."""

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
    """Members of a class of events in a window, of a country or above a threshold; of a country there may be none.

    T is the mean of the amount over the members of the class in the window of the dataset that have it, rounded to one
    figure, or to two where one does not split the class. "More than" is strict. Some members in the counted window are
    above T and some are not. A member of no known amount is not counted: nothing says that it is above the threshold
    (the paper, Section 4.1), and the count is one of the facts.

    Args:
        world: The world.
        params: of (country: in windows in which the class has some members; nothing for all), above (attribute: above
            a threshold; nothing: no threshold).

    Returns:
        Columns list, class, plural, happened, of_id, threshold, more ("more than 40 deaths"), property, when, n,
        counted_over, and the metadata; the asked entities are the class and what it is counted by.
    """
    above = "key <> ''" if params.get("above") else "key = ''"
    rows = world.once("counts", lambda: _counts(world)).where(F.col("of") == params.get("of", "")).where(above)
    return few_of_each_answer(world, rows, KEYS)


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
        F.count_distinct(F.when(inside(), F.col("entity"))).alias("members"),
        F.count_if(F.coalesce(F.col("counts"), F.lit(False)) & ~inside()).alias("undecided"),
        F.count_if(F.col("entity").isNotNull() & (F.col("key") != NO_AMOUNT) & F.col("amount").isNull()).alias(
            "unknown"
        ),
    )
    groups = groups.join(_class_sizes(counted, windows), on=["list", "first", "last"], how="left")
    few = (F.col("of") != "") & (F.coalesce("size", F.lit(0)) < LEAST_MEMBERS)
    idle = (F.col("key") != NO_AMOUNT) & ((F.col("n") == 0) | (F.col("n") == F.col("members")))
    named = groups.join(world.named, on=F.col("of_id") == F.col("named"), how="left")
    unnamed = (F.col("of") != "") & F.col("named").isNull()
    is_open = (F.col("counted_over") == COUNTED_COMPLETE) & (F.col("unknown") > 0)
    reason = (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(open_reason(world, is_open).isNotNull(), open_reason(world, is_open))
        .when(F.col("undecided") > 0, BindingReason.MEMBER_AT_EDGE)
        .when(unnamed, F.replace(F.lit(BindingReason.NAMELESS), F.lit("{what}"), F.col("of")))
        .when(few, BindingReason.FEW_MEMBERS)
        .when((F.col("of") != "") & (F.col("n") == 0), BindingReason.NONE_IN_PERIOD)
        .when(idle, BindingReason.THRESHOLD_SPLITS_NOTHING)
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
            "plural",
            "happened",
            more.alias("more"),
            "n",
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


def _class_sizes(counted: DataFrame, windows: DataFrame) -> DataFrame:
    """How many members of a class surely lie in a window, of any country: columns list, first, last, size."""
    asked = windows.where("of <> ''").select("list", "first", "last").distinct()
    members = counted.where("of = ''").select(F.col("list").alias("of_list"), "entity", "first_day", "last_day")
    return (
        members.join(F.broadcast(asked), on=(F.col("of_list") == F.col("list")) & inside(), how="inner")
        .groupBy("list", "first", "last")
        .agg(F.count_distinct("entity").alias("size"))
    )


def count_during_term(world: World, params: Mapping[str, Any]) -> DataFrame:
    """Members of a class of events while somebody held a position, who held it once; there may be none.

    All days of a member lie surely between the first and the last day of the term, or surely outside: on these two days
    themselves it can be disputed.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns list, class, plural, happened, a (thing: the holder), position, n, counted_over, and the metadata; the
        asked entities are the class, the holder and the position, and the split is the holder's.
    """
    members = _members(world).where("of = ''").drop("of", "of_id")
    classes = with_ranges(world, members.select("list", "class").distinct(), "list", "class")
    terms = term(world, {"closed": True}).where("reason IS NULL")
    within = (F.year("t.first_day") >= F.col("since")) & (F.year("t.last_day") <= F.col("until"))
    chance = world.hash_of("terms", "list", "a.entity", "position")
    some = Window.partitionBy("list").orderBy(chance, "a.entity", "position")
    asked = (
        terms.select("a", "position", "t")
        .join(F.broadcast(classes), on=within, how="inner")
        .withColumn("number", F.row_number().over(some))
        .where(F.col("number") <= TERMS_A_CLASS)
        .drop("number")
    )
    keys = ["list", "class", "a", "position", "t", "counted_over", "range_reason"]
    surely = (F.col("first_day") > F.col("t.start_last")) & (F.col("last_day") < F.col("t.end_first"))
    groups = (
        asked.alias("x")
        .join(
            members.alias("m"),
            on=(F.col("m.list") == F.col("x.list"))
            & (F.col("first_day") <= F.col("t.last_day"))
            & (F.col("last_day") >= F.col("t.first_day")),
            how="left",
        )
        .select("x.*", "entity", "first_day", "last_day")
        .groupBy(*keys)
        .agg(
            F.count_distinct("entity").alias("n"),
            F.count_if(F.col("entity").isNotNull() & ~surely).alias("undecided"),
        )
    )
    reason = F.coalesce(
        F.col("range_reason"), F.when(F.col("undecided") > 0, F.lit(BindingReason.MEMBER_AT_EDGE).cast("string"))
    )
    counted = groups.join(F.broadcast(world.list_words.drop("class")), on="list", how="inner").select(
        "list",
        "class",
        "plural",
        "happened",
        "a",
        "position",
        "n",
        "counted_over",
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        F.struct(F.col("t.first_day").alias("start"), F.col("t.last_day").alias("end")).alias("span"),
        F.col("list_topic").alias("topic"),
        F.col("a.split").alias("split"),
        F.col("class").alias("head"),
        reason.alias("reason"),
    )
    return few_of_each_answer(world, counted, ["list", "position"], "a.entity")


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
    members = counted.groupBy("list", "class", "of", "of_id").agg(F.count_distinct("entity").alias("members"))
    # Nobody counts how often a country was the host that was so once.
    things = members.where((F.col("of") == "") | (F.col("members") > 1)).drop("members")
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
    lives = world.country_lives.select(
        F.col("country").alias("of_id"), F.year("first_day").alias("begun"), F.year("last_day").alias("ended")
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
    """How many people held a position on some day of a window.

    Where the position is not declared complete, one that nobody is known to have held for longer than MOST_VACANT
    days, or at either end of the window, may have had holders that the facts do not hold: no question. Every term of
    the position needs a usable start and end.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns position, when, n, counted_over, and the metadata.
    """
    surely = (F.col("start_last") <= F.col("last")) & (
        F.col("end_first").isNull() | (F.col("end_first") >= F.col("first"))
    )
    terms = _terms_in_order(world).withColumn("vacant", F.datediff("first_day", "filled_to") > MOST_VACANT)
    groups = _in_windows(
        world,
        terms,
        F.col("first_day"),
        F.count_distinct("holder").alias("n"),
        F.count_if(~surely).alias("undecided"),
        F.count_if(F.col("vacant") & (F.col("first_day") > F.col("first"))).alias("vacancies"),
    )
    is_open = F.col("counted_over") == COUNTED_HELD
    reason = (
        F.when(F.col("undecided") > 0, BindingReason.TERM_AT_EDGE)
        .when(is_open & (F.col("known_from") > F.col("first")), BindingReason.NO_HOLDER_AT_START)
        .when(is_open & (F.col("known_to") < F.col("last")), BindingReason.NO_HOLDER_AT_END)
        .when(is_open & (F.col("vacancies") > 0), BindingReason.VACANCY)
    )
    return _of_position(world, groups, reason)


def count_handovers(world: World, params: Mapping[str, Any]) -> DataFrame:
    """How many times in a window somebody took over a position from somebody else.

    Both the end of the one and the start of the other surely lie after the first day of the window and before its last;
    a handover that touches either day can be disputed, and so can one with more than MOST_BETWEEN days between.

    Args:
        world: The world.
        params: None.

    Returns:
        Columns position, when, n, counted_over, and the metadata.
    """
    # Least and greatest leave out what is not known: the end of a term that goes on, and the term before the first.
    begin, end = F.least("first_day", "before.end_first"), F.greatest("start_last", "before.last_day")
    surely_in = (begin > F.col("first")) & (end < F.col("last"))
    surely_out = (end < F.col("first")) | (begin > F.col("last"))
    new = F.col("before.holder") != F.col("holder")
    handed_over = (
        (F.datediff("first_day", "filled_to") <= MOST_BETWEEN)
        & (F.col("filled_to") <= F.col("start_last"))
        & (F.col("before.start_last") < F.col("first_day"))
    )
    groups = _in_windows(
        world,
        _terms_in_order(world),
        begin,
        F.count_if(new & surely_in).alias("n"),
        F.count_if(new & ~surely_in & ~surely_out).alias("at_edge"),
        F.count_if(~surely_out & ~F.coalesce(handed_over, F.lit(True))).alias("vacancies"),
    )
    reason = (
        F.when(F.col("known_from") >= F.col("first"), BindingReason.NO_HOLDER_AT_START)
        .when(F.col("known_to") < F.col("last"), BindingReason.NO_HOLDER_AT_END)
        .when(F.col("vacancies") > 0, BindingReason.VACANT_BETWEEN)
        .when(F.col("at_edge") > 0, BindingReason.HANDOVER_AT_EDGE)
    )
    return _of_position(world, groups, reason)


def _terms_in_order(world: World) -> DataFrame:
    """Terms of positions all of whose terms are usable, with before: the term before, and filled_to: the last day on
    which one of those before ends; null for the first."""
    order = Window.partitionBy("position").orderBy("first_day", "statement_id")
    earlier = order.rowsBetween(Window.unboundedPreceding, -1)
    return (
        world.terms.where("complete")
        .withColumn("filled_to", F.max(F.coalesce("last_day", F.lit(FOREVER).cast("date"))).over(earlier))
        .withColumn("before", F.lag(F.struct("holder", "start_last", "end_first", "last_day")).over(order))
    )


def _in_windows(world: World, terms: DataFrame, begin: Column, *counts: Column) -> DataFrame:
    """The windows of each position, with counts over the terms that touch them, each from its begin, and known_from and
    known_to: the days from which and to which somebody surely held it."""
    touches = (begin <= F.col("last")) & (F.col("last_day").isNull() | (F.col("last_day") >= F.col("first")))
    ranged = with_ranges(world, terms.select("position", "position_label").distinct(), "position", "position")
    windows = with_windows(world, ranged, ["position"]).withColumnRenamed("position", "asked").drop("position_label")
    return (
        terms.join(F.broadcast(windows), on=touches & (F.col("position") == F.col("asked")), how="inner")
        .groupBy("position", "position_label", "first", "last", "when", "counted_over", "range_reason")
        .agg(
            F.min("start_last").alias("known_from"),
            F.max(F.coalesce("end_first", F.col("last"))).alias("known_to"),
            *counts,
        )
    )


def _of_position(world: World, groups: DataFrame, reason: Column) -> DataFrame:
    """What a count of a position has beside its number; few windows of each answer."""
    nameless = F.when(F.col("position_label").isNull(), F.lit(NAMELESS_POSITION))
    counted = groups.select(
        "position",
        "when",
        "n",
        "counted_over",
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        F.struct(F.col("first").alias("start"), F.col("last").alias("end")).alias("span"),
        F.lit(next(e.topic for e in world.lists if e.id == "heads_of_state")).alias("topic"),
        split_of(F.col("position"), world.config).alias("split"),
        F.col("position").alias("head"),
        F.coalesce("range_reason", reason, nameless).alias("reason"),
    )
    return few_of_each_answer(world, counted, ["position"])


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
    """How many films came out in a window in which two people appear who appear together more than once.

    Args:
        world: The world.
        params: declared (the key of the declarations that fit).

    Returns:
        Columns a, b (things: the two), when, n, counted_over, and the metadata. Both belong to one split; the first is
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
    """Count works by their people; every work that counts must have a date."""
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
            F.count_if(~inside()).alias("undecided"),
        )
    )
    for key, side in zip(keys, sides, strict=True):
        people = world.things.select(F.col("thing").alias(side))
        groups = groups.join(people, on=F.col(key) == F.col(f"{side}.entity"), how="inner")
    reason = (
        F.when(F.col("range_reason").isNotNull(), F.col("range_reason"))
        .when(F.col("undated") > 0, BindingReason.UNDATED_WORK)
        .when(F.col("undecided") > 0, BindingReason.WORK_AT_EDGE)
    )
    counted = with_metadata(groups, sides, reason, F.lit(False))
    spanned = counted.withColumn("span", F.struct(F.col("first").alias("start"), F.col("last").alias("end")))
    return few_of_each_answer(world, spanned, keys)
