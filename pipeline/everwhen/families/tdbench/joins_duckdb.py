"""What a temporal natural join of two declared tables yields, in DuckDB: for `everwhen tdbench check`."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.core.sql import render_literal
from everwhen.families.tdbench.dependencies_duckdb import NEVER
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.source.open_table import OpenTable

LONGEST_LIST = 5
"""Values that a message names."""


@dataclass(frozen=True)
class JoinResult:
    """What a join yields.

    Attributes:
        scope: The scope.
        keys: Keys: an event with the given values, that share days.
        rows: Rows of the asked table with an event they share days with.
        changed: Keys with several values, so that the office changed hands during the event; they are not asked.
        missing: Values of the other table's columns that this table does not have, the most frequent first.
    """

    scope: Scope
    keys: int
    rows: int
    changed: tuple[tuple[str, ...], ...]
    missing: tuple[str, ...]


def join_events(ours: OpenTable, other: OpenTable, scope: Scope) -> JoinResult:
    """Join a table with the events of another by key: rows that surely share a day.

    Args:
        ours: The asked table.
        other: The table of events.
        scope: A derived scope.

    Raises:
        ValueError: The scope has no join.
    """
    if scope.join is None:
        raise ValueError(f"{scope.scope_id} has no join")
    join = scope.join
    ours.db.register("arrow", other.db.sql("SELECT * FROM rows").to_arrow_table())
    same = f"MAP {{{', '.join(f'{render_literal(theirs)}: {render_literal(own)}' for theirs, own in join.same)}}}"
    by = [(f"r.fields[{render_literal(own)}]", f"e.fields[{render_literal(theirs)}]") for own, theirs in join.by]
    mapped = [(own, f"coalesce({same}[{theirs}], {theirs})" if join.same else theirs) for own, theirs in by]
    parts = [f"e.fields[{render_literal(name)}]" for name in join.event]
    parts += [f"r.fields[{render_literal(name)}]" for name in scope.given]
    values = ", ".join(f"r.fields[{render_literal(name)}]" for name in scope.asked)
    query = f"""
        SELECT [{", ".join(parts)}] AS key, count(*) AS n, count(DISTINCT [{values}]) AS different
        FROM arrow e JOIN rows r ON {" AND ".join(f"{own} = {theirs}" for own, theirs in mapped)}
            AND r.latest_start < {_end("e", other)} AND e.latest_start < {_end("r", ours)}
        GROUP BY key ORDER BY key"""
    found = ours.db.execute(query).fetchall()
    missing = ours.db.execute(f"""
        SELECT {", ".join(theirs for _, theirs in mapped)} FROM arrow e ANTI JOIN rows r
            ON {" AND ".join(f"{own} = {theirs}" for own, theirs in mapped)}
        GROUP BY ALL ORDER BY count(*) DESC, min(e.line) LIMIT {LONGEST_LIST}""").fetchall()
    ours.db.unregister("arrow")
    return JoinResult(
        scope,
        len(found),
        sum(count for _, count, _ in found),
        tuple(tuple(key) for key, _, different in found if different > 1),
        tuple(", ".join(map(str, row)) for row in missing),
    )


def _end(alias: str, table: OpenTable) -> str:
    """Write the day before which a row surely holds; of a point, the day after it."""
    if table.declaration.time.end is None:
        return f"{alias}.earliest_end + 1"
    return f"coalesce({alias}.earliest_end, {NEVER})"
