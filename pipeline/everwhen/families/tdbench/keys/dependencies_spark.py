"""Which keys contradict their temporal functional dependency, as columns of Spark; `dependencies_duckdb` is its twin.

A row surely holds from the last day of its start until the first day of its end, the day on which it passes on. A key
is broken where two rows of different values share a day of these, so more than a day on which one hands over to the
other. Of points, which have nothing to hand over, it is broken where two share a day.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.scopes import Scope

SCOPES_DDL = (
    "scope_id string, declaration string, key_columns array<string>, asked array<string>, is_point boolean,"
    " is_of_broken boolean"
)
NEVER = "DATE '9999-12-31'"


def find_unasked_keys(rows: DataFrame, scopes: Sequence[Scope], declarations: Sequence[Declaration]) -> DataFrame:
    """Find the keys that a scope does not ask: broken ones, and of scopes for broken keys the others.

    One pass over the rows of each key in the order of their starts is enough. Where two rows share a day with a third
    one, they share it with each other: so the row that lasts longest of those before is compared, and no pair.

    Args:
        rows: Columns of ROWS.
        scopes: The scopes; of counts and sets every key is asked.
        declarations: Their declarations.

    Returns:
        Columns scope_id and key (the values of `Scope.key`), unique.
    """
    points = {declaration.name: declaration.time.end is None for declaration in declarations}
    table = [
        (
            scope.scope_id,
            scope.declaration,
            list(scope.key),
            list(scope.asked),
            points[scope.declaration],
            scope.is_of_broken,
        )
        for scope in scopes
        if scope.kind in ("tfd", "join", "derived") or scope.is_of_broken
    ]
    asked = rows.sparkSession.createDataFrame(table, SCOPES_DDL)
    pick = "transform({0}, name -> try_element_at(fields, name))"
    end = f"CASE WHEN is_point THEN date_add(earliest_end, 1) ELSE coalesce(earliest_end, {NEVER}) END"
    keyed = (
        rows.join(F.broadcast(asked), "declaration")
        .selectExpr(
            *("scope_id", "is_of_broken", f"{pick.format('key_columns')} AS key", f"{pick.format('asked')} AS value"),
            *("latest_start AS first", f"{end} AS end_day"),
        )
        # No filter: Spark 4.3 pushes one with a lambda below the join, to the side that lacks the column it reads.
        .selectExpr("*", "CASE WHEN forall(value, part -> part IS NOT NULL) THEN end_day ELSE first END AS last")
    )
    before = Window.partitionBy("scope_id", "key").orderBy("first", "last", "value")
    before = before.rowsBetween(Window.unboundedPreceding, -1)
    longest = F.max(F.when(F.col("first") < F.col("last"), F.struct("last", "value"))).over(before)
    is_broken = "first < last AND longest.last > first AND longest.value <> value"
    marked = keyed.withColumn("longest", longest).selectExpr(
        "scope_id", "key", "is_of_broken", f"coalesce({is_broken}, false) AS is_broken"
    )
    found = marked.groupBy("scope_id", "key").agg(F.expr("bool_or(is_broken) <> first(is_of_broken) AS is_unasked"))
    return found.where("is_unasked").select("scope_id", "key")
