"""What a temporal natural join of two declared tables yields, in DuckDB: for `everwhen tdbench check`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from everwhen.core.sql import render_literal
from everwhen.families.tdbench.keys.dependencies import find_broken_keys, pick_values, write_last_day
from everwhen.families.tdbench.keys.unasked import find_incomplete_keys
from everwhen.families.tdbench.scopes import Join, Scope
from everwhen.families.tdbench.source.open_table import OpenTable
from everwhen.families.tdbench.source.reading import PRECISIONS

MAX_VALUES_NAMED = 5
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
        unasked: Keys that are not asked since the key of this table is not, each with the reason.
        unnamed: Events that no question names, each with the reason.
    """

    scope: Scope
    keys: int
    rows: int
    changed: tuple[tuple[str, ...], ...]
    missing: tuple[str, ...]
    unasked: tuple[tuple[str, str], ...]
    unnamed: tuple[tuple[str, str], ...]


def join_events(ours: OpenTable, other: OpenTable, scope: Scope) -> JoinResult:
    """Join a table with the events of another by key: rows that surely share a day.

    Raises:
        ValueError: The scope has no join.
    """
    if scope.join is None:
        raise ValueError(f"{scope.scope_id} has no join")
    join = scope.join
    ours.db.register("arrow", other.db.sql("SELECT * FROM rows").to_arrow_table())
    theirs, is_joined = _write_join(join)
    key, values, own = (
        ", ".join(parts)
        for parts in (
            [*_select("e", join.event), *_select("r", scope.given)],
            _select("r", scope.asked),
            _select("r", scope.key),
        )
    )
    query = f"""
        SELECT [{key}] AS key, count(*) AS n, count(DISTINCT [{values}]) AS different, any_value([{own}]) AS own
        FROM arrow e JOIN rows r ON {is_joined}
            AND r.latest_start < {write_last_day(other, "e.")} AND e.latest_start < {write_last_day(ours, "r.")}
        GROUP BY key ORDER BY key"""
    found = ours.db.execute(query).fetchall()
    missing = ours.db.execute(f"""
        SELECT {", ".join(theirs)} FROM arrow e ANTI JOIN rows r ON {is_joined}
        GROUP BY ALL ORDER BY count(*) DESC, min(e.line) LIMIT {MAX_VALUES_NAMED}""").fetchall()
    ours.db.unregister("arrow")
    reasons = dict.fromkeys(find_broken_keys(ours, scope.key, scope.asked), "its rows contradict the dependency")
    reasons |= {
        each.key: f"it may lack a rejected record: {each.record}" for each in find_incomplete_keys(ours, scope.key)
    }
    return JoinResult(
        scope,
        len(found),
        sum(row[1] for row in found),
        tuple(tuple(key) for key, _, different, _ in found if different > 1),
        tuple(", ".join(map(str, row)) for row in missing),
        tuple((", ".join(key), reasons[tuple(own)]) for key, _, _, own in found if tuple(own) in reasons),
        tuple(_find_unnamed_events(other, join.event, ours.declaration.time.ask)),
    )


def _write_join(join: Join) -> tuple[list[str], str]:
    """Write the values of events by which they are joined, and that they are equal to those of this table."""
    theirs = _select("e", [theirs for _, theirs in join.by])
    if join.same:
        theirs = [f"coalesce({render_literal(dict(join.same))}[{each}], {each})" for each in theirs]
    ours = _select("r", [own for own, _ in join.by])
    return theirs, " AND ".join(f"{own} = {each}" for own, each in zip(ours, theirs, strict=True))


def _select(alias: str, columns: Sequence[str]) -> list[str]:
    """Write the values of columns."""
    return [f"{alias}.fields[{render_literal(name)}]" for name in columns]


def _find_unnamed_events(other: OpenTable, columns: Sequence[str], units: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Find the events that no question names: a name may be another event's, too, or the times name no interval."""
    for each in find_incomplete_keys(other, columns):
        yield ", ".join(each.key), f"a rejected record may have its name: {each.record}"
    asked = [int(PRECISIONS[unit]) for unit in units]
    finest = f"list_max(list_filter({asked}, lambda each: each <= least(start_precision, end_precision)))"
    spans = " ".join(
        f"WHEN {PRECISIONS[unit]} THEN date_trunc('{unit}', earliest_start) = date_trunc('{unit}', latest_end)"
        for unit in units
    )
    is_point = "false" if other.declaration.time.is_inclusive else f"CASE unit {spans} ELSE false END"
    query = f"""
        SELECT {pick_values(columns)} AS name, count(*), bool_or(unit IS NULL), bool_or({is_point})
        FROM (SELECT *, {finest} AS unit FROM rows) GROUP BY name ORDER BY name"""
    for name, count, is_coarse, is_short in other.db.execute(query).fetchall():
        reasons = {
            f"{count} rows have its name": count > 1,
            "its end is open, or its dates are coarser than the units that are asked": is_coarse,
            "it starts and ends in one unit": is_short,
        }
        if None not in name and (applying := [reason for reason, applies in reasons.items() if applies]):
            yield ", ".join(name), applying[0]
