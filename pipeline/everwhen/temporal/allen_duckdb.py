"""Allen's relations as SQL macros of DuckDB, for whoever asks the published tables.

The checks that ship with a dataset must not use them: they derive the answers in another way.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from everwhen.temporal.allen import BOUNDS, Modality, Relation, state_comparisons
from everwhen.temporal.interval import AFTER_EVERY_DAY, BEFORE_EVERY_DAY, Unit

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COUNTS = {
    Unit.DAY: "date_diff('day', DATE '1970-01-01', day)",
    Unit.MONTH: "year(day) * 12 + month(day)",
    Unit.YEAR: "year(day)",
}


def write_macros() -> str:
    """Write the macros as SQL statements, each ended by a semicolon and a newline.

    In each macro a and b are structs, or aliases of tables, with the fields earliest_start, latest_start, earliest_end
    and latest_end as `everwhen.temporal.interval.Interval` means them: null is an open bound. They are:

    - `exact_interval(start_day, end_day)`: such a struct of known ends;
    - `take_null_as_unknown(a)`: such a struct in which a start or an end without any bound is not known, and not open;
    - `surely_before(a, b, unit := 'day')`, `possibly_before(…)` and so on for the thirteen: whether the relation is
      true for every, or for some, choice of days within the bounds; in units of day, month or year;
    - `allen_relation(a, b, unit := 'day')`: the name of the one relation that a surely has to b, null where the bounds
      leave several.
    """
    return "".join(f"CREATE OR REPLACE MACRO {macro};\n" for macro in _list_macros())


def create_macros(connection: DuckDBPyConnection) -> None:
    """Create the macros in the database of a connection.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> create_macros(connection)
    >>> connection.sql('''
    ...     SELECT allen_relation(
    ...         exact_interval(DATE '1977-01-20', DATE '1981-01-20'), exact_interval(DATE '1981-01-20', NULL))
    ... ''').fetchall()
    [('meets',)]
    """
    connection.execute(write_macros())


def _list_macros() -> list[str]:
    counts = " ".join(f"WHEN '{unit.value}' THEN {count}" for unit, count in _COUNTS.items())
    names = "\n".join(f"  WHEN surely_{relation}(a, b, unit := unit) THEN '{relation}'" for relation in Relation)
    unknown = "error('the unit is day, month or year, not ' || unit)"
    return [
        "exact_interval(start_day, end_day) AS "
        "{'earliest_start': CAST(start_day AS DATE), 'latest_start': CAST(start_day AS DATE), "
        "'earliest_end': CAST(end_day AS DATE), 'latest_end': CAST(end_day AS DATE)}",
        "take_null_as_unknown(a) AS {'earliest_start': a.earliest_start, "
        f"'latest_start': coalesce(a.latest_start, a.latest_end, DATE '{date.max}'), "
        f"'earliest_end': coalesce(a.earliest_end, a.earliest_start, DATE '{date.min}'), "
        "'latest_end': a.latest_end}",
        f"count_units(day, unit) AS CASE unit {counts} ELSE {unknown} END",
        *(
            f"{modality}_{relation}(a, b, unit := 'day') AS\n  " + _write_condition(relation, modality)
            for relation in Relation
            for modality in ("surely", "possibly")
        ),
        f"allen_relation(a, b, unit := 'day') AS CASE\n{names}\nEND",
    ]


def _write_condition(relation: Relation, modality: Modality) -> str:
    return "\n  AND ".join(
        f"{_write_bound(*left)}{f' + {gap}' if gap else ''} <= {_write_bound(*right)}"
        for left, gap, right in state_comparisons(relation, modality)
    )


def _write_bound(interval: str, number: int) -> str:
    """The position of a bound; the two inner bounds are drawn together with the outer ones."""
    earliest_start, latest_start, earliest_end, latest_end = (
        f"coalesce(count_units({interval}.{bound}, unit), {BEFORE_EVERY_DAY if 'start' in bound else AFTER_EVERY_DAY})"
        for bound in BOUNDS
    )
    return (
        earliest_start,
        f"least({latest_start}, {latest_end})",
        f"greatest({earliest_end}, {earliest_start})",
        latest_end,
    )[number]
