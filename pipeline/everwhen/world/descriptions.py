"""Unnamed descriptions: class and facts of an event or item that no other one among all facts could fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.catalog.models import ITEM_SLOTS, SLOT, Attribute, Description, EntityList
from everwhen.core.errors import InputError
from everwhen.core.session import checkpoint
from everwhen.tables.descriptions import DESCRIPTIONS
from everwhen.temporal.calendars_spark import find_stated_year
from everwhen.world.attributes import AMOUNT, find_conversion_factor
from everwhen.world.distractors import DescriptionInputs, find_countries, find_distractors
from everwhen.world.item_descriptions import describe_by_items
from everwhen.world.quantity_descriptions import describe_by_quantity

AMOUNT_FORMAT = "#,##0.#########"


def describe_subjects(
    facts: DescriptionInputs,
    patterns: Sequence[Description],
    attributes: Sequence[Attribute],
    lists: Sequence[EntityList],
    seed: str,
) -> DataFrame:
    """Describe each subject by every pattern that fits it alone.

    A description is kept only if no other member of the class could fit it. Of a year and a country, whoever may be of
    it fits: its time is unknown or spans the year in part, its country is not stated, unknown or among those stated.
    Of a quantity, whoever may have it fits: none is stated, or the same among those stated, whatever their rank but
    deprecated.

    Of mentioned items (two or three of a cast), every member fits that states them all, at any rank but deprecated. A
    member that does not state them does not fit: a cast list is never complete, so every film could fit every pair.
    The description says that these played in the film, not that nobody else did. A pattern that mentions items in
    order takes those numbered from one on (P1545), or none.

    A description that contains the subject's label is left out: "the country whose capital is Mexico City". So is a
    fallback where another pattern describes the subject: people know a crash by its airline rather than by its toll.

    Args:
        facts: The tables.
        patterns: The patterns.
        attributes: The attributes that they mention, among any others.
        lists: The lists.
        seed: The configuration's seed: it chooses which items are mentioned.

    Returns:
        Rows of the table `descriptions`.

    Raises:
        InputError: A pattern mentions an attribute that does not exist, or whose values it cannot mention.
    """
    rules = _expand_patterns(facts, patterns, attributes, lists)
    mentions = {pattern.attribute for pattern in patterns}
    properties = {a.property for a in attributes if a.id in mentions} | {p for e in lists for p in e.country}
    stated = facts.statements.where(F.col("property").isin(sorted(properties)) & (F.col("rank") != "deprecated"))
    facts = replace(facts, statements=stated)
    own = _match_patterns(facts, rules, lists).transform(checkpoint)
    others = find_distractors(facts, rules, lists)
    unique = describe_by_quantity(facts, own, others, rules).unionByName(describe_by_items(facts, own, others, seed))
    labels = facts.names.select("entity", F.lower("label").alias("own"))
    described = unique.withColumn("description", _compose_text()).join(labels, on="entity", how="left")
    kept = described.where("own IS NULL OR NOT contains(lower(description), own)")
    is_fallback = F.col("key").isin([pattern.id for pattern in patterns if pattern.fallback])
    others_too = F.count_if(~is_fallback).over(Window.partitionBy("entity"))
    return DESCRIPTIONS.select(kept.withColumn("others", others_too).where(~is_fallback | (F.col("others") == 0)))


def _expand_patterns(
    facts: DescriptionInputs,
    patterns: Sequence[Description],
    attributes: Sequence[Attribute],
    lists: Sequence[EntityList],
) -> DataFrame:
    """Return the patterns, one row for each list whose members they describe."""
    known = {a.id: a for a in attributes}
    asked = [(pattern, _find_attribute(pattern, known)) for pattern in patterns]
    rows = [
        _build_rule(pattern, attribute, e)
        for pattern, attribute in asked
        for e in lists
        if e.kind == pattern.kind and (e.id in pattern.lists if pattern.lists else not e.linked)
    ]
    schema = (
        "list string, noun string, key string, attribute string, property int, properties array<int>,"
        " mentions_amount boolean, mentioned int, in_order boolean, mentions_country boolean, mentions_year boolean,"
        f" factor {AMOUNT}, half {AMOUNT},"
        " least int, pieces array<string>, slots array<string>"
    )
    return facts.subjects.sparkSession.createDataFrame(rows, schema)


def _find_attribute(pattern: Description, known: Mapping[str, Attribute]) -> Attribute:
    """Find the attribute that a pattern mentions.

    Raises:
        InputError: There is none of that name, or the pattern cannot mention its values.
    """
    attribute = known.get(pattern.attribute)
    wanted = ("quantity", "one") if pattern.mentions_quantity else ("item", "all")
    if attribute is None or (attribute.value, attribute.pick) != wanted:
        raise InputError(f"descriptions.yaml: {pattern.id}: {pattern.attribute} is no attribute that it can mention")
    return attribute


def _build_rule(pattern: Description, attribute: Attribute, e: EntityList) -> tuple[Any, ...]:
    """Return the row of a pattern and a list whose members it describes."""
    factor = find_conversion_factor(attribute.unit)[1]
    half = Decimal(5).scaleb(-1 - pattern.decimals)
    mentioned = [*(e.country[:1] if pattern.country else []), attribute.property, *pattern.implies]
    # The year of an item gives away its date; that of an event leaves the day to be asked.
    properties = [*mentioned, *(e.start if pattern.year and e.kind == "item" else [])]
    return (
        *(e.id, e.noun, pattern.id, pattern.attribute, attribute.property, properties, pattern.mentions_quantity),
        *(pattern.values, pattern.in_order, pattern.country, pattern.year, factor, half),
        *(pattern.least, *_cut(pattern.says)),
    )


def _cut(text: str) -> tuple[list[str], list[str]]:
    """Cut a text at its slots: the pieces, one more than slots, and the slots between them."""
    parts = SLOT.split(text)
    return parts[::2], parts[1::2]


def _match_patterns(facts: DescriptionInputs, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Join each subject with its patterns: the rule, and year and country (by name too) where it mentions them."""
    last = F.when(F.col("kind") == "event", F.col("last_day")).otherwise(F.col("start_last"))
    year = find_stated_year(F.col("first_day"), last, F.col("start_calendar"))
    stated_countries = find_countries(facts, facts.subjects, rules, lists)
    countries = facts.names.select(F.col("entity").alias("country"), F.col("name").alias("country_name"))
    one = (F.size("countries") == 1) & ~F.coalesce("anywhere", F.lit(True))
    return (
        facts.subjects.join(F.broadcast(rules), on="list", how="inner")
        .join(stated_countries, on=["list", "entity"], how="left")
        .withColumn("year", F.when(F.col("mentions_year"), year))
        .withColumn("country", F.when(F.col("mentions_country") & one, F.get("countries", F.lit(0))))
        .where(~F.col("mentions_year") | F.col("year").isNotNull())
        .where(~F.col("mentions_country") | F.col("country").isNotNull())
        .join(countries, on="country", how="left")
        .where(~F.col("mentions_country") | F.col("country_name").isNotNull())
        .select("entity", *rules.columns, "year", "country", "country_name")
    )


def _compose_text() -> Column:
    """Compose the words: "the 1991 air crash that killed 223 people".

    Pieces and texts are joined and never scanned for slots, so that a name may contain braces.
    """
    amount = F.call_function("format_number", F.col("amount"), F.lit(AMOUNT_FORMAT))
    slots = {"class": F.col("noun"), "year": F.col("year").cast("string"), "country": F.col("country_name")}
    slots |= {"amount": amount} | {name: F.col(name) for name in ITEM_SLOTS}
    texts = F.create_map(*(part for slot, text in slots.items() for part in (F.lit(slot), text)))
    parts = F.zip_with(
        "pieces",
        "slots",
        lambda piece, slot: F.when(slot.isNull(), piece).otherwise(F.concat(piece, F.element_at(texts, slot))),
    )
    return F.aggregate(parts, F.lit(""), lambda text, part: F.concat(text, part))
