"""Terms of office: who held what position, from when to when. A view of the temporal facts of P39."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.reasons import RejectReason
from everwhen.tables.ranks import select_best_rank
from everwhen.wikidata.properties import Property
from everwhen.world.temporal_facts import select_property


def find_term_candidates(facts: DataFrame, statements: DataFrame, holders: DataFrame) -> DataFrame:
    """Find every term of the holders' positions, of any rank but deprecated, and say why one cannot be used.

    A preferred rank often marks only today's holder, so that best rank would lose all earlier terms. An
    end that is stated not to be (novalue), or not stated at all, leaves the term open.

    Args:
        facts: Table `temporal_facts`: all bounds come from here.
        statements: Table `statements`: terms without any time come from here, and make a position incomplete.
        holders: Column item_id: whose positions have terms. All other holders of those positions count too.

    Returns:
        Columns of the table `position_terms` but jurisdiction_id, is_complete and is_only_term, and reason.
    """
    stated = select_property(facts, statements, Property.POSITION_HELD).withColumnsRenamed(
        {"value_id": "position_id", "subject_id": "holder_id", "reason": "time_reason"}
    )
    positions = (
        stated.join(holders.select(F.col("item_id").alias("holder_id")).distinct(), on="holder_id", how="left_semi")
        .select("position_id")
        .distinct()
    )
    reason = (
        F.when(F.col("snak") != "value", F.col("time_reason"))
        .when(F.col("start_snak").isNull() | (F.col("start_snak") != "value"), RejectReason.NO_USABLE_START)
        .when(~F.col("end_snak").isin("value", "novalue"), RejectReason.NO_USABLE_END)
        .otherwise(F.col("time_reason"))
    )
    return stated.join(positions, on="position_id", how="left_semi").select(
        "position_id",
        "holder_id",
        "statement_id",
        "earliest_start",
        "latest_start",
        "start_precision",
        "start_calendar",
        "earliest_end",
        "latest_end",
        "end_precision",
        "end_calendar",
        reason.alias("reason"),
    )


def derive_position_terms(candidates: DataFrame, statements: DataFrame) -> DataFrame:
    """Keep the usable terms, and say which positions are complete.

    A position with an unusable term, or with several open ones, is not complete.

    Args:
        candidates: As `find_term_candidates` returns them.
        statements: Table `statements`, for the positions' jurisdictions.

    Returns:
        Rows of the table `position_terms`.
    """
    usable = F.col("reason").isNull()
    complete = candidates.groupBy("position_id").agg(
        (F.bool_and(usable) & (F.count_if(usable & F.col("latest_end").isNull()) <= 1)).alias("is_complete")
    )
    alone = candidates.groupBy("position_id", "holder_id").agg((F.count(F.lit(1)) == 1).alias("is_only_term"))
    return (
        candidates.where(usable)
        .drop("reason")
        .join(complete, on="position_id", how="inner")
        .join(alone, on=["position_id", "holder_id"], how="inner")
        .join(_find_jurisdictions(statements), on="position_id", how="left")
    )


def _find_jurisdictions(statements: DataFrame) -> DataFrame:
    """Find the one best-rank jurisdiction of each subject that has one: columns position_id, jurisdiction_id."""
    stated = select_best_rank(statements.where(F.col("property") == Property.APPLIES_TO_JURISDICTION))
    return (
        stated.groupBy(F.col("subject").alias("position_id"))
        .agg(
            F.min("value_item").alias("jurisdiction_id"),
            ((F.count_distinct("value_item") == 1) & F.bool_and(F.col("snak") == "value")).alias("is_one"),
        )
        .where("is_one")
        .drop("is_one")
    )
