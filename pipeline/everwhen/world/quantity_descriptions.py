"""Descriptions that mention a quantity: "the 1991 air crash that killed 223 people"."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.models import ITEM_SLOTS
from everwhen.world.attributes import AMOUNT, in_unit
from everwhen.world.distractors import DescriptionInputs, may_match


def describe_by_quantity(facts: DescriptionInputs, own: DataFrame, others: DataFrame, rules: DataFrame) -> DataFrame:
    """Describe the subjects that a quantity identifies.

    Args:
        facts: The tables.
        own: Each subject with each pattern for it.
        others: Who else is there (`everwhen.world.distractors.find_distractors`).
        rules: The patterns.

    Returns:
        The columns of `own`, amount, items (none), and the names of the items.
    """
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
    return mine.join(rivals, on=[*same, may_match() & near], how="left_anti").select(
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
