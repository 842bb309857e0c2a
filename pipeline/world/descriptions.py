"""Unnamed descriptions: class, year and one attribute of an event that no other event among all facts could fit."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from pipeline.catalogue import Attribute, EntityList


def descriptions(
    events: DataFrame,
    attributes: DataFrame,
    members: DataFrame,
    statements: DataFrame,
    lists: Sequence[EntityList],
    told: Sequence[Attribute],
) -> DataFrame:
    """Describe each event that can be told by class, year and the value of one attribute.

    A description is kept only if no other member of the class could fit it: one that may have happened in that year
    (its time unknown, or spanning the year in part) and may have that value (none stated, or the same among those
    stated, whatever their rank but deprecated).

    Args:
        events: Table `events`.
        attributes: Table `attributes`.
        members: Table `members`, uncut.
        statements: Table `statements`.
        lists: The lists.
        told: The attributes that have words for telling (`told`).

    Returns:
        Rows of the table `descriptions`.
    """
    spark = events.sparkSession
    words = spark.createDataFrame(
        [(a.id, a.property, a.words["told"], a.words["told_one"]) for a in told],
        "attribute string, property int, told string, told_one string",
    )
    nouns = spark.createDataFrame([(e.id, e.noun) for e in lists if not e.linked], "list string, noun string")
    year = F.year("first_day")
    own = (
        events.where(year == F.year("last_day"))
        .select(F.col("event").alias("entity"), "list", year.alias("year"))
        .join(F.broadcast(nouns), on="list", how="inner")
        .join(attributes.drop("first_day", "last_day", "precision"), on="entity", how="inner")
        .join(F.broadcast(words), on=["attribute", "property"], how="inner")
        .where((F.col("amount") > 0) & (F.col("amount") == F.floor("amount")))
    )
    rivals = _rivals(members, statements, [a.property for a in told])
    clash = own.alias("own").join(
        rivals.alias("rival"),
        on=(F.col("own.list") == F.col("rival.list"))
        & (F.col("own.property") == F.col("rival.property"))
        & (F.col("own.entity") != F.col("rival.entity"))
        & (F.col("rival.from_year") <= F.col("own.year"))
        & (F.col("rival.to_year") >= F.col("own.year"))
        & (F.col("rival.amount").isNull() | (F.col("rival.amount") == F.col("own.amount"))),
        how="left_anti",
    )
    return clash.select(F.col("entity").alias("event"), "attribute", "property", "amount", _tell().alias("description"))


def _rivals(members: DataFrame, statements: DataFrame, properties: list[int]) -> DataFrame:
    """Every class member with each value it may have: one row a stated value, one with null where none is stated."""
    possible = members.select(
        "list",
        "entity",
        F.coalesce(F.year("first_day"), F.lit(-9999)).alias("from_year"),
        F.coalesce(F.year("last_day"), F.year("start_last"), F.lit(9999)).alias("to_year"),
    ).crossJoin(F.broadcast(members.sparkSession.createDataFrame([(p,) for p in properties], "property int")))
    stated = statements.where(F.col("property").isin(properties) & (F.col("rank") != "deprecated")).select(
        F.col("subject").alias("entity"), "property", F.when(F.col("snak") == "value", F.col("amount")).alias("amount")
    )
    return possible.join(stated, on=["entity", "property"], how="left")


def _tell() -> Column:
    """The words: "the aviation accident in 1991 which resulted in 223 deaths"."""
    amount = F.format_number(F.col("amount"), 0)
    one = F.col("amount") == 1
    fact = F.when(one, F.col("told_one")).otherwise(F.replace(F.col("told"), F.lit("{amount}"), amount))
    return F.concat(F.lit("the "), F.col("noun"), F.lit(" in "), F.col("year").cast("string"), F.lit(" which "), fact)
