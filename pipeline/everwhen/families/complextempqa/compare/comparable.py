"""What can be compared, and by what: values of subjects, and their terms in an office."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.families.complextempqa.bind.world import VALUE, WorldTables
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.language.lint import COMPARES
from everwhen.tables.facts import STATEMENTS, select_best_rank
from everwhen.wikidata.properties import Property

TIME = "time"
"""The key under which events are compared by their own time."""

TERM = "term"
"""The key under which people are compared by when their only term in an office began."""

YEAR = r"(?<!Flight )\b(1\d{3}|20[0-2]\d)\b"
"""A year that a name or a description mentions; flights have numbers like it."""

NUMBER = r"(?<!Flight )\b[0-9]+(st|nd|rd|th)?\b|\b(First|Second|Third|Fourth|Fifth|Sixth|[IVX]+)\b"
"""A number that says which of a series comes first ("64th Academy Awards", "Second Congo War"); no flight's."""

COMPARED_BY = ("kind", "by", "key", "on_list", "grouping")
"""What subjects are compared by, in all splits. `on_list` is empty if subjects of several lists meet; `grouping`
joins their group, what is shared, and what is near; of terms it is the office."""

BLOCK = (*COMPARED_BY, "split")
"""What the subjects of one block share."""

YEARS_NEAR = 20
"""Compared times are in the same so many years: nobody asks which came first if half a century is between them."""

OFFICE = ("position", "position_label", "position_popular")
"""What a question about terms says beside the people: the office; null where none is asked about."""


def list_comparable(world: WorldTables) -> DataFrame:
    """List what can be compared.

    Returns:
        Columns subject, value, those of BLOCK and OFFICE, year (the first that the name mentions, or 0), series (a hash
        of the name without its number, 0 where it has none), and reason, why a subject is not compared.
    """
    # A value with words is compared: a quantity by degrees, a time by a verb, the end of a path by either.
    stated = world.values.where(
        F.when(F.size("value.hops") > 0, F.col("words")["which"].isNotNull())
        .when(F.col("value.amount").isNotNull(), F.col("words")["high"].isNotNull())
        .otherwise(F.col("value.first_day").isNotNull() & F.col("words")["verb"].isNotNull())
    )
    types = ("bigint", "string", "boolean")
    no_office = [F.lit(None).cast(type_).alias(name) for name, type_ in zip(OFFICE, types, strict=True)]
    values = _select_events(world).unionByName(stated.select("subject", "value"))
    rows = values.select("subject", "value", *no_office).unionByName(_select_terms(world))
    # Rejected before blocks are built: a subject that is never asked about would leave a gap in its block.
    named = world.named_texts.select("entity", "name", find_year("long_name").alias("year"), _hash_series())
    of_term = F.col("position").isNotNull()
    shares = read_settings(world.config).compare_alike
    groups = [(e.id, e.group or e.id, e.alike_by if shares else []) for e in world.lists]
    group = F.broadcast(world.spark.createDataFrame(groups, "of_list string, list_group string, alike_by array<int>"))
    grouped = F.col("value.key") == TIME
    grouping = F.concat_ws(" ", F.when(grouped, F.col("list_group")), *_derive_grouping(shares=shares))
    rows = (
        rows.join(named, on=F.col("subject.entity") == F.col("entity"), how="left")
        .join(_find_shared(world), on=F.col("subject.entity") == F.col("of_subject"), how="left")
        .join(group, on=F.col("subject.list") == F.col("of_list"), how="inner")
    )
    return rows.select(
        *("subject", "value"),
        F.col("subject.kind").alias("kind"),
        _name_measure().alias("by"),
        F.col("value.key").alias("key"),
        F.when(grouped | of_term, "").otherwise(F.col("subject.list")).alias("on_list"),
        F.when(of_term, F.col("position").cast("string")).otherwise(grouping).alias("grouping"),
        F.col("subject.split").alias("split"),
        F.coalesce("year", F.lit(0)).alias("year"),
        "series",
        *OFFICE,
        _reject_subjects(of_term).alias("reason"),
    )


def _derive_grouping(*, shares: bool) -> tuple[Column, Column]:
    """Derive what compared subjects of one list must share: a value, and the range of the value compared."""
    # Subjects that share a value on the path are not compared by its end: the directors of films of one director.
    shared = F.when((F.size("alike_by") > 0) & ~F.arrays_overlap("value.hops", "alike_by"), F.col("shared"))
    return shared, _name_range() if shares else F.lit(None).cast("string")


def _select_events(world: WorldTables) -> DataFrame:
    """Select the events that are compared by their own time: columns subject, value."""
    own = {"precision": F.col("subject.precision"), "calendar": F.col("subject.start_calendar")}
    value = _build_time(TIME, F.col("subject.earliest_start"), F.col("subject.latest_end"), **own)
    return world.subjects.where("subject.kind = 'event' AND subject.latest_end IS NOT NULL").select("subject", value)


def _build_time(key: str, first: Column, last: Column, **others: Column) -> Column:
    """A time that is no attribute, as a struct of the fields in VALUE; those that are not given are null."""
    types = {"property": "int", "value_item": "bigint", "amount": "decimal(38,9)", "precision": "tinyint"}
    none = {name: F.lit(None).cast(type_) for name, type_ in {**types, "calendar": "string"}.items()}
    hops = F.array().cast("array<int>")
    given = none | {"key": F.lit(key), "hops": hops, "first_day": first, "last_day": last} | others
    return F.struct(*(given[name].alias(name) for name in VALUE)).alias("value")


def _reject_subjects(of_term: Column) -> Column:
    """Give the reason why a subject is not compared; null where it is."""
    return (
        F.when(F.col("name").isNull(), BindingReason.NAMELESS_ENTITY)
        .when(F.col("name").rlike(COMPARES.pattern), RejectReason.COMPARING_NAME)
        .when(~of_term & (F.size("alike_by") > 0) & F.col("shared").isNull(), BindingReason.NOTHING_SHARED)
        .when(
            F.col("value.amount").isNotNull() & F.expr("subject.kind = 'item' AND subject.extent = 'span'"),
            BindingReason.NO_MORE,
        )
        .when(F.col("value.amount") == 0, BindingReason.NONE_COMPARED)
    )


def _select_terms(world: WorldTables) -> DataFrame:
    """Select the only terms of people in an office: columns subject, value, and those of OFFICE.

    The time of a term is its start.
    """
    terms = world.terms.where("is_only_term AND position_label IS NOT NULL")
    days = (F.col("earliest_start"), F.col("latest_start"))
    value = _build_time(TERM, *days, property=F.lit(Property.POSITION_HELD.value))
    with_terms = terms.select("holder", value, *OFFICE)
    return world.subjects.join(with_terms, on=F.col("subject.entity") == F.col("holder"), how="inner").drop("holder")


def _name_range() -> Column:
    """Name the range of a value: years around a time ("1980 to 1999"), powers of 2 around an amount ("2^5 to 2^6")."""
    first = (F.floor(F.year("value.first_day") / YEARS_NEAR) * YEARS_NEAR).cast("int")
    years = F.concat_ws(" to ", first.cast("string"), (first + YEARS_NEAR - 1).cast("string"))
    # By its binary digits, which are the same on every machine; logarithms are not.
    power = F.length(F.bin(F.floor(F.abs("value.amount")))) - 1
    powers = F.format_string("2^%d to 2^%d", power, power + 1)
    return F.when(F.col("value.amount").isNull(), years).otherwise(powers)


def _find_shared(world: WorldTables) -> DataFrame:
    """Find the values that subjects share with others of their list: columns of_subject, shared (item ids).

    Of several values of a property the one that most members have counts, then the least. What has no value of one of
    them shares nothing.
    """
    named = [(e.id, property, len(e.alike_by)) for e in world.lists for property in e.alike_by]
    properties = world.spark.createDataFrame(sorted(named), "list string, property int, needed int")
    stated = select_best_rank(world.build.read(STATEMENTS)).where("value_item IS NOT NULL")
    rows = (
        world.subjects.select("subject.entity", "subject.list")
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
    of_each = F.sort_array(F.collect_list(F.struct("property", "item")))["item"]
    return (
        commonest.groupBy(F.col("entity").alias("of_subject"), "needed")
        .agg(F.concat_ws(" ", of_each.cast("array<string>")).alias("shared"), F.count(F.lit(1)).alias("found"))
        .where("found = needed")
        .select("of_subject", "shared")
    )


def find_year(text: str) -> Column:
    """Return the first year that a text mentions; 0 for none."""
    return F.coalesce(F.try_to_number(F.regexp_extract(text, YEAR, 1), F.lit("9999")), F.lit(0)).cast("int")


def _hash_series() -> Column:
    """What a name with a number shares with the others of its series ("60th Academy Awards"): a hash; 0 for none."""
    numbered = F.col("name").rlike(NUMBER)
    return F.when(numbered, F.xxhash64(F.regexp_replace("name", NUMBER, "#"))).otherwise(0).alias("series")


def _name_measure() -> Column:
    """What templates call it that subjects are compared by."""
    path, time = F.size("value.hops") > 0, F.col("value.amount").isNull()
    return (
        F.when(F.col("value.key") == TIME, TIME)
        .when(F.col("value.key") == TERM, "terms")
        .when(path & time, "hop times")
        .when(path, "hop amounts")
        .when(time, "times")
        .otherwise("amounts")
    )
