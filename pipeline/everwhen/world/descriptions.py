"""Unnamed descriptions: class and facts of an event or item that no other one among all facts could fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.catalog.models import ITEM_SLOTS, SLOT, Attribute, Description, EntityList
from everwhen.core.errors import InputError
from everwhen.core.session import checkpoint
from everwhen.tables.facts import select_best_rank
from everwhen.tables.world import DESCRIPTIONS
from everwhen.temporal.calendars_spark import find_stated_year
from everwhen.world.attributes import AMOUNT, find_conversion_factor, in_unit
from everwhen.world.members import list_country_properties

AMOUNT_FORMAT = "#,##0.#########"
RULE = (
    "list string, noun string, key string, attribute string, property int, properties array<int>,"
    " mentions_amount boolean, mentioned int, in_order boolean, mentions_country boolean, mentions_year boolean,"
    f" factor {AMOUNT}, half {AMOUNT}, least int, pieces array<string>, slots array<string>"
)
"""A pattern, for one list whose members it describes."""
MAX_CANDIDATE_VALUES = 12
"""Of how many of an item's values (a film's cast) some are mentioned, so that triples stay few: 220."""

WHERE_AND_WHEN = ("mentions_year", "year", "mentions_country", "country")


@dataclass(frozen=True)
class DescriptionInputs:
    """The subjects to describe, and the tables that descriptions are checked against.

    Attributes:
        subjects: Columns entity, list, kind, first_day, last_day, start_last, countries.
        values: Table `attributes`.
        members: Table `members`, uncut.
        statements: Table `statements`; deprecated ones never count here.
    """

    subjects: DataFrame
    values: DataFrame
    members: DataFrame
    statements: DataFrame
    names: DataFrame


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
        attributes: The attributes that they mention, among any others.
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
    others = _find_distractors(facts, rules, lists)
    unique = _describe_by_quantity(facts, own, others, rules).unionByName(_describe_by_items(facts, own, others, seed))
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
    return facts.subjects.sparkSession.createDataFrame(rows, RULE)


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
    stated_countries = _find_countries(facts, facts.subjects, rules, lists)
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

    def join_part(piece: Column, slot: Column) -> Column:
        return F.when(slot.isNull(), piece).otherwise(F.concat(piece, F.element_at(texts, slot)))

    parts = F.zip_with("pieces", "slots", join_part)
    return F.aggregate(parts, F.lit(""), lambda text, part: F.concat(text, part))


# Who else there is.


def _find_distractors(facts: DescriptionInputs, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Find every member of a described class, with the years and countries in which it may be.

    Returns:
        Columns list, other, from_year, to_year, places (countries stated) and anywhere (one of them is unknown, or none
        is stated).
    """
    # An item is dated by its start alone: a person by the birth.
    is_event = F.col("list").isin([e.id for e in lists if e.kind == "event"])
    ends = F.coalesce(F.when(is_event, F.year("last_day")), F.year("start_last"))
    return (
        facts.members.join(F.broadcast(rules.select("list").distinct()), on="list", how="left_semi")
        .join(_find_countries(facts, facts.members, rules, lists), on=["list", "entity"], how="left")
        .select(
            "list",
            F.col("entity").alias("other"),
            F.coalesce(F.year("first_day"), F.lit(-9999)).alias("from_year"),
            F.coalesce(ends, F.lit(9999)).alias("to_year"),
            "places",
            F.coalesce("anywhere", F.lit(True)).alias("anywhere"),
        )
    )


def _find_countries(
    facts: DescriptionInputs, of: DataFrame, rules: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Find the countries stated of `of`, of any rank but deprecated, and whether one is unknown, where a rule needs it.

    Returns:
        Columns list, entity, places and anywhere.
    """
    needing = rules.where("mentions_country").select("list").distinct()
    wanted = list_country_properties(of.sparkSession, lists).join(needing, on="list", how="left_semi")
    stated = facts.statements.select(F.col("subject").alias("entity"), "property", "value_item", "snak")
    return (
        of.select("list", "entity")
        .join(F.broadcast(wanted), on="list", how="inner")
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy("list", "entity")
        .agg(F.collect_set("value_item").alias("places"), F.bool_or(F.col("snak") != "value").alias("anywhere"))
    )


def _may_match() -> Column:
    """Whether another member (`_find_distractors`) may be of the mentioned year and in the mentioned country."""
    year = ~F.col("mentions_year") | ((F.col("from_year") <= F.col("year")) & (F.col("to_year") >= F.col("year")))
    country = ~F.col("mentions_country") | F.col("anywhere") | F.array_contains("places", F.col("country"))
    return (F.col("entity") != F.col("other")) & year & country


# By a quantity: "the 1991 air crash that killed 223 people".


def _describe_by_quantity(facts: DescriptionInputs, own: DataFrame, others: DataFrame, rules: DataFrame) -> DataFrame:
    """Describe the subjects that a quantity identifies: items and their names are null."""
    values = facts.values.select("entity", "attribute", "amount")
    # An amount as exact as the pattern wants: a multiple of twice the half of its last digit.
    is_exact = (F.col("amount") % (F.col("half") * 2).cast(AMOUNT)) == 0
    mine = (
        own.where("mentions_amount")
        .join(values, on=["entity", "attribute"], how="inner")
        .where((F.col("amount") >= F.col("least")) & is_exact)
    )
    near = F.col("stated").isNull() | (F.abs(F.col("stated") - F.col("amount")) <= F.col("half"))
    same = [F.col(name) == F.col(f"their_{name}") for name in ("list", "property", "year")]
    rivals = _convert_values(facts, _pair_by_year(own, others), rules)
    return mine.join(rivals, on=[*same, _may_match() & near], how="left_anti").select(
        *own.columns,
        "amount",
        F.array().cast("array<bigint>").alias("items"),
        *(F.lit(None).cast("string").alias(name) for name in ITEM_SLOTS),
    )


def _pair_by_year(own: DataFrame, others: DataFrame) -> DataFrame:
    """Pair subjects with others that may be of the mentioned year: joined by year, classes fall into small parts."""
    targets = own.where("mentions_amount").agg(F.min("year").alias("first_year"), F.max("year").alias("last_year"))
    return (
        others.crossJoin(F.broadcast(targets))
        .where("from_year <= last_year AND to_year >= first_year")
        .withColumn(
            "their_year",
            F.explode(F.sequence(F.greatest("from_year", "first_year"), F.least("to_year", "last_year"))),
        )
        .select(*others.columns, "their_year")
    )


def _convert_values(facts: DescriptionInputs, others: DataFrame, rules: DataFrame) -> DataFrame:
    """Convert each value that another may have to the unit of the text: null where none is stated or it is unknown."""
    converted = rules.where("mentions_amount").select("list", "property", "factor").distinct()
    stated = facts.statements.select(
        F.col("subject").alias("other"), "property", F.when(F.col("snak") == "value", F.col("amount")).alias("stated")
    )
    return (
        others.join(F.broadcast(converted), on="list", how="inner")
        .join(stated, on=["other", "property"], how="left")
        .withColumn("stated", in_unit(F.col("stated"), F.col("factor")))
        .drop("factor")
        .withColumnsRenamed({"list": "their_list", "property": "their_property"})
    )


# By items: "the film starring Tom Hanks, Gary Sinise, and Sally Field".


def _describe_by_items(facts: DescriptionInputs, own: DataFrame, others: DataFrame, seed: str) -> DataFrame:
    """Describe subjects by one or some item values that no other has; a hash chooses among unique ones."""
    linked = _select_linked_values(facts, own, seed)
    order = F.lit(f"{seed}\x1fdescription"), F.col("key"), F.col("entity")
    ranked = F.transform(
        F.filter(_enumerate_choices(), lambda c: ~_is_taken(c)),
        lambda c: F.struct(F.xxhash64(*order, F.transform(c, lambda v: v["value_item"])), c.alias("values")),
    )
    unique = (
        linked.join(_find_shared_values(facts, linked, others), on=["entity", "key"], how="left")
        .select("entity", "key", F.array_min(ranked)["values"].alias("chosen"))
        .transform(checkpoint)  # or the filter would be pushed below, and the choice computed twice
        .where(F.col("chosen").isNotNull())
    )
    return own.join(unique, on=["entity", "key"], how="inner").select(
        *own.columns,
        F.lit(None).cast(AMOUNT).alias("amount"),
        F.transform("chosen", lambda v: v["value_item"]).alias("items"),
        *(F.get("chosen", F.lit(position))["name"].alias(name) for position, name in enumerate(ITEM_SLOTS)),
    )


def _select_linked_values(facts: DescriptionInputs, own: DataFrame, seed: str) -> DataFrame:
    """Select the named values of each subject: the first by hash, at least as many as are mentioned."""
    hashed = F.xxhash64(F.lit(f"{seed}\x1ftold"), "entity", "property", "value_item")
    order = F.when(F.col("in_order"), F.col("ordinal")).otherwise(hashed).alias("order")
    ordered = F.sort_array(F.collect_set(F.struct(order, "value_item", "name")))
    named = facts.names.select(F.col("entity").alias("value_item"), "name")
    return (
        own.where("NOT mentions_amount")
        .join(facts.values.select("entity", "attribute", "value_item"), on=["entity", "attribute"], how="inner")
        .join(named, on="value_item", how="inner")
        .join(_select_ordinals(facts, own), on=["entity", "property", "value_item"], how="left")
        .where(~F.col("in_order") | (F.col("ordinal") <= F.col("mentioned")))
        .groupBy("entity", "key", "list", "property", "mentioned", "in_order", *WHERE_AND_WHEN)
        .agg(F.slice(ordered, 1, MAX_CANDIDATE_VALUES).alias("linked"))
        .where(F.size("linked") >= F.col("mentioned"))
    )


def _select_ordinals(facts: DescriptionInputs, own: DataFrame) -> DataFrame:
    """Select the place of each value in its series (P1545), where one place has one value."""
    patterns = own.where("in_order").select("property").distinct()
    stated = facts.statements.join(F.broadcast(patterns), on="property", how="left_semi")
    numbered = select_best_rank(stated).where("ordinal IS NOT NULL AND value_item IS NOT NULL")
    return (
        numbered.groupBy(F.col("subject").alias("entity"), "property", "ordinal")
        .agg(F.collect_set("value_item").alias("values"))
        .where(F.size("values") == 1)
        .groupBy("entity", "property", F.get("values", F.lit(0)).alias("value_item"))
        .agg(F.min("ordinal").alias("ordinal"))
    )


def _find_shared_values(facts: DescriptionInputs, linked: DataFrame, others: DataFrame) -> DataFrame:
    """Find what a subject has in common with others that may fit: columns entity, key, taken (sets of values)."""
    stated = facts.statements.where("value_item IS NOT NULL").select(
        F.col("subject").alias("other"), "property", "value_item"
    )
    each = linked.withColumn("value_item", F.explode("linked.value_item")).drop("linked")
    return (
        each.join(stated, on=["property", "value_item"], how="inner")
        .join(others, on=["list", "other"], how="inner")
        .where(_may_match())
        .groupBy("entity", "key", "mentioned", "other")
        .agg(F.sort_array(F.collect_set("value_item")).alias("common"))
        .where(F.size("common") >= F.col("mentioned"))
        .groupBy("entity", "key")
        .agg(F.collect_set("common").alias("taken"))
    )


def _enumerate_choices() -> Column:
    """Enumerate what may be mentioned: each value, each pair or each triple, by item or by ordinal."""
    choices = F.col("mentioned")
    return F.transform(
        F.when(choices == 3, _extend_choices(3)).when(choices == 2, _extend_choices(2)).otherwise(_extend_choices(1)),
        lambda c: F.when(F.col("in_order"), _list_mentions(c)).otherwise(F.sort_array(_list_mentions(c))),
    )


def _list_mentions(choice: Column) -> Column:
    """Return item and name of the linked values of a choice."""
    return F.transform(choice, lambda v: F.struct(v["value_item"], v["name"]))


def _extend_choices(values: int, first: Column | int = 1, before: Sequence[Column] = ()) -> Column:
    """Return each choice of so many of the linked values from a position on, the values before it put in front."""
    rest = F.slice("linked", first, F.lit(MAX_CANDIDATE_VALUES))
    if values == 1:
        return F.transform(rest, lambda v: F.array(*before, v))
    return F.flatten(F.transform(rest, lambda v, at: _extend_choices(values - 1, at + first + 1, [*before, v])))


def _is_taken(choice: Column) -> Column:
    """Whether another subject has all values of a choice."""
    return F.exists(
        F.coalesce(F.col("taken"), F.array().cast("array<array<bigint>>")),
        lambda common: F.forall(choice, lambda v: F.array_contains(common, v["value_item"])),
    )
