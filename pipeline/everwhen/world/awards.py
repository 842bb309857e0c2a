"""Awards received: who, which, when. A view of the temporal facts of P166."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property
from everwhen.world.temporal_facts import select_property


def derive_awards(facts: DataFrame, statements: DataFrame) -> DataFrame:
    """Derive every award received, of any rank but deprecated (a preferred rank would hide all earlier ones).

    The point in time counts whatever start and end say.

    Args:
        facts: Table `temporal_facts`: all times come from here.
        statements: Table `statements`: awards without any time come from here, and make an award incomplete.

    Returns:
        Rows of the table `awards`. A point in time that is unknown, doubled or coarser than a year is not usable. That
        of a hedged statement is not either.
    """
    usable = (F.col("snak") == "value") & (F.col("point_precision") >= Precision.YEAR)
    received = select_property(facts, statements, Property.AWARD_RECEIVED).select(
        F.col("value_id").alias("award"),
        F.col("subject_id").alias("recipient"),
        "statement_id",
        F.when(usable, F.col("earliest_point")).alias("first_day"),
        F.when(usable, F.col("latest_point")).alias("last_day"),
        F.when(usable, F.col("point_precision")).alias("precision"),
        F.when(usable, F.col("point_calendar")).alias("calendar"),
    )
    once = received.groupBy("award", "recipient").agg((F.count(F.lit(1)) == 1).alias("once"))
    complete = received.groupBy("award").agg(F.bool_and(F.col("first_day").isNotNull()).alias("complete"))
    return received.join(once, on=["award", "recipient"], how="inner").join(complete, on="award", how="inner")
