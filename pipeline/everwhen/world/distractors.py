"""Distractors: the other members of a class that a description could fit, with their times and countries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.models import EntityList


@dataclass(frozen=True)
class DescriptionInputs:
    """The subjects to describe, and the tables that descriptions are checked against.

    Attributes:
        subjects: Columns entity, list, kind, first_day, last_day, start_last, countries.
        values: Table `attributes`.
        members: Table `members`, uncut.
        statements: Table `statements`; deprecated ones never count here.
        names: Table `names`.
    """

    subjects: DataFrame
    values: DataFrame
    members: DataFrame
    statements: DataFrame
    names: DataFrame


def find_distractors(facts: DescriptionInputs, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Find every member of a described class, with the years and countries in which it may be.

    Args:
        facts: The tables.
        rules: The patterns, with the columns list and mentions_country.
        lists: The lists.

    Returns:
        Columns list, other, from_year, to_year, places (countries stated) and anywhere (one of them is unknown, or none
        is stated).
    """
    list_kinds = facts.members.sparkSession.createDataFrame([(e.id, e.kind) for e in lists], "list string, kind string")
    ends = F.when(F.col("kind") == "event", F.coalesce(F.year("last_day"), F.year("start_last"))).otherwise(
        F.year("start_last")
    )
    return (
        facts.members.join(F.broadcast(rules.select("list").distinct()), on="list", how="left_semi")
        .join(F.broadcast(list_kinds), on="list", how="inner")
        .join(find_countries(facts, facts.members, rules, lists), on=["list", "entity"], how="left")
        .select(
            "list",
            F.col("entity").alias("other"),
            F.coalesce(F.year("first_day"), F.lit(-9999)).alias("from_year"),
            F.coalesce(ends, F.lit(9999)).alias("to_year"),
            "places",
            F.coalesce("anywhere", F.lit(True)).alias("anywhere"),
        )
    )


def find_countries(facts: DescriptionInputs, of: DataFrame, rules: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Find the stated countries, of any rank but deprecated, and whether one is unknown: for lists that need it.

    Args:
        facts: The tables.
        of: Whose countries: columns list and entity.
        rules: The patterns, with the columns list and mentions_country.
        lists: The lists.

    Returns:
        Columns list, entity, places and anywhere.
    """
    spark = of.sparkSession
    wanted = spark.createDataFrame([(e.id, p) for e in lists for p in e.country], "list string, property int").join(
        rules.where("mentions_country").select("list").distinct(), on="list", how="left_semi"
    )
    stated = facts.statements.select(F.col("subject").alias("entity"), "property", "value_item", "snak")
    return (
        of.select("list", "entity")
        .join(F.broadcast(wanted), on="list", how="inner")
        .join(stated, on=["entity", "property"], how="inner")
        .groupBy("list", "entity")
        .agg(F.collect_set("value_item").alias("places"), F.bool_or(F.col("snak") != "value").alias("anywhere"))
    )


def may_match() -> Column:
    """Whether another member (`find_distractors`) may be of the mentioned year and in the mentioned country."""
    year = ~F.col("mentions_year") | ((F.col("from_year") <= F.col("year")) & (F.col("to_year") >= F.col("year")))
    country = ~F.col("mentions_country") | F.col("anywhere") | F.array_contains("places", F.col("country"))
    return (F.col("entity") != F.col("other")) & year & country
