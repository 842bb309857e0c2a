"""Unnamed descriptions: class and facts of an event or item that no other one among all facts could fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pipeline.catalogue import ITEM_SLOTS, SLOT, Attribute, Description, EntityList
from pipeline.errors import InputError
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.world.attributes import AMOUNT, asked_factor, in_unit

MOST_TOLD = 12
"""Of how many of an item's values (a film's cast) the told ones are chosen, so that trios stay few: 220."""

AMOUNT_FORMAT = "#,##0.#########"


@dataclass(frozen=True)
class Facts:
    """What is described, and what descriptions are held against.

    Attributes:
        things: Columns entity, list, kind, first_day, last_day, start_last, countries.
        values: Table `attributes`.
        members: Table `members`, uncut.
        statements: Table `statements`; what is deprecated never counts here.
        names: Table `names`.
    """

    things: DataFrame
    values: DataFrame
    members: DataFrame
    statements: DataFrame
    names: DataFrame


def descriptions(
    facts: Facts, forms: Sequence[Description], attributes: Sequence[Attribute], lists: Sequence[EntityList], seed: str
) -> DataFrame:
    """Describe each thing in every form in which it is the only one that fits.

    A description is kept only if no other member of the class could fit it. Of a year and a country, whoever may be of
    it fits: its time is unknown or spans the year in part, its country is not stated, unknown or among those stated.
    Of a quantity, whoever may have it fits: none is stated, or the same among those stated, whatever their rank but
    deprecated.

    Of items told (two or three of a cast), whoever is stated to have them all fits, whatever the rank but deprecated. A
    member for which they are not stated does not: a cast list is never complete, so that every film could fit every
    pair, and what is told is that these played in it, not that nobody else did.

    Args:
        facts: The tables.
        forms: The forms.
        attributes: The attributes that they tell, among any others.
        lists: The lists.
        seed: The configuration's seed: it chooses which items are told.

    Returns:
        Rows of the table `descriptions`.

    Raises:
        InputError: A form tells an attribute that is not there or that it cannot tell.
    """
    rules = _rules(facts, forms, attributes, lists)
    told = {form.attribute for form in forms}
    properties = {a.property for a in attributes if a.id in told} | {p for e in lists for p in e.country}
    stated = facts.statements.where(F.col("property").isin(sorted(properties)) & (F.col("rank") != "deprecated"))
    facts = replace(facts, statements=stated)
    own = _own(facts, rules, lists).localCheckpoint()
    others = _others(facts, rules, lists)
    unique = _by_quantity(facts, own, others, rules).unionByName(_by_items(facts, own, others, seed))
    return DESCRIPTIONS.select(unique.withColumn("description", _text()))


def _rules(
    facts: Facts, forms: Sequence[Description], attributes: Sequence[Attribute], lists: Sequence[EntityList]
) -> DataFrame:
    """The forms, one row for each list whose members they describe."""
    known = {a.id: a for a in attributes}
    rows = []
    for form in forms:
        attribute = known.get(form.attribute)
        if attribute is None or (attribute.value, attribute.pick) not in (
            [("quantity", "one")] if form.tells_amount else [("item", "all")]
        ):
            raise InputError(f"descriptions.yaml: {form.id}: {form.attribute} is no attribute that it can tell")
        factor = asked_factor(attribute.unit)[1]
        half = Decimal(5).scaleb(-1 - form.decimals)
        for e in lists:
            if e.kind == form.kind and (e.id in form.lists if form.lists else not e.linked):
                properties = [*(e.country[:1] if form.country else []), attribute.property]
                rows.append(
                    (
                        *(e.id, e.noun, form.id, form.attribute, attribute.property, properties, form.tells_amount),
                        *(form.values, form.country, form.year, factor, half),
                        *(*_cut(form.says), *_cut(form.says_one or form.says)),
                    )
                )
    schema = (
        "list string, noun string, key string, attribute string, property int, properties array<int>,"
        f" tells_amount boolean, told int, tells_country boolean, tells_year boolean, factor {AMOUNT}, half {AMOUNT},"
        " pieces array<string>, slots array<string>, one_pieces array<string>, one_slots array<string>"
    )
    return facts.things.sparkSession.createDataFrame(rows, schema)


def _cut(text: str) -> tuple[list[str], list[str]]:
    """A text cut at its slots: the pieces, one more than slots, and the slots between them."""
    parts = SLOT.split(text)
    return parts[::2], parts[1::2]


def _own(facts: Facts, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Each thing with each form for it: its rule, and year and country (by name too) where the form tells them."""
    last = F.when(F.col("kind") == "event", F.col("last_day")).otherwise(F.col("start_last"))
    year = F.when(F.year("first_day") == F.year(last), F.year("first_day"))
    places = _places(facts, facts.things, rules, lists)
    countries = facts.names.select(F.col("entity").alias("country"), F.col("name").alias("country_name"))
    one = (F.size("countries") == 1) & ~F.coalesce("anywhere", F.lit(True))
    return (
        facts.things.join(F.broadcast(rules), on="list", how="inner")
        .join(places, on=["list", "entity"], how="left")
        .withColumn("year", F.when(F.col("tells_year"), year))
        .withColumn("country", F.when(F.col("tells_country") & one, F.get("countries", F.lit(0))))
        .where(~F.col("tells_year") | F.col("year").isNotNull())
        .where(~F.col("tells_country") | F.col("country").isNotNull())
        .join(countries, on="country", how="left")
        .where(~F.col("tells_country") | F.col("country_name").isNotNull())
        .select("entity", *rules.columns, "year", "country", "country_name")
    )


def _others(facts: Facts, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Every member of a class that is described, with the years and countries in which it may be."""
    kinds = facts.members.sparkSession.createDataFrame([(e.id, e.kind) for e in lists], "list string, kind string")
    ends = F.when(F.col("kind") == "event", F.coalesce(F.year("last_day"), F.year("start_last"))).otherwise(
        F.year("start_last")
    )
    return (
        facts.members.join(F.broadcast(rules.select("list").distinct()), on="list", how="left_semi")
        .join(F.broadcast(kinds), on="list", how="inner")
        .join(_places(facts, facts.members, rules, lists), on=["list", "entity"], how="left")
        .select(
            "list",
            F.col("entity").alias("other"),
            F.coalesce(F.year("first_day"), F.lit(-9999)).alias("from_year"),
            F.coalesce(ends, F.lit(9999)).alias("to_year"),
            "places",
            F.coalesce("anywhere", F.lit(True)).alias("anywhere"),
        )
    )


def _places(facts: Facts, of: DataFrame, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Countries stated, of whatever rank but deprecated, and whether one of them is unknown: for lists that need it."""
    spark = of.sparkSession
    wanted = spark.createDataFrame([(e.id, p) for e in lists for p in e.country], "list string, property int").join(
        rules.where("tells_country").select("list").distinct(), on="list", how="left_semi"
    )
    stated = facts.statements.select(F.col("subject").alias("entity"), "property", "value_item")
    return (
        of.select("list", "entity")
        .join(F.broadcast(wanted), on="list", how="inner")
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy("list", "entity")
        .agg(F.collect_set("value_item").alias("places"), F.bool_or(F.col("value_item").isNull()).alias("anywhere"))
    )


def _could_be() -> Column:
    """Whether another member may be of the year and in the country that are told."""
    year = ~F.col("tells_year") | ((F.col("from_year") <= F.col("year")) & (F.col("to_year") >= F.col("year")))
    country = ~F.col("tells_country") | F.col("anywhere") | F.array_contains("places", F.col("country"))
    return (F.col("entity") != F.col("other")) & year & country


def _by_quantity(facts: Facts, own: DataFrame, others: DataFrame, rules: DataFrame) -> DataFrame:
    """The things that a quantity tells apart, with what is told."""
    values = facts.values.select("entity", "attribute", "amount")
    # An amount that is as whole as the form wants: a multiple of twice the half of its last digit.
    whole = (F.col("amount") % (F.col("half") * 2).cast(AMOUNT)) == 0
    mine = (
        own.where("tells_amount")
        .join(values, on=["entity", "attribute"], how="inner")
        .where((F.col("amount") > 0) & whole)
    )
    near = F.col("stated").isNull() | (F.abs(F.col("stated") - F.col("amount")) <= F.col("half"))
    same = [F.col(name) == F.col(f"their_{name}") for name in ("list", "property", "year")]
    rivals = _measured(facts, _by_year(own, others), rules)
    return mine.join(rivals, on=[*same, _could_be() & near], how="left_anti").select(
        *own.columns,
        "amount",
        F.array().cast("array<bigint>").alias("items"),
        *(F.lit(None).cast("string").alias(name) for name in ITEM_SLOTS),
    )


def _by_year(own: DataFrame, others: DataFrame) -> DataFrame:
    """One row for each year that is told and in which another may be: joined by year, classes fall into small parts."""
    told = own.where("tells_amount").agg(F.min("year").alias("first_year"), F.max("year").alias("last_year"))
    return (
        others.crossJoin(F.broadcast(told))
        .where("from_year <= last_year AND to_year >= first_year")
        .withColumn(
            "their_year",
            F.explode(F.sequence(F.greatest("from_year", "first_year"), F.least("to_year", "last_year"))),
        )
        .select(*others.columns, "their_year")
    )


def _measured(facts: Facts, others: DataFrame, rules: DataFrame) -> DataFrame:
    """Each value that another may have, in the unit that is told: null where none is stated or it is unknown."""
    told = rules.where("tells_amount").select("list", "property", "factor").distinct()
    stated = facts.statements.select(
        F.col("subject").alias("other"), "property", F.when(F.col("snak") == "value", F.col("amount")).alias("stated")
    )
    return (
        others.join(F.broadcast(told), on="list", how="inner")
        .join(stated, on=["other", "property"], how="left")
        .withColumn("stated", in_unit(F.col("stated"), F.col("factor")))
        .drop("factor")
        .withColumnsRenamed({"list": "their_list", "property": "their_property"})
    )


WHERE_AND_WHEN = ("tells_year", "year", "tells_country", "country")


def _by_items(facts: Facts, own: DataFrame, others: DataFrame, seed: str) -> DataFrame:
    """The things that one or some item values tell apart, with what is told: chosen by hash among what is unique."""
    linked = _linked(facts, own, seed)
    order = F.lit(f"{seed}\x1fdescription"), F.col("key"), F.col("entity")
    ranked = F.transform(
        F.filter(_choices(), lambda c: ~_taken(c)),
        lambda c: F.struct(F.xxhash64(*order, F.transform(c, lambda v: v["value_item"])), c.alias("values")),
    )
    unique = (
        linked.join(_shared(facts, linked, others), on=["entity", "key"], how="left")
        .select("entity", "key", F.array_min(ranked)["values"].alias("chosen"))
        .localCheckpoint()  # or the filter would be pushed below, and the choice computed twice
        .where(F.col("chosen").isNotNull())
    )
    return own.join(unique, on=["entity", "key"], how="inner").select(
        *own.columns,
        F.lit(None).cast(AMOUNT).alias("amount"),
        F.transform("chosen", lambda v: v["value_item"]).alias("items"),
        *(F.get("chosen", F.lit(place))["name"].alias(name) for place, name in enumerate(ITEM_SLOTS)),
    )


def _linked(facts: Facts, own: DataFrame, seed: str) -> DataFrame:
    """The named values of each thing that are looked at: the first by hash, at least as many as are told."""
    order = F.xxhash64(F.lit(f"{seed}\x1ftold"), "entity", "property", "value_item").alias("order")
    named = facts.names.select(F.col("entity").alias("value_item"), "name")
    return (
        own.where("NOT tells_amount")
        .join(facts.values.select("entity", "attribute", "value_item"), on=["entity", "attribute"], how="inner")
        .join(named, on="value_item", how="inner")
        .groupBy("entity", "key", "list", "property", "told", *WHERE_AND_WHEN)
        .agg(F.slice(F.array_sort(F.collect_set(F.struct(order, "value_item", "name"))), 1, MOST_TOLD).alias("linked"))
        .where(F.size("linked") >= F.col("told"))
    )


def _shared(facts: Facts, linked: DataFrame, others: DataFrame) -> DataFrame:
    """What a thing has in common with others that may fit: columns entity, key, taken (sets of values)."""
    stated = facts.statements.where("value_item IS NOT NULL").select(
        F.col("subject").alias("other"), "property", "value_item"
    )
    each = linked.withColumn("value_item", F.explode("linked.value_item")).drop("linked")
    return (
        each.join(stated, on=["property", "value_item"], how="inner")
        .join(others, on=["list", "other"], how="inner")
        .where(_could_be())
        .groupBy("entity", "key", "told", "other")
        .agg(F.array_sort(F.collect_set("value_item")).alias("common"))
        .where(F.size("common") >= F.col("told"))
        .groupBy("entity", "key")
        .agg(F.collect_set("common").alias("taken"))
    )


def _choices() -> Column:
    """All that could be told of the linked values: each one, each pair or each trio, ascending by item."""
    told = F.col("told")
    return F.transform(
        F.when(told == 3, _of_each(3)).when(told == 2, _of_each(2)).otherwise(_of_each(1)),
        lambda c: F.array_sort(F.transform(c, lambda v: F.struct(v["value_item"], v["name"]))),
    )


def _of_each(values: int, place: Column | int = 1, before: Sequence[Column] = ()) -> Column:
    """Each choice of so many of the linked values from a place on, the values before it put in front."""
    rest = F.slice("linked", place, F.lit(MOST_TOLD))
    if values == 1:
        return F.transform(rest, lambda v: F.array(*before, v))
    return F.flatten(F.transform(rest, lambda v, at: _of_each(values - 1, at + place + 1, [*before, v])))


def _taken(choice: Column) -> Column:
    """Whether another thing has all values of a choice."""
    return F.exists(
        F.coalesce(F.col("taken"), F.array().cast("array<array<bigint>>")),
        lambda common: F.forall(choice, lambda v: F.array_contains(common, v["value_item"])),
    )


def _text() -> Column:
    """The words: "the aviation accident in 1991 which resulted in 223 deaths".

    Pieces and texts stand side by side and are never scanned for slots, so that a name may hold braces.
    """
    amount = F.call_function("format_number", F.col("amount"), F.lit(AMOUNT_FORMAT))
    told = {"class": F.col("noun"), "year": F.col("year").cast("string"), "country": F.col("country_name")}
    told |= {"amount": amount} | {name: F.col(name) for name in ITEM_SLOTS}
    texts = F.create_map(*(part for slot, text in told.items() for part in (F.lit(slot), text)))
    one = F.coalesce(F.col("amount") == 1, F.lit(False))
    parts = F.zip_with(
        F.when(one, F.col("one_pieces")).otherwise(F.col("pieces")),
        F.when(one, F.col("one_slots")).otherwise(F.col("slots")),
        lambda piece, slot: F.when(slot.isNull(), piece).otherwise(F.concat(piece, F.element_at(texts, slot))),
    )
    return F.aggregate(parts, F.lit(""), lambda text, part: F.concat(text, part))
