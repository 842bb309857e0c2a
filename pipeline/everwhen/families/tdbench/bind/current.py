"""Candidates of alignment: what holds now, which is on the last day of which a table knows (TDBench, appendix B.1)."""

from __future__ import annotations

from pyspark.sql import DataFrame

from everwhen.families.tdbench.bind.positions import UNBOUNDED, count_day
from everwhen.families.tdbench.reasons import BindReason


def ask_current(keys: DataFrame) -> DataFrame:
    """Ask for the rows of each key that have not ended, in the finest unit of its declaration.

    They are open, or end after the last day of which the table knows.

    Args:
        keys: As returned by `everwhen.families.tdbench.bind.keys.group_keys`.

    Returns:
        Candidates, as of `everwhen.families.tdbench.bind.draws.draw_candidates`.
    """
    today = count_day("as_of")
    is_unsettled = f"exists(members, m -> m.le >= {today} AND NOT (m.ls < {today} AND m.ee > {today}))"
    return keys.where("kind = 'tfd' AND has_current AND granularity = granularities[0]").selectExpr(
        *("scope_id", "granularity", "key", "members", "is_points", "is_inclusive"),
        *("'alignment' AS task", "'current' AS relation"),
        *("false AS is_short", "'....' AS conditions", "array('start') AS roles", "true AS is_for_points"),
        *("int(NULL) AS b_start", "int(NULL) AS b_end", "int(NULL) AS offset_months"),
        *(f"-{UNBOUNDED} AS s_low", f"{UNBOUNDED} AS s_high", f"{today} + 1 AS e_low", f"{UNBOUNDED} AS e_high"),
        f"if({is_unsettled}, '{BindReason.NOT_SETTLED}', NULL) AS early_reason",
    )
