"""Descriptions that mention items by their names: "the film starring Tom Hanks, Gary Sinise, and Sally Field"."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.models import ITEM_SLOTS
from everwhen.core.session import checkpoint
from everwhen.tables.ranks import select_best_rank
from everwhen.world.attributes import AMOUNT
from everwhen.world.distractors import DescriptionInputs, may_match

MAX_CANDIDATE_VALUES = 12
"""Of how many of an item's values (a film's cast) some are mentioned, so that triples stay few: 220."""

WHERE_AND_WHEN = ("mentions_year", "year", "mentions_country", "country")


def describe_by_items(facts: DescriptionInputs, own: DataFrame, others: DataFrame, seed: str) -> DataFrame:
    """Describe subjects by one or some item values that no other has; a hash chooses among unique ones.

    Args:
        facts: The tables.
        own: Each subject with each pattern for it.
        others: Who else is there (`everwhen.world.distractors.find_distractors`).
        seed: The configuration's seed.

    Returns:
        The columns of `own`, amount (none), items, and their names.
    """
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
    named = facts.names.select(F.col("entity").alias("value_item"), "name")
    return (
        own.where("NOT mentions_amount")
        .join(facts.values.select("entity", "attribute", "value_item"), on=["entity", "attribute"], how="inner")
        .join(named, on="value_item", how="inner")
        .join(_select_ordinals(facts, own), on=["entity", "property", "value_item"], how="left")
        .where(~F.col("in_order") | (F.col("ordinal") <= F.col("mentioned")))
        .groupBy("entity", "key", "list", "property", "mentioned", "in_order", *WHERE_AND_WHEN)
        .agg(
            F.slice(F.sort_array(F.collect_set(F.struct(order, "value_item", "name"))), 1, MAX_CANDIDATE_VALUES).alias(
                "linked"
            )
        )
        .where(F.size("linked") >= F.col("mentioned"))
    )


def _select_ordinals(facts: DescriptionInputs, own: DataFrame) -> DataFrame:
    """The place of a value in its series (P1545), where one place has one value: columns entity, property, value_item,
    ordinal."""
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
        .where(may_match())
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
