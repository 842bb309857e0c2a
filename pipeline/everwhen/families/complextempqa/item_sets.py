"""Select the item sets: questions of the test split, balanced over strata, that change little with a new snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.complextempqa.tables.item_sets import ITEM_SETS

SIZES: Mapping[str, int] = {"lite-1000": 1_000, "lite-10000": 10_000}
"""How many questions each set has, where the test split has so many."""

STRATA = ("type", "is_unnamed", "rating", "decade")
"""What sets are balanced over, the outermost first."""


def select_item_sets(questions: DataFrame, sizes: Mapping[str, int] = SIZES) -> DataFrame:
    """Select the questions of each set from those of the test split.

    Few-shot examples come from train, so that none is a question of a set. The questions of a stratum are in the order
    of their ids, which are hashes. Strata of one parent take turns, those of the least MD5 first: so have the values of
    `type` equal shares as far as there are questions, within a type named and unnamed ones, and so on. A set is the
    first questions of this order, and a smaller set a part of a larger one. docs/reference/stability.md says what a
    new snapshot changes.

    Args:
        questions: Table `questions`.
        sizes: The number of questions of each set.

    Returns:
        Rows of the table `item_sets`.
    """
    tested = questions.where(F.col("split") == "test")
    chosen = _rank(tested, max(sizes.values()))
    sets = [
        chosen.where(F.col("turn") <= n).select(F.lit(name).alias("item_set"), "question_id")
        for name, n in sizes.items()
    ]
    return ITEM_SETS.select(
        tested.join(F.broadcast(reduce(DataFrame.unionByName, sets)), on="question_id", how="inner")
    )


def _rank(tested: DataFrame, most: int) -> DataFrame:
    """Number the questions in the order in which sets take them: question_id and turn, from 1 to `most`."""
    decade = F.coalesce((F.floor(F.col("year") / 10) * 10).cast("string"), F.lit("none"))
    ranked = tested.select(
        "question_id", *(F.col(c).cast("string").alias(c) for c in STRATA[:-1]), decade.alias("decade")
    )
    within = Window.partitionBy(*STRATA).orderBy("question_id")
    ranked = ranked.withColumn("turn", F.row_number().over(within)).where(F.col("turn") <= most)
    for depth in range(len(STRATA), 0, -1):
        siblings = Window.partitionBy(*STRATA[: depth - 1]).orderBy("turn", F.md5(F.concat_ws("/", *STRATA[:depth])))
        ranked = ranked.withColumn("turn", F.row_number().over(siblings)).where(F.col("turn") <= most)
    return ranked.select("question_id", "turn")
