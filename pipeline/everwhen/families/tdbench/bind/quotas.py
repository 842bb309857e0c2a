"""Which questions are kept: relations evenly, in each of them the cardinalities, half of `none` near misses."""

from __future__ import annotations

from pyspark.sql import DataFrame

from everwhen.core.quotas import rank_in_turns
from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.settings import BindSettings
from everwhen.families.tdbench.reasons import BindReason

_RELATION = "declaration, task, relation, is_short"
_CARDINALITY = f"{_RELATION}, cardinality"
_OF_CARDINALITIES = (
    (f"{_CARDINALITY}, is_near_miss", "is_last, choice, item_id"),
    (_CARDINALITY, "is_last, place_in_cell, is_near_miss DESC, choice, item_id"),
)
_OF_TASKS = (
    (_RELATION, "is_last, place_in_cell, choice, item_id"),
    ("declaration, task", "is_last, place_in_cell, choice, item_id"),
)
"""Cells from the smallest to the largest. What is not kept in any case comes last, so that it takes no place."""

_ANSWERED = f"count_if(NOT is_last AND cardinality <> 'none') OVER (PARTITION BY {_RELATION}) AS answered"
"""No relation has more questions without an answer than with one: that nothing fits would be a good guess."""

OTHER_TASKS = 3
"""The share of each task but reasoning: a third of its items."""

SPARE = 4
"""Candidates that are drawn for each item that is wanted, so that no cell lacks some."""

_PARTS = 1_000_000

NUMBER = "number"
"""The column by which a candidate is found again: its place among those stored. No choice depends on it."""

COMPARED = (
    *(NUMBER, "item_id", "declaration", "task", "relation", "is_short", "granularity", "b_start", "b_end"),
    *("cardinality", "is_near_miss"),
)
"""What of a candidate decides whether it is kept."""


def is_in_share(hashed: str) -> str:
    """Write whether a candidate is among those that are needed: of large tables a part is (Spark SQL).

    Args:
        hashed: Its hash. The columns available and wanted say how many candidates there would be, and are needed.
    """
    return f"pmod({hashed}, {_PARTS}) * bigint(available) < bigint({_PARTS}) * wanted"


def apply_quotas(judged: DataFrame, settings: BindSettings) -> DataFrame:
    """Decide which candidates are kept: none that was asked before, and no more than the items wanted.

    Args:
        judged: Candidates with the columns `COMPARED` and reason. `NUMBER` must not change when they are read again.
        settings: The items wanted, and the seed.

    Returns:
        Columns `NUMBER` and reason, of all candidates; no reason of those that are kept.
    """
    order = "CASE granularity WHEN 'day' THEN 1 WHEN 'month' THEN 2 ELSE 3 END"
    same = "PARTITION BY declaration, task, relation, item_id"
    # Sorted five times, so no wider than it must be. Rows of one cell are together at once: only the last cells, of
    # whole tasks, exchange rows again.
    numbered = (
        judged.where("reason IS NULL")
        .selectExpr(*COMPARED)
        .repartition("declaration", "task", "relation")
        .selectExpr(
            "*",
            f"row_number() OVER ({same} ORDER BY {order}, b_start, b_end) > 1 AS is_duplicate",
            f"xxhash64('{settings.config.seed}', 'quota', item_id) AS choice",
        )
        .selectExpr("*", "is_duplicate AS is_last")
        .drop("granularity", "b_start", "b_end")
    )
    numbered = rank_in_turns(numbered, _OF_CARDINALITIES, "place_in_cell")
    is_surplus = "cardinality = 'none' AND place_in_cell > answered"
    numbered = derive_columns(numbered.selectExpr("*", _ANSWERED), is_last=f"is_last OR {is_surplus}")
    numbered = rank_in_turns(numbered, _OF_TASKS, "place_in_cell")
    size = f"if(task = 'reasoning', {settings.size}, {max(settings.size // OTHER_TASKS, 1)})"
    reason = (
        f"CASE WHEN is_duplicate THEN '{BindReason.DUPLICATE}'"
        f" WHEN is_last THEN '{BindReason.UNANSWERED}' WHEN place_in_cell > {size} THEN '{BindReason.OVER_SIZE}' END"
    )
    decided = numbered.selectExpr(NUMBER, f"{reason} AS reason")
    return decided.unionByName(judged.where("reason IS NOT NULL").select(NUMBER, "reason"))
