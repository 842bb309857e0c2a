"""Allen's relations, and other predicates, as SQL macros of DuckDB, for whoever asks the published tables.

The checks that ship with a dataset must not use them: they derive the answers in another way.
"""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from itertools import product
from string import Template
from typing import TYPE_CHECKING

from everwhen.temporal.allen import BOUNDS, MODALITIES, SIGNS, Modality, Predicate, Relation, state_comparisons
from everwhen.temporal.interval import AFTER_EVERY_DAY, BEFORE_EVERY_DAY, Unit

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COUNTS = {
    Unit.DAY: "date_diff('day', DATE '1970-01-01', day)",
    Unit.MONTH: "year(day) * 12 + month(day)",
    Unit.YEAR: "year(day)",
}

_FILES = ("sets.sql", "predicate.sql")
"""Macros on sets: of order, and for each predicate."""


def write_macros() -> str:
    """Write the macros as SQL statements, each ended by a semicolon and a newline.

    In each macro a and b are structs, or aliases of tables, with the fields earliest_start, latest_start, earliest_end
    and latest_end as `everwhen.temporal.interval.Interval` means them: null is an open bound. They are:

    - `exact_interval(start_day, end_day)`: such a struct of known ends;
    - `take_null_as_unknown(a)`: such a struct in which a start or an end without any bound is not known, and not open;
    - `surely_before(a, b, unit := 'day')`, `possibly_before(…)` and so on for the thirteen relations and the predicates
      of `everwhen.temporal.allen.Predicate`: whether it is true for every, or for some, choice of days within the
      bounds; in units of day, month or year;
    - `find_before(members, b, unit := 'day')`, `count_before(…)`, `all_before(…)`, `none_before(…)` and so on: the
      functions of `everwhen.temporal.sets`, on lists of such structs;
    - `find_kth(members, k, edge := 'start', unit := 'day')` and `sort_members(members, …)`;
    - `find_previous(members, anchor, edge := 'start', of := 'start', unit := 'day')` and `find_next(…)`.
    """
    macros = "".join(f"CREATE OR REPLACE MACRO {macro};\n" for macro in _list_macros())
    sets, predicate = (files("everwhen.temporal").joinpath(name).read_text("utf-8") for name in _FILES)
    return macros + sets + "".join(Template(predicate).substitute(predicate=each) for each in SIGNS)


def create_macros(connection: DuckDBPyConnection) -> None:
    """Create the macros in the database of a connection.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> create_macros(connection)
    >>> connection.sql('''
    ...     SELECT surely_meets(
    ...         exact_interval(DATE '1977-01-20', DATE '1981-01-20'), exact_interval(DATE '1981-01-20', NULL))
    ... ''').fetchall()
    [(True,)]
    """
    connection.execute(write_macros())


def _list_macros() -> list[str]:
    counts = " ".join(f"WHEN '{unit.value}' THEN {count}" for unit, count in _COUNTS.items())
    fields = ", ".join(f"'{bound}': count_{bound}(a, unit)" for bound in BOUNDS)
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
        *(f"count_{bound}(a, unit) AS {position}" for bound, position in zip(BOUNDS, _list_positions(), strict=True)),
        f"count_positions(a, unit) AS {{{fields}}}",
        *(
            macro
            for predicate, modality in product(SIGNS, MODALITIES)
            for macro in (
                f"{modality}_{predicate}(a, b, unit := 'day') AS"
                f" {_write_predicate(predicate, modality, 'count_{1}({0}, unit)')}",
                f"positions_{modality}_{predicate}(a, b) AS {_write_predicate(predicate, modality, '{}.{}')}",
            )
        ),
    ]


def _list_positions() -> tuple[str, str, str, str]:
    """List the positions of the bounds; the two inner ones are drawn together with the outer ones."""
    earliest_start, latest_start, earliest_end, latest_end = (
        f"coalesce(count_units(a.{bound}, unit), {BEFORE_EVERY_DAY if 'start' in bound else AFTER_EVERY_DAY})"
        for bound in BOUNDS
    )
    return (
        earliest_start,
        f"least({latest_start}, {latest_end})",
        f"greatest({earliest_end}, {earliest_start})",
        latest_end,
    )


def _write_predicate(predicate: Relation | Predicate, modality: Modality, position: str) -> str:
    """Write the comparisons of a predicate, with a format of the position of an interval's bound."""
    return " AND ".join(
        f"{position.format(left.interval, BOUNDS[left.number])} + {gap}"
        f" <= {position.format(right.interval, BOUNDS[right.number])}"
        for left, gap, right in state_comparisons(predicate, modality)
    )
