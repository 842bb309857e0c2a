"""The context of a question: all rows of its key, and three others, as lines of text."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

OTHERS = 3
"""Rows of other keys in a context; TDBench, appendix B.6, adds irrelevant rows."""

_FIELDS = "concat_ws('; ', transform(map_entries(fields), field -> concat(field.key, ': ', field.value)))"
LINE = (
    f"concat_ws('; ', {_FIELDS}, concat(start_column, ': ', stated_start),"
    " if(end_column IS NULL, NULL, concat(end_column, ': ', coalesce(stated_end, 'still'))))"
)
"""A row as a line (Spark SQL): its columns in their order, then its times as stated."""


def collect_contexts(scoped: DataFrame) -> DataFrame:
    """Collect the context of each key.

    Args:
        scoped: As returned by `everwhen.families.tdbench.bind.keys.list_scoped_rows`.

    Returns:
        Columns scope_id, key and context: the lines in the order of their hashes. The others are of the keys that
        follow by hash, of each one row as long as there are enough.
    """
    lines = scoped.selectExpr("scope_id", "key", f"{LINE} AS line")
    keys = lines.groupBy("scope_id", "key").agg(F.expr(f"{_sort_lines('collect_set(line)')} AS lines"))
    ordered = Window.partitionBy("scope_id").orderBy(F.xxhash64("key"), "key")
    everything = ordered.rowsBetween(Window.unboundedPreceding, Window.unboundedFollowing)
    sample = F.expr(f"slice(lines, 1, {OTHERS})")
    following = F.collect_list(sample).over(ordered.rowsBetween(1, OTHERS))
    first = F.array(*(F.nth_value(sample, place).over(everything) for place in range(1, OTHERS + 1)))
    in_turn = ", ".join(f"transform(others, lines -> get(lines, {place}))" for place in range(OTHERS))
    return (
        keys.select("*", F.array_compact(F.concat(following, first)).alias("others"))
        .selectExpr("scope_id", "key", "lines", f"array_compact(concat({in_turn})) AS others")
        .selectExpr("scope_id", "key", f"concat(lines, slice(array_except(others, lines), 1, {OTHERS})) AS context")
        .selectExpr("scope_id", "key", f"{_sort_lines('context')} AS context")
    )


def _sort_lines(lines: str) -> str:
    """Write the lines in the order of their hashes (Spark SQL)."""
    return (
        f"transform(sort_array(transform({lines}, line -> struct(xxhash64(line) AS hash, line AS line))),"
        " each -> each.line)"
    )
