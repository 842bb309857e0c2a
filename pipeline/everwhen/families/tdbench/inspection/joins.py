"""What a temporal natural join of two declared tables yields, in DuckDB: for `everwhen tdbench check`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from everwhen.families.tdbench.keys.dependencies import find_broken_keys
from everwhen.families.tdbench.keys.unasked import find_incomplete_keys
from everwhen.families.tdbench.scopes import Scope
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
    ours.db.register("events", other.db.sql("SELECT * FROM spans").to_arrow_table())
    found = ours.fetch("inspection/joined", scope=scope)
    missing = ours.fetch("inspection/missing", scope=scope, most=MAX_VALUES_NAMED)
    ours.db.unregister("events")
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
        tuple(_find_unnamed_events(other, scope.join.event, ours.declaration.time.ask)),
    )


def _find_unnamed_events(other: OpenTable, columns: Sequence[str], units: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Find the events that no question names: a name may be another event's, too, or the times name no interval."""
    for each in find_incomplete_keys(other, columns):
        yield ", ".join(each.key), f"a rejected record may have its name: {each.record}"
    is_inclusive = other.declaration.time.is_inclusive
    found = other.fetch(
        "inspection/unnamed", columns=columns, units=units, precisions=PRECISIONS, is_inclusive=is_inclusive
    )
    for name, count, is_coarse, is_short in found:
        if count > 1:
            yield ", ".join(name), f"{count} rows have its name"
        elif is_coarse:
            yield ", ".join(name), "its end is open, or its dates are coarser than the units that are asked"
        elif is_short:
            yield ", ".join(name), "it starts and ends in one unit"
