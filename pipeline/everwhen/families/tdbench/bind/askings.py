"""The scopes as a small table beside the rows: what is asked of each declaration, and in which units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import DataFrame, SparkSession

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.scopes import Scope
from everwhen.temporal.interval import Unit

ASKINGS = (
    "scope_id string, declaration string, kind string, given array<string>, asked array<string>,"
    " key_columns array<string>, counted_as string, granularities array<string>, as_of date, since date,"
    " is_points boolean, is_inclusive boolean, other string, is_event_inclusive boolean,"
    " by array<struct<ours:string,theirs:string>>, same map<string,string>,"
    " event_columns array<string>, columns_on_the_way array<array<string>>, start_column string, end_column string"
)
"""Columns of the table of askings: one row a scope (`everwhen.families.tdbench.scopes.Scope`)."""


def tabulate_askings(spark: SparkSession, scopes: Sequence[Scope], declarations: Sequence[Declaration]) -> DataFrame:
    """Put scopes and what their declarations say of times into a table with the columns `ASKINGS`."""
    by_name = {declaration.name: declaration for declaration in declarations}
    return spark.createDataFrame([_describe(scope, by_name) for scope in scopes], ASKINGS)


def _describe(scope: Scope, declarations: Mapping[str, Declaration]) -> tuple[object, ...]:
    time, join = declarations[scope.declaration].time, scope.join
    of_join: tuple[object, ...] = (None, False, (), {}, (), ())
    if join is not None:
        by = join.by if scope.kind == "derived" else ()
        of_join = (join.other, declarations[join.other].time.is_inclusive, by, dict(join.same), join.event, join.hops)
    return (
        scope.scope_id,
        scope.declaration,
        scope.kind,
        scope.given,
        scope.asked,
        scope.key,
        scope.of,
        [unit.value for unit in Unit if unit.value in time.ask],
        time.as_of,
        time.since,
        time.end is None,
        time.is_inclusive,
        *of_join,
        time.start,
        time.end,
    )
