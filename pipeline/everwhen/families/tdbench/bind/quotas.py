"""Which questions are kept: relations evenly, in each of them the cardinalities, half of `none` near misses."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.quotas import rank_in_turns
from everwhen.families.tdbench.bind.steps import OTHER_TASKS, BindSettings, run_step
from everwhen.families.tdbench.reasons import BindReason

NUMBER = "number"
"""The column by which a candidate is found again: its place among those stored. No choice depends on it."""

OF_CARDINALITIES = (
    ("declaration, task, relation, is_short, cardinality, is_near_miss", "is_last, choice, item_id"),
    (
        "declaration, task, relation, is_short, cardinality",
        "is_last, place_in_cell, is_near_miss DESC, choice, item_id",
    ),
)
OF_TASKS = (
    ("declaration, task, relation, is_short", "is_last, place_in_cell, choice, item_id"),
    ("declaration, task", "is_last, place_in_cell, choice, item_id"),
)
"""Cells from the smallest to the largest. What is not kept in any case comes last, so that it takes no place."""


def apply_quotas(judged: DataFrame, settings: BindSettings) -> DataFrame:
    """Decide which candidates are kept: none that was asked before, and no more than the items wanted.

    Args:
        judged: Candidates with item_id and reason. `NUMBER` must not change when they are read again.
        settings: The items wanted, and the seed.

    Returns:
        Columns `NUMBER` and reason, of all candidates; no reason of those that are kept.
    """
    # Rows of one cell are together at once: only the last cells, of whole tasks, exchange rows again.
    candidates = judged.where("reason IS NULL").repartition("declaration", "task", "relation")
    ranked = run_step("choices", {"candidates": candidates}, settings).transform(
        rank_in_turns, OF_CARDINALITIES, "place_in_cell"
    )
    # No relation has more questions without an answer than with one: that nothing fits would be a good guess.
    is_none, cell = F.col("cardinality") == "none", Window.partitionBy("declaration", "task", "relation", "is_short")
    answered = F.count_if(~F.col("is_last") & ~is_none).over(cell)
    is_surplus = is_none & (F.col("place_in_cell") > F.col("answered"))
    cut = ranked.withColumn("answered", answered).withColumn("is_last", F.col("is_last") | is_surplus)
    wanted = F.when(F.col("task") == "reasoning", settings.size).otherwise(max(settings.size // OTHER_TASKS, 1))
    reason = (
        F.when(F.col("is_duplicate"), BindReason.DUPLICATE)
        .when(F.col("is_last"), BindReason.UNANSWERED)
        .when(F.col("place_in_cell") > wanted, BindReason.OVER_SIZE)
    )
    decided = rank_in_turns(cut, OF_TASKS, "place_in_cell").select(NUMBER, reason.alias("reason"))
    return decided.unionByName(judged.where("reason IS NOT NULL").select(NUMBER, "reason"))
