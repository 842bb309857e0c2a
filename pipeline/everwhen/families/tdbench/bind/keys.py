"""Rows by scope and key: all that a question is judged by is in one row of this table."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.evaluate.separator import SEPARATOR
from everwhen.families.tdbench.bind.columns import derive_columns
from everwhen.families.tdbench.bind.positions import (
    MARGINS,
    OPEN_END,
    PRECISIONS,
    count_day,
    count_positions,
    look_up,
)
from everwhen.temporal.allen_spark import IntervalColumns

MEMBER = (
    "named_struct('row_id', row_id, 'answer', answer, 'es', position.es, 'ls', position.ls, 'ee', position.ee,"
    " 'le', position.le, 'stated_start', stated_start, 'stated_end', stated_end, 'units', units,"
    " 'is_narrowed', coalesce(latest_start > date_sub(latest_end, int(is_inclusive))"
    " OR date_sub(earliest_end, int(is_inclusive)) < earliest_start, false))"
)
"""A row of a key: its answer, its bounds as positions, its stated times, the units in which it is asked first, and
whether that it does not end before it starts narrows what its dates say."""


def list_scoped_rows(rows: DataFrame, askings: DataFrame) -> DataFrame:
    """Give each row to the scopes that ask its declaration.

    Args:
        rows: Columns of `everwhen.families.tdbench.tables.ROWS`.
        askings: Columns of `everwhen.families.tdbench.bind.askings.ASKINGS`.

    Returns:
        The rows' columns, those of the scope, key and answer. A row without a value in a column that a scope names or
        asks for is not in it.
    """
    pick = "transform({0}, name -> try_element_at(fields, name))"
    joined = rows.join(F.broadcast(askings), "declaration")
    # Spark 4.3 would move the filter, which has lambdas, below the join to a side without these columns.
    return (
        derive_columns(joined, key=pick.format("key_columns"), answers=pick.format("asked"))
        .where("forall(key, value -> value IS NOT NULL) AND forall(answers, value -> value IS NOT NULL)")
        .selectExpr("*", f"array_join(answers, '{SEPARATOR}') AS answer")
        .drop("answers")
    )


def group_keys(scoped: DataFrame, unasked: DataFrame) -> DataFrame:
    """Collect the rows of each scope, key and granularity.

    Args:
        scoped: As returned by `list_scoped_rows`.
        unasked: Columns scope_id and key: keys that are not asked.

    Returns:
        Columns of the scope, granularity, key, members (array of the structs `MEMBER`, by row_id), low and high (the
        first and last position that a question's interval may have), last (that of the last unit which is over by
        `as_of`), has_open, has_current (a row is open, or ends after `as_of`).
    """
    bounds = IntervalColumns(*(F.col(name) for name in IntervalColumns._fields))
    precise_enough = "start_precision >= {0} AND coalesce(end_precision, start_precision) >= {0}"
    exact = f"filter(granularities, unit -> {precise_enough.format(look_up(PRECISIONS, 'unit'))})"
    # Where an inclusive end is finer than the unit, the unit after it lies up to two units later: stints that share it
    # need not touch, and what holds throughout an event may not hold on its last days.
    is_finer = f"end_precision > {look_up(PRECISIONS)}"
    is_blurred = f"is_inclusive AND kind IN ('count', 'derived') AND coalesce({is_finer}, false)"
    positions = (
        scoped.withColumn("position", F.explode(count_positions(bounds, F.col("is_inclusive"))))
        .selectExpr("*", "position.granularity AS granularity", f"{exact} AS exact")
        .where("array_contains(granularities, granularity)")
        .selectExpr("*", "if(size(exact) > 0, exact, granularities) AS units", f"{is_blurred} AS is_blurred")
    )
    grouped = positions.groupBy("scope_id", "granularity", "key").agg(
        *(F.first(name).alias(name) for name in _SCOPE_COLUMNS),
        F.expr(f"sort_array(collect_list({MEMBER}))").alias("members"),
        F.expr("bool_or(is_blurred)").alias("is_blurred"),
    )
    return (
        grouped.where("NOT is_blurred")
        .join(F.broadcast(unasked), ["scope_id", "key"], "left_anti")
        .selectExpr(
            *("scope_id", "granularity", "key", *_SCOPE_COLUMNS, "members"),
            f"exists(members, m -> m.le = {OPEN_END}) AS has_open",
            f"as_of IS NOT NULL AND exists(members, m -> m.ee > {count_day('as_of')}) AS has_current",
            f"CASE WHEN as_of IS NULL THEN {OPEN_END - 1} ELSE {count_day('date_add(as_of, 1)')} - 1 END AS last",
            "array_min(transform(members, m -> m.es)) AS first_start",
            f"array_max(transform(members, m -> if(m.le = {OPEN_END}, m.ls, m.le))) AS last_end",
            f"{look_up(MARGINS)} AS margin",
        )
        .selectExpr(
            *("scope_id", "granularity", "key", *_SCOPE_COLUMNS, "members", "has_open", "has_current", "last"),
            f"greatest(first_start - margin, {count_day(_EARLIEST)}) AS low",
            f"least(if(has_open, last, last_end + margin), last, {count_day('DATE' + _quote('9999-01-01'))}) AS high",
        )
    )


_EARLIEST = "coalesce(since, DATE'0001-01-01')"
"""The first day that a question may name."""

_SCOPE_COLUMNS = (
    *(
        "declaration",
        "kind",
        "key_columns",
        "counted_as",
        "granularities",
        "as_of",
        "since",
        "is_points",
        "is_inclusive",
        "by",
    ),
)


def _quote(text: str) -> str:
    return f"'{text}'"
