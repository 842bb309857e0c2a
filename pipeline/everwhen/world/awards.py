"""Awards received: who, which, when."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property


def awards(statements: DataFrame) -> DataFrame:
    """Every award received, of any rank but deprecated (a preferred rank would hide all earlier ones).

    Args:
        statements: Table `statements`.

    Returns:
        Rows of the table `awards`. A point in time that is unknown, doubled or coarser than a year is not usable.
    """
    stated = statements.where(
        (F.col("property") == Property.AWARD_RECEIVED) & (F.col("rank") != "deprecated") & (F.col("snak") == "value")
    )
    time = F.col("point_in_time")
    usable = F.coalesce((time["snak"] == "value") & (time["precision"] >= Precision.YEAR), F.lit(False))
    received = stated.select(
        F.col("value_item").alias("award"),
        F.col("subject").alias("recipient"),
        "statement_id",
        F.when(usable, time["first_day"]).alias("first_day"),
        F.when(usable, time["last_day"]).alias("last_day"),
        F.when(usable, time["precision"]).alias("precision"),
    )
    once = received.groupBy("award", "recipient").agg((F.count(F.lit(1)) == 1).alias("once"))
    complete = received.groupBy("award").agg(F.bool_and(F.col("first_day").isNotNull()).alias("complete"))
    return received.join(once, on=["award", "recipient"], how="inner").join(complete, on="award", how="inner")
