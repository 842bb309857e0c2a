"""Relations of counting questions: how many members of a class fall into a window or a term of office.

What is counted is every member of a class that the facts hold, whether it could be named in a question or not. A member
that may or may not fall into a window, or is hedged, makes the count undecided: no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.hashing import assign_split
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.common import NO_COUNTRY
from everwhen.families.complextempqa.bind.declared import (
    COUNTED_COMPLETE,
    COUNTED_KNOWN,
    reject_open_counts,
    with_ranges,
)
from everwhen.families.complextempqa.bind.members import (
    KEYS,
    NO_AMOUNT,
    count_by_years,
    count_class_members,
    find_thresholds,
    select_dated_members,
)
from everwhen.families.complextempqa.bind.office import select_terms
from everwhen.families.complextempqa.bind.periods import (
    build_window_span,
    cut_to_lives,
    group_by_windows,
    is_in_window,
    keep_few_of_each_answer,
    keep_one_range,
    may_be_in_window,
    sum_where,
    with_windows,
)
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason

MIN_MEMBERS = 5
"""Members that a class has at least in a window in which those of one country are counted."""

TERMS_A_CLASS = 1000
"""In how many terms of office the members of a class are counted."""

GROUP = ("list", "class", "key", "property", "threshold", "of", "of_id")
"""The columns that distinguish what is counted, and those that describe it."""


def count(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Members of a class of events in a window, of a country or above a threshold; of a country there may be none.

    T is the mean of the amount over the members of the class in the window of the dataset that have it, rounded to one
    figure, or to two where one does not split the class. "More than" is strict. Some members in the counted window are
    above T and some are not. A member of no known amount is not counted: nothing says that it is above the threshold
    (the paper, Section 4.1), and the count is one of the facts.

    Args:
        params: of (country: in windows in which the class has some members; nothing for all), above (attribute: above
            a threshold; nothing: no threshold).

    Returns:
        Columns list, class, plural, happened, of_id, threshold, more ("more than 40 deaths"), property, when, count,
        counted_over, and the metadata; the asked entities are the class and what it is counted by.
    """
    above = "key <> ''" if params.get("above") else "key = ''"
    rows = (
        world.compute_once("counts", lambda: _count_all(world)).where(F.col("of") == params.get("of", "")).where(above)
    )
    return keep_few_of_each_answer(world, rows, KEYS)


def _count_all(world: WorldTables) -> DataFrame:
    """Count every class at once: alone and by country, with and without thresholds."""
    counted = select_dated_members(world)
    subjects = checkpoint(with_ranges(world, _list_groups(world, counted), "list", "class"))
    # Of a country in the years in which it is.
    lives = world.country_lives.withColumnRenamed("country", "of_id")
    windows = with_windows(world, cut_to_lives(subjects, lives, "of_id", "left"), KEYS)
    years = count_by_years(world, counted, subjects)
    groups = (
        group_by_windows(windows, years, KEYS, may_be_in_window())
        .agg(
            sum_where("counts").alias("count"),
            sum_where("all", is_in_window()).alias("members"),
            sum_where("counts", ~is_in_window()).alias("undecided"),
            sum_where("unknown").alias("unknown"),
            sum_where("uncertain").alias("uncertain"),
        )
        .join(count_class_members(years, windows), on=["list", "first", "last"], how="left")
    )
    return _describe_counts(world, groups.join(world.named, on=F.col("of_id") == F.col("named"), how="left"))


def _reject_counts(world: WorldTables, is_open: Column) -> Column:
    """Give the reason why a count gives no question; null where it does."""
    few = (F.col("of") != "") & (F.coalesce("size", F.lit(0)) < MIN_MEMBERS)
    idle = (F.col("key") != NO_AMOUNT) & ((F.col("count") == 0) | (F.col("count") == F.col("members")))
    unnamed = (F.col("of") != "") & F.col("named").isNull()
    reason = (
        F.when(F.col("undecided") > 0, BindingReason.MEMBER_AT_EDGE)
        .when(F.col("uncertain") > 0, BindingReason.COUNT_HEDGED)
        .when(unnamed, F.replace(F.lit(BindingReason.NAMELESS), F.lit("{what}"), F.col("of")))
        .when(few, BindingReason.FEW_MEMBERS)
        .when((F.col("of") != "") & (F.col("count") == 0), BindingReason.NONE_IN_PERIOD)
        .when(idle, BindingReason.THRESHOLD_SPLITS_NOTHING)
    )
    return F.coalesce("range_reason", reject_open_counts(world, is_open), reason)


def _describe_counts(world: WorldTables, named: DataFrame) -> DataFrame:
    """Add to counts, with the names of countries, the words, the metadata and the reason of a row."""
    is_open = (F.col("counted_over") == COUNTED_COMPLETE) & (F.col("unknown") > 0)
    digits = F.when(F.col("threshold") == 1, F.lit("one")).otherwise(F.format_number("threshold", 0))
    phrase = F.when(F.col("threshold") == 1, F.col("words")["more_one"])
    more = F.replace(F.coalesce(phrase, F.col("words")["more"]), F.lit("{amount}"), digits)
    none = F.lit(0).cast("bigint")
    bounds = (F.year(day).cast("bigint") for day in ("first", "last"))
    asked = F.xxhash64("class", *(F.coalesce(F.col(k).cast("bigint"), none) for k in ("of_id", "property")), *bounds)
    return (
        named.join(F.broadcast(world.words), on="key", how="left")
        .join(F.broadcast(world.list_words.drop("class")), on="list", how="inner")
        .select(
            *GROUP,
            "when",
            "plural",
            "happened",
            more.alias("more"),
            "count",
            F.when(is_open, F.lit(COUNTED_KNOWN)).otherwise(F.col("counted_over")).alias("counted_over"),
            F.lit(False).alias("popular"),
            F.coalesce("own_country", F.array().cast(NO_COUNTRY)).alias("countries"),
            build_window_span().alias("span"),
            F.col("list_topic").alias("topic"),
            assign_split(asked, world.config).alias("split"),
            F.col("class").alias("head"),
            _reject_counts(world, is_open).alias("reason"),
        )
    )


def count_during_term(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Count the members of a class of events during somebody's only term in a position; there may be none.

    All days of a member lie surely between the first and the last day of the term, or surely outside: on these two days
    themselves it can be disputed.

    Returns:
        Columns list, class, plural, happened, subject (the holder), position, count, counted_over, and the metadata.
        The asked entities are the class, the holder and the position, and the split is the holder's.
    """
    members = select_dated_members(world).where("of = ''").drop("of", "of_id")
    asked = _select_terms_of_classes(world, members)
    groups = asked.join(_count_in_terms(asked, members), on=["list", "holder", "position"], how="inner")
    reason = F.when(F.col("undecided") > 0, BindingReason.MEMBER_AT_EDGE).when(
        F.col("uncertain") > 0, BindingReason.COUNT_HEDGED
    )
    counted = groups.join(F.broadcast(world.list_words.drop("class")), on="list", how="inner").select(
        *("list", "class", "plural", "happened", "subject", "position", "count", "counted_over"),
        F.lit(False).alias("popular"),
        F.array().cast(NO_COUNTRY).alias("countries"),
        F.struct(F.col("term.earliest_start").alias("start"), F.col("term.latest_end").alias("end")).alias("span"),
        F.col("list_topic").alias("topic"),
        F.col("subject.split").alias("split"),
        F.col("class").alias("head"),
        F.coalesce("range_reason", reason).alias("reason"),
    )
    return keep_few_of_each_answer(world, counted, ["list", "position"], "subject.entity")


def _select_terms_of_classes(world: WorldTables, members: DataFrame) -> DataFrame:
    """Select, by hash, the terms of office in which the members of each class are counted."""
    classes = with_ranges(world, members.select("list", "class").distinct(), "list", "class")
    terms = select_terms(world, {"closed": True}).where("reason IS NULL")
    within = (F.year("term.earliest_start") >= F.col("since")) & (F.year("term.latest_end") <= F.col("until"))
    chance = world.hash_of("terms", "list", "subject.entity", "position")
    some = Window.partitionBy("list").orderBy(chance, "subject.entity", "position")
    return (
        terms.select("subject", "position", "term")
        .join(F.broadcast(classes), on=within, how="inner")
        .withColumn("holder", F.col("subject.entity"))
        .transform(keep_one_range, ["list", "holder", "position"])
        .withColumn("number", F.row_number().over(some))
        .where(F.col("number") <= TERMS_A_CLASS)
    )


def _count_in_terms(asked: DataFrame, members: DataFrame) -> DataFrame:
    """Count the members of a class during each term: columns list, holder, position, count, undecided, uncertain."""
    # Terms by their days alone while members are counted: a row with its holder is ten times as wide.
    days = [F.col(f"term.{day}") for day in ("earliest_start", "latest_start", "earliest_end", "latest_end")]
    surely = (F.col("m.first_day") > F.col("latest_start")) & (F.col("m.last_day") < F.col("earliest_end"))
    return (
        asked.select("list", "holder", "position", *days)
        .distinct()
        .alias("x")
        .join(
            members.alias("m"),
            on=(F.col("m.list") == F.col("x.list"))
            & (F.col("m.first_day") <= F.col("x.latest_end"))
            & (F.col("m.last_day") >= F.col("x.earliest_start")),
            how="left",
        )
        .groupBy("x.list", "holder", "position")
        .agg(
            F.count_if("certain").alias("count"),
            F.count_if(F.col("certain") & ~surely).alias("undecided"),
            F.count_if(~F.col("certain")).alias("uncertain"),
        )
    )


def _list_groups(world: WorldTables, counted: DataFrame) -> DataFrame:
    """List what is counted: each class, with and without threshold, and its members of each country."""
    members = (
        counted.where("certain")
        .groupBy("list", "class", "of", "of_id")
        .agg(F.count_distinct("entity").alias("members"))
    )
    # Nobody counts how often a country was the host that was so once.
    subjects = members.where((F.col("of") == "") | (F.col("members") > 1)).drop("members")
    bare = subjects.select(
        "*",
        F.lit(NO_AMOUNT).alias("key"),
        F.lit(None).cast("int").alias("property"),
        F.lit(None).cast("decimal(38,9)").alias("threshold"),
    )
    above = subjects.where("of = ''").join(F.broadcast(find_thresholds(world, counted)), on="list", how="inner")
    return bare.unionByName(above.select(*bare.columns))
