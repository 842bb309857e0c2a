"""Questions that count: which values have a number of rows, or of stints (TDBench, appendix B.2)."""

from __future__ import annotations

from pyspark.sql import DataFrame

from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.judge import MATCH
from everwhen.families.tdbench.bind.positions import ANY
from everwhen.families.tdbench.bind.settings import MOST_ANSWERS
from everwhen.families.tdbench.reasons import BindReason

COUNTED = "counted"
"""The relation of questions that count."""

_NOTHING = (
    f"named_struct('count', 0, 'ee', -{ANY}, 'le', -{ANY}, 'is_undecided', false,"
    f" 'rows', transform(slice(members, 1, 0), m -> {MATCH}))"
)


def count_rows(keys: DataFrame) -> DataFrame:
    """Ask which values of a key have exactly a number of stints or rows, or at least that number.

    Rows of a value that touch are one stint: one starts when the other ends, or before.

    Args:
        keys: As returned by `everwhen.families.tdbench.bind.keys.group_keys`.

    Returns:
        The columns of `everwhen.families.tdbench.bind.judge.judge_candidates`, with counted and is_at_least. The least
        number that nobody has is asked too.
    """
    is_apart = "(counted_as = 'rows' OR m.es > acc.le)"
    is_decided = f"({is_apart} OR m.ls <= acc.ee)"
    added = (
        f"named_struct('count', acc.count + int({is_apart}), 'ee', greatest(acc.ee, m.ee), 'le',"
        f" greatest(acc.le, m.le), 'is_undecided', acc.is_undecided OR NOT {is_decided},"
        f" 'rows', array_append(acc.rows, {MATCH}))"
    )
    in_order = (
        "array_sort(filter(members, m -> m.answer = value), (one, other) -> CASE WHEN one.es <> other.es"
        " THEN one.es - other.es WHEN one.row_id < other.row_id THEN -1 ELSE 1 END)"
    )
    counts = (
        f"transform(array_distinct(members.answer), value -> aggregate({in_order}, {_NOTHING}, (acc, m) -> {added}))"
    )
    asked = (
        derive_columns(keys.where("kind = 'count' AND since IS NULL"), counts=counts)
        .selectExpr(
            *("scope_id", "granularity", "key", "counts", "array_max(counts.count) AS most"),
            "exists(counts, c -> c.is_undecided) AS is_undecided",
        )
        .selectExpr("*", "explode(sequence(1, most + 1)) AS counted")
        .selectExpr("*", "explode(if(counted BETWEEN 2 AND most, array(false, true), array(false))) AS is_at_least")
    )
    fitting = "filter(counts, c -> if(is_at_least, c.count >= counted, c.count = counted))"
    return derive_columns(asked, fitting=fitting).selectExpr(
        *("scope_id", "granularity", "key", "'counting' AS task", f"'{COUNTED}' AS relation", "false AS is_short"),
        *(
            "'....' AS conditions",
            "CAST(array() AS array<string>) AS roles",
            "true AS is_for_points",
            "counted",
            "is_at_least",
        ),
        *("int(NULL) AS b_start", "int(NULL) AS b_end", "flatten(fitting.rows) AS matches"),
        "array_sort(transform(fitting, c -> c.rows[0].answer)) AS answer",
        "false AS is_near_miss",
        f"CASE WHEN is_undecided THEN '{BindReason.STINTS_UNDECIDED}'"
        f" WHEN size(fitting) > {MOST_ANSWERS} THEN '{BindReason.TOO_MANY}' END AS reason",
    )
