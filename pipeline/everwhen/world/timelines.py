"""Position timelines: who held what, from when to when."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.tables.ranks import best_rank
from everwhen.wikidata.properties import Property


def term_candidates(statements: DataFrame, holders: DataFrame) -> DataFrame:
    """Every term of the holders' positions, of any rank but deprecated, with the reason why it cannot be used.

    A preferred rank often marks only today's holder, so that best rank would lose all earlier terms. An
    end that is stated not to be (novalue), or not stated at all, leaves the term open.

    Args:
        statements: Table `statements`.
        holders: Column entity: whose positions make timelines. All other holders of those positions count too.

    Returns:
        Columns of the table `timelines` but complete, and reason.
    """
    held = statements.where((F.col("property") == Property.POSITION_HELD) & (F.col("rank") != "deprecated"))
    positions = (
        held.join(holders.select(F.col("entity").alias("subject")).distinct(), on="subject", how="left_semi")
        .select("value_item")
        .distinct()
    )
    start, end = F.col("start_time"), F.col("end_time")
    reason = (
        F.when(start.isNull() | (start["snak"] != "value"), "no usable start")
        .when(end["snak"].isin("somevalue", "several"), "no usable end")
        .when(end["last_day"] < start["first_day"], "end before start")
    )
    return (
        held.where("snak = 'value'")
        .join(positions, on="value_item", how="left_semi")
        .select(
            F.col("value_item").alias("position"),
            F.col("subject").alias("holder"),
            "statement_id",
            start["first_day"].alias("first_day"),
            start["last_day"].alias("start_last"),
            start["precision"].alias("start_precision"),
            end["first_day"].alias("end_first"),
            end["last_day"].alias("last_day"),
            end["precision"].alias("end_precision"),
            reason.alias("reason"),
        )
    )


def timelines(candidates: DataFrame, statements: DataFrame) -> DataFrame:
    """The usable terms; those of a position with an unusable one, or with several open ones, are not complete.

    Args:
        candidates: As `term_candidates` returns them.
        statements: Table `statements`, for the positions' jurisdictions.

    Returns:
        Rows of the table `timelines`.
    """
    whole = candidates.groupBy("position").agg(
        (
            F.bool_and(F.col("reason").isNull())
            & (F.count_if(F.col("reason").isNull() & F.col("last_day").isNull()) <= 1)
        ).alias("complete")
    )
    held = candidates.groupBy("position", "holder").agg((F.count(F.lit(1)) == 1).alias("once"))
    return (
        candidates.where("reason IS NULL")
        .drop("reason")
        .join(whole, on="position", how="inner")
        .join(held, on=["position", "holder"], how="inner")
        .join(_jurisdictions(statements), on="position", how="left")
    )


def _jurisdictions(statements: DataFrame) -> DataFrame:
    """The one best-rank jurisdiction of each subject that has one: columns position, jurisdiction."""
    stated = best_rank(statements.where(F.col("property") == Property.APPLIES_TO_JURISDICTION))
    return (
        stated.groupBy(F.col("subject").alias("position"))
        .agg(
            F.min("value_item").alias("jurisdiction"),
            ((F.count_distinct("value_item") == 1) & F.bool_and(F.col("snak") == "value")).alias("one"),
        )
        .where("one")
        .drop("one")
    )
