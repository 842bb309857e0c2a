"""Questions that count: which values have a number of rows, or of stints (TDBench, appendix B.2)."""

from __future__ import annotations

from pyspark.sql import DataFrame

from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.judge import MATCH
from everwhen.families.tdbench.bind.positions import PRECISIONS, UNBOUNDED, count_day, look_up
from everwhen.families.tdbench.bind.settings import MAX_ANSWERS
from everwhen.families.tdbench.reasons import BindReason

COUNTED = "counted"
"""The relation of questions that count."""

_NOTHING = (
    f"named_struct('count', 0, 'ls', -{UNBOUNDED}, 'ee', -{UNBOUNDED}, 'le', -{UNBOUNDED}, "
    "'is_counted', false, 'is_undecided', false,"
    f" 'rows', transform(slice(members, 1, 0), m -> {MATCH}))"
)
_IN_ORDER = (
    "array_sort(filter(members, m -> m.answer = value), (one, other) -> CASE WHEN one.es <> other.es"
    " THEN one.es - other.es WHEN one.row_id < other.row_id THEN -1 ELSE 1 END)"
)
_IS_APART = "(counted_as = 'rows' OR m.es > acc.le)"
_IS_JOINED = "(counted_as = 'stints' AND m.es >= acc.ls AND m.ls <= acc.ee)"
_IS_DECIDED = f"({_IS_APART} AND m.es > since_position OR {_IS_JOINED} OR m.ls <= last_early)"
"""Whether it is sure that a row is counted as the first of a stint, or that it is not."""

_SINCE = {
    "since_position": f"coalesce({count_day('since')}, -{UNBOUNDED})",
    "last_early": f"coalesce({count_day('since')} - int(granularity <> 'day'), -{UNBOUNDED})",
}
"""The position of the day after which a stint must begin, and the last position that is surely not after it: another
day of the same month or year may be."""


def count_rows(keys: DataFrame) -> DataFrame:
    """Ask which values of a key have exactly a number of stints or rows, or at least that number.

    Rows of a value that touch are one stint: one starts when the other ends, or before. Of a table that is complete
    from a day on, the stints count that begin after it. A key is asked in the finest unit that decides all its stints,
    since the words name no unit.

    Args:
        keys: As returned by `everwhen.families.tdbench.bind.keys.group_keys`.

    Returns:
        The columns of `everwhen.families.tdbench.bind.judge.judge_candidates`, with counted and is_at_least. The least
        number that nobody has is asked too.
    """
    counted = derive_columns(derive_columns(keys.where("kind = 'count'"), **_SINCE), counts=_count_stints())
    precision = look_up(PRECISIONS)
    finest = f"max(if(is_undecided, NULL, {precision})) OVER (PARTITION BY scope_id, key)"
    asked = (
        counted.selectExpr(
            *("scope_id", "granularity", "key", "counts", "array_max(counts.count) AS most"),
            *(
                "exists(counts, c -> c.is_undecided) AS is_undecided",
                "exists(members, m -> m.is_narrowed) AS is_narrowed",
            ),
        )
        .selectExpr("*", f"coalesce({precision} < {finest}, false) AS is_coarser")
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
        "sort_array(transform(fitting, c -> c.rows[0].answer)) AS answer",
        *("false AS is_near_miss", "is_narrowed"),
        f"CASE WHEN is_undecided THEN '{BindReason.STINTS_UNDECIDED}' WHEN is_coarser THEN '{BindReason.DUPLICATE}'"
        f" WHEN size(fitting) > {MAX_ANSWERS} THEN '{BindReason.TOO_MANY}' END AS reason",
    )


def _count_stints() -> str:
    """Write the stints of each value of a key: how many are counted, and their rows (Spark SQL)."""
    is_first = f"({_IS_APART} AND m.es > since_position)"
    is_counted = f"if({_IS_APART}, {is_first}, acc.is_counted)"
    added = (
        f"named_struct('count', acc.count + int({is_first}), 'ls', greatest(acc.ls, m.ls),"
        " 'ee', greatest(acc.ee, m.ee), 'le', greatest(acc.le, m.le),"
        f" 'is_counted', {is_counted}, 'is_undecided', acc.is_undecided OR NOT {_IS_DECIDED},"
        f" 'rows', if({is_counted}, array_append(acc.rows, {MATCH}), acc.rows))"
    )
    return (
        f"transform(array_distinct(members.answer), value -> aggregate({_IN_ORDER}, {_NOTHING}, (acc, m) -> {added}))"
    )
