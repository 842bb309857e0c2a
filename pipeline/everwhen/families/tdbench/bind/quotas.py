"""Which questions are kept: relations evenly, in each of them the cardinalities, half of `none` near misses."""

from __future__ import annotations

from pyspark.sql import DataFrame

from everwhen.families.tdbench.bind.settings import BindSettings
from everwhen.families.tdbench.reasons import BindReason

_CELLS = (
    ("declaration, task, relation, is_short, cardinality, is_near_miss", "choice"),
    ("declaration, task, relation, is_short, cardinality", "place_in_cell, is_near_miss DESC, choice"),
    ("declaration, task, relation, is_short", "place_in_cell, choice"),
    ("declaration, task", "place_in_cell, choice"),
)
"""Cells from the smallest to the largest. One that is cut short is filled from its parts in turn, as far as they go."""


OTHER_TASKS = 3
"""The share of each task but reasoning: a third of its items."""

SPARE = 4
"""Candidates that are drawn for each item that is wanted, so that no cell lacks some."""

_PARTS = 1_000_000


def is_in_share(hashed: str) -> str:
    """Write whether a candidate is among those that are needed: of large tables a part is (Spark SQL).

    Args:
        hashed: Its hash. The columns available and wanted say how many candidates there would be, and are needed.
    """
    return f"pmod({hashed}, {_PARTS}) * bigint(available) < bigint({_PARTS}) * wanted"


def apply_quotas(judged: DataFrame, settings: BindSettings) -> DataFrame:
    """Reject what was asked before, and what is more than the items wanted.

    Args:
        judged: Candidates with item_id, declaration, task, relation, is_short, granularity, cardinality, is_near_miss
            and reason.
        settings: The items wanted, and the seed.

    Returns:
        The same rows; a reason in those that are not kept.
    """
    order = "CASE granularity WHEN 'day' THEN 1 WHEN 'month' THEN 2 ELSE 3 END"
    # Rows of one cell are together at once: only the last cells, of whole tasks, exchange rows again.
    asked = judged.where("reason IS NULL").repartition("declaration", "task", "relation")
    same = "PARTITION BY declaration, task, relation, item_id"
    numbered = asked.selectExpr(
        "*",
        f"row_number() OVER ({same} ORDER BY {order}, b_start, b_end) > 1 AS is_duplicate",
        f"xxhash64('{settings.config.seed}', 'quota', item_id) AS choice",
        "0 AS place_in_cell",
    )
    for cell, by in _CELLS:
        # Duplicates come last, so that they take no place.
        numbered = numbered.selectExpr(
            *(name for name in numbered.columns if name != "place_in_cell"),
            f"row_number() OVER (PARTITION BY {cell} ORDER BY is_duplicate, {by}, item_id) AS place_in_cell",
        )
    size = f"if(task = 'reasoning', {settings.size}, {max(settings.size // OTHER_TASKS, 1)})"
    reason = (
        f"CASE WHEN is_duplicate THEN '{BindReason.DUPLICATE}'"
        f" WHEN place_in_cell > {size} THEN '{BindReason.OVER_SIZE}' END"
    )
    kept = numbered.selectExpr(*(name for name in judged.columns if name != "reason"), f"{reason} AS reason")
    return kept.unionByName(judged.where("reason IS NOT NULL"))
