"""Members of item lists, the list that counts for each entity, and countries."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.models import EntityList
from everwhen.core.reasons import RejectReason
from everwhen.tables.ranks import select_best_rank


def assign_primary_lists(members: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Assign each entity the list that gives its kind, noun and topic: item lists first, then by precedence.

    A work that Wikidata's class tree also puts below occurrence is thus an item and no event.

    Args:
        members: Table `members`.
        lists: The lists.

    Returns:
        Columns entity, list, kind, linked.
    """
    rows = [(e.id, e.kind, e.linked, (0 if e.kind == "item" else 1000) + e.precedence) for e in lists]
    order = members.sparkSession.createDataFrame(rows, "list string, kind string, linked boolean, order int")
    return (
        members.select("entity", "list")
        .join(F.broadcast(order), on="list", how="inner")
        .groupBy("entity")
        .agg(F.min(F.struct("order", "list", "kind", "linked")).alias("first"))
        .select("entity", "first.list", "first.kind", "first.linked")
    )


def derive_item_candidates(members: DataFrame, primary: DataFrame) -> DataFrame:
    """Derive every member of an item list, with the reason why it is not asked about.

    Args:
        members: Table `members`.
        primary: Columns entity, list, named, place_reason (why it has no place in the world; null where it has).

    Returns:
        Columns entity, list, the times of `members`, reason. An item without a usable time stays: it can be asked
        for other properties.
    """
    reason = F.when(~F.col("named"), RejectReason.NO_NAME).otherwise(F.col("place_reason"))
    return members.join(primary, on=["entity", "list"], how="inner").select(
        "entity",
        "list",
        "first_day",
        "last_day",
        "start_last",
        "end_first",
        "start_precision",
        "precision",
        "start_calendar",
        "end_calendar",
        "extent",
        "countries",
        reason.alias("reason"),
    )


def with_countries(lifetimes: DataFrame, statements: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Add the countries of each member: its list's country properties, best rank, ascending; a country is its own.

    A country that is hedged is none of them.

    Args:
        lifetimes: Columns list, entity, …: one row a member.
        statements: Table `statements`.
        lists: The lists.

    Returns:
        Rows of the table `members`.
    """
    rows = [(e.id, p) for e in lists for p in e.country]
    wanted = lifetimes.sparkSession.createDataFrame(rows, "list string, property int")
    stated = (
        select_best_rank(statements)
        .where("value_item IS NOT NULL AND snak = 'value'")
        .select(F.col("subject").alias("entity"), "property", "value_item")
    )
    found = (
        lifetimes.select("entity", "list")
        .join(F.broadcast(wanted), on="list", how="inner")
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy("entity", "list")
        .agg(F.sort_array(F.collect_set("value_item")).alias("countries"))
    )
    own = F.when(F.col("list").isin([e.id for e in lists if e.own_country]), F.array("entity"))
    return lifetimes.join(found, on=["entity", "list"], how="left").withColumn(
        "countries", F.coalesce("countries", own, F.array().cast("array<bigint>"))
    )
