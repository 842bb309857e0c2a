"""Windows: the positions that the start and the end of a row must have, which is all that a question states of it.

Each comparison of an endpoint with a constant is a bound, so that a conjunction of them is one interval for the start
and one for the end. A row whose own bounds are within it fits surely; one whose bounds reach into it fits possibly.

The relation is a column here, and windows move; `everwhen.temporal.sets_spark` needs it when a query is planned.
"""

from __future__ import annotations

from everwhen.families.tdbench.bind.positions import OPEN_END, UNBOUNDED
from everwhen.families.tdbench.relations import ENDPOINTS

WINDOW = ("s_low", "s_high", "e_low", "e_high")
"""Columns of a window: first and last position of the start, then of the end."""


def write_windows(conditions: str = "conditions", b_start: str = "b_start", b_end: str = "b_end") -> dict[str, str]:
    """Write the window of each question from its signs and its interval (Spark SQL).

    Args:
        conditions: Column with four signs, in the order of `ENDPOINTS`.
        b_start: Position at which the interval starts.
        b_end: Position at which it ends.

    Returns:
        Expressions of the columns `WINDOW`, by name.
    """
    positions = {"b_start": b_start, "b_end": b_end}
    windows = {}
    for endpoint in ("start", "end"):
        signs = [
            (f"substring({conditions}, {number}, 1)", positions[other])
            for number, (own, other) in enumerate(ENDPOINTS, 1)
            if own == endpoint
        ]
        low = ", ".join(f"CASE {sign} WHEN '>' THEN {at} + 1 WHEN '=' THEN {at} END" for sign, at in signs)
        high = ", ".join(f"CASE {sign} WHEN '<' THEN {at} - 1 WHEN '=' THEN {at} END" for sign, at in signs)
        windows[f"{endpoint[0]}_low"] = f"greatest(-{UNBOUNDED}, {low})"
        windows[f"{endpoint[0]}_high"] = f"least({UNBOUNDED}, {high})"
    return windows


def fits_surely(window: str = "") -> str:
    """Write whether a row `m` is within the window for every choice of days within its bounds (Spark SQL).

    Args:
        window: What is before the names of the window's columns.
    """
    return f"(m.es >= {window}s_low AND m.ls <= {window}s_high AND m.ee >= {window}e_low AND m.le <= {window}e_high)"


_MOVES = ((1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))
"""By how many units the start and the end of b move in a near miss: both together, or one of them."""


def fits_nearly() -> str:
    """Write whether a row fits when b, or one end of it, moves by one unit (Spark SQL).

    A point does not fit the relations that points do not have.
    """
    moves = ", ".join(f"struct({start} AS of_start, {end} AS of_end)" for start, end in _MOVES)
    windows = ", ".join(
        f"{bound} AS {name}"
        for name, bound in write_windows("conditions", "(b_start + move.of_start)", "(b_end + move.of_end)").items()
    )
    moved = f"transform(filter(array({moves}), move -> {_IS_PROPER}), move -> struct({windows}))"
    fits = f"(is_for_points OR m.ls < m.ee) AND {fits_surely('w.')}"
    return f"coalesce(exists({moved}, w -> exists(members, m -> {fits})), false)"


_IS_PROPER = "b_start + move.of_start < b_end + move.of_end"


def fits_possibly() -> str:
    """Write whether a row `m` is within the window for some choice of days within its bounds (Spark SQL)."""
    return (
        "(m.ls >= s_low AND m.es <= s_high AND m.le >= e_low AND m.ee <= e_high"
        " AND greatest(m.es, s_low) <= least(m.le, e_high))"
    )


def is_impossible() -> str:
    """Write whether no row can be within the window, whatever its times are (Spark SQL).

    No row ends before it starts. A point starts and ends in one unit. An inclusive end is that of the unit after, which
    is later than the start. Columns is_points and is_inclusive say which a table has.
    """
    is_empty = "s_low > s_high OR e_low > e_high OR s_low + int(is_inclusive) > e_high"
    return f"({is_empty} OR is_points AND e_low > s_high)"


MAX_COMPARED = 40
"""Rows of a key beyond which no least step is looked for: each is compared with each."""


def find_least_step() -> str:
    """Write by how many positions a window moves until no row fits possibly: the least number; later before earlier.

    A row fits possibly for one run of steps, so that the nearest free step is beside the end of a run. Null where the
    key has more rows than `MAX_COMPARED`, or no step is free.
    """
    runs = (
        "transform(members, m -> struct(greatest(m.es - s_high, m.ee - e_high, m.es - e_high) AS first,"
        " least(m.ls - s_low, m.le - e_low) AS last))"
    )
    beside = "flatten(transform(runs, run -> array(run.first - 1, run.last + 1)))"
    is_free = f"step <> 0 AND abs(step) < {OPEN_END} AND NOT exists(runs, run -> step BETWEEN run.first AND run.last)"
    nearer = "CASE WHEN abs(one) <> abs(other) THEN abs(one) - abs(other) ELSE other - one END"
    # An array of one value gives it a name: it is computed once.
    least = f"get(array_sort(filter({beside}, step -> {is_free}), (one, other) -> {nearer}), 0)"
    return f"if(size(members) > {MAX_COMPARED}, NULL, transform(array({runs}), runs -> {least})[0])"
