"""Relations of attribute questions: one event or item, and what is stated of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.common import with_metadata
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.wikidata.properties import Property

SHARED_LETTERS = 3
"""The letters that a country's name and its adjective begin with, both."""

COMMON_WORDS = (
    *("united", "states", "kingdom", "republic", "democratic", "people", "islands"),
    *("north", "south", "central"),
)
"""Words of countries' names that tell none: "Station" begins as "States" does."""


def select_lifetimes(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Subjects with their time.

    Args:
        params: kind (event or item), extents (list of instant, span, open).

    Returns:
        Columns subject, verbs, and the metadata.
    """
    chosen = world.subjects.select("subject").where(
        (F.col("subject.kind") == params["kind"]) & F.col("subject.extent").isin(params["extents"])
    )
    return with_metadata(world.with_verbs(chosen), ["subject"])


def select_single_values(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Subjects with the one value of an attribute, or with the value at the end of a property path.

    Args:
        params: keys (ids of attributes or of property paths); kind (event or item) where not both.

    Returns:
        Columns subject, value, words, verbs, and the metadata.
    """
    chosen = world.values.where(F.col("value.key").isin(params["keys"])).select("subject", "value", "words")
    if "kind" in params:
        chosen = chosen.where(F.col("subject.kind") == params["kind"])
    return with_metadata(world.with_verbs(chosen), ["subject"])


def select_path_values(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Subjects with the value at the end of a property path.

    Args:
        params: kind (event or item), value (quantity, time or item).

    Returns:
        Columns subject, value, words, lived (the day on which a person was born, or died where the path begins
        with the place of death), country_began (the first day of the country that the path ends at; null where
        unknown), and the metadata.
    """
    column = {"quantity": "value.amount", "time": "value.first_day", "item": "value.value_item"}[params["value"]]
    chosen = world.values.where(
        (F.size("value.hops") > 0) & F.col(column).isNotNull() & (F.col("subject.kind") == params["kind"])
    )
    died_there = F.get("value.hops", F.lit(0)) == Property.PLACE_OF_DEATH.value
    began = world.country_lives.select("country", F.col("first_day").alias("country_began"))
    rows = chosen.join(F.broadcast(began), on=F.col("value.value_item") == F.col("country"), how="left").select(
        "subject",
        "value",
        "words",
        F.when(died_there, F.col("subject.latest_end")).otherwise(F.col("subject.earliest_start")).alias("lived"),
        "country_began",
    )
    return with_metadata(rows, ["subject"])


def select_stated_countries(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Events with their one country, where the name mentions none.

    Returns:
        Columns subject, value, verbs, and the metadata.
    """
    reason = F.when(F.col("mentions_country"), BindingReason.COUNTRY_IN_NAME)
    return with_metadata(world.with_verbs(_select_countries(world)), ["subject"], reason).drop("mentions_country")


def pick_claimed_countries(world: WorldTables, params: Mapping[str, Any]) -> DataFrame:
    """Events with their one country, where the name mentions none, and with the country that the question names.

    The question names that one or another, by hash.

    The other is the country of another event of the same list, and was not gone by then, so that it is no easier to
    rule out than it must be. Where there is none, there is no question: all its answers would be yes.

    Returns:
        Columns subject, value, verbs, claimed (the country that is named), and the metadata.
    """
    stated = _select_countries(world)
    # Countries with their numbers of events, and not the events: each event looks through them all.
    countries_of_list = (
        stated.join(F.broadcast(world.country_lives), on=F.col("value.value_item") == F.col("country"), how="left")
        .groupBy(F.col("subject.list").alias("of_list"), F.col("value.value_item").alias("item"), "last_day")
        .agg(F.count(F.lit(1)).alias("events"))
        .groupBy("of_list")
        .agg(F.sort_array(F.collect_list(F.struct("item", "last_day", "events"))).alias("all"))
    )
    both = stated.join(F.broadcast(countries_of_list), on=F.col("subject.list") == F.col("of_list"), how="inner")
    others = both.withColumn("others", F.filter("all", _may_be_claimed))
    toss = world.hash_of("claim", "subject.entity")
    other = _draw_country(F.col("others"), F.shiftright(toss, 1))
    claimed = others.select(
        "subject",
        "value",
        "mentions_country",
        "others",
        F.when(F.pmod(toss, F.lit(2)) == 0, F.col("value.value_item")).otherwise(other).alias("claimed"),
    ).join(world.named, on=F.col("claimed") == F.col("named"), how="left")
    reason = (
        F.when(F.size("others") == 0, BindingReason.ONE_COUNTRY)
        .when(F.col("named").isNull(), BindingReason.NAMELESS.with_detail(what="country"))
        .when(F.col("mentions_country"), BindingReason.COUNTRY_IN_NAME)
    )
    rows = with_metadata(world.with_verbs(claimed), ["subject"], reason, F.coalesce("named_popular", F.lit(False)))
    return rows.withColumn("countries", F.sort_array(F.array_union("countries", "own_country"))).drop(
        "mentions_country", "others"
    )


def _may_be_claimed(country: Column) -> Column:
    """Whether a country is another than the event's, and was not gone by then."""
    is_gone = F.coalesce(country["last_day"] < F.col("subject.latest_end"), F.lit(False))
    return (country["item"] != F.col("value.value_item")) & ~is_gone


def _draw_country(others: Column, number: Column) -> Column:
    """Draw one of some countries by a number, each as often as it has events; null where there is none.

    Args:
        others: An array of structs of item and events.
    """
    events = F.aggregate(others, F.lit(0).cast("bigint"), lambda so_far, country: so_far + country["events"])
    place = F.pmod(number, F.greatest(events, F.lit(1)))
    start = F.struct(place.alias("left"), F.lit(None).cast("bigint").alias("item"))

    def pass_country(drawn: Column, country: Column) -> Column:
        is_here = drawn["item"].isNull() & (drawn["left"] < country["events"])
        item = F.when(is_here, country["item"]).otherwise(drawn["item"])
        return F.struct((drawn["left"] - country["events"]).alias("left"), item.alias("item"))

    return F.aggregate(others, start, pass_country)["item"]


def _select_countries(world: WorldTables) -> DataFrame:
    """Events with their one country: columns subject, value, and mentions_country (whether the name may mention one).

    A word that begins as that of a country does may be its adjective: Norwegian and Norway, Spanish and Spain.
    """
    stated = world.values.where("value.key = 'country'").select("subject", "value")
    labels = world.named_texts.select("entity", F.lower("label").alias("label"))
    begins = F.transform(_extract_long_words("label"), lambda word: F.left(word, F.lit(SHARED_LETTERS)))
    countries = (
        stated.select(F.col("value.value_item").alias("entity")).distinct().join(labels, on="entity", how="inner")
    )
    begun = countries.agg(F.array_distinct(F.flatten(F.collect_list(begins))).alias("begun"))
    return (
        stated.join(labels, on=F.col("subject.entity") == F.col("entity"), how="left")
        .crossJoin(F.broadcast(begun))
        .withColumn("mentions_country", F.coalesce(F.arrays_overlap(begins, "begun"), F.lit(False)))
        .select("subject", "value", "mentions_country")
    )


def _extract_long_words(text: str) -> Column:
    """The words of a text in small letters that may mention a country: long ones, but for those of many countries."""
    words = F.split(text, r"[^\p{L}]+")
    return F.filter(words, lambda word: (F.length(word) > SHARED_LETTERS) & ~word.isin(*COMMON_WORDS))
