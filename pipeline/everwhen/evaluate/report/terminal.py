"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from everwhen.evaluate.report.rows import (
    choose_measures,
    describe_chance,
    describe_conditions,
    describe_run,
    describe_shared,
    list_headings,
    name_figure,
    name_slice,
    write_cells,
    write_difference,
    write_percent,
    write_share,
)
from everwhen.evaluate.scheme import Scheme

WIDTH = 190
"""Columns of a report that goes to no terminal."""


NO_WRAP, FOLD = MappingProxyType({"no_wrap": True}), MappingProxyType({"overflow": "fold"})
"""What a column does with texts that are wider."""


def open_console(console: Console | None = None, *, stderr: bool = False) -> Console:
    """Open the console that is given, else stdout or stderr; what is no terminal has room for wide tables."""
    to = console or Console(stderr=stderr, highlight=False)
    if not to.is_terminal:
        to.width = WIDTH
    return to


def begin_table(
    first: str, headings: Iterable[str], named: Mapping[str, Any] = NO_WRAP, figures: Mapping[str, Any] = NO_WRAP
) -> Table:
    """Begin a table: a column of names and, to the right, columns of figures; both with what they do if wide."""
    table = Table(box=None, pad_edge=False)
    table.add_column(first, **named)
    for heading in headings:
        table.add_column(heading, justify="right", **figures)
    return table


def add_slices(
    table: Table, slices: Mapping[str, Mapping[str, Any]], write: Callable[[str, str, Mapping[str, Any]], Iterable[str]]
) -> Table:
    """Add a section a slice and a row a value, as `write` writes the cell; what is of a single item is dim."""
    for number, (slice_, cells) in enumerate(slices.items()):
        if slice_ != "all":
            if number:
                table.add_row()
            table.add_row(Text(name_slice(slice_), style="bold"))
        for value, cell in cells.items():
            table.add_row(Text(value), *write(slice_, value, cell), style="dim" if cell["rows"] == 1 else "")
    return table


def print_report(found: Mapping[str, Any], schemes: Mapping[str, Scheme], console: Console | None = None) -> None:
    """Print the tables of a run by family, or the comparison of several, as `evaluate` returned them."""
    to = open_console(console)
    for run in found["runs"]:
        if run.get("of_other_families"):
            to.print(Text(f"{run['name']}: {run['of_other_families']:,} predictions for other families left out"))
    for number, (family, each) in enumerate(found["families"].items()):
        if number:
            to.print()
        _print_family(to, family, each, schemes[family])
    to.print(Text(f"Percent; {found['interval']['method']}.", style="dim"))


def _print_family(to: Console, family: str, each: Mapping[str, Any], scheme: Scheme) -> None:
    """Print the runs on the items of a family."""
    to.print(Text(family, style="bold"))
    for name, run in each["runs"].items():
        to.print(Text(describe_run(name, run)))
    conditions = each.get("conditions", {})
    for file, paired in conditions.items():
        _print_conditions(to, file, paired, scheme)
    if "comparison" in each:
        # The conditions of one file are all runs: their figures have just been printed.
        is_shown = len(each["comparison"]["tables"]) == sum(len(paired["rows"]) for paired in conditions.values())
        _print_comparison(to, each["comparison"], scheme, shows_figures=not is_shown or len(conditions) > 1)
    else:
        for run in each["runs"].values():
            table = begin_table("", list_headings(scheme))
            to.print(add_slices(table, run["tables"], lambda slice_, value, cell: write_cells(cell, scheme)))
    cell = each["shortcuts"]["all"]["all"]
    shares = ", ".join(f"{key} {write_percent(cell[key]['value'])}" for key in cell if key != "rows")
    if shares:
        to.print(Text(f"shortcuts, {name_figure(scheme.main, scheme)} without reading the facts: {shares}"))
    to.print(Text(scheme.legend, style="dim"))


def _print_conditions(to: Console, name: str, paired: Mapping[str, Any], scheme: Scheme) -> None:
    """Print the conditions of a file as one table, paired."""
    to.print(Text(describe_conditions(name, paired)))
    to.print()
    less = f"{name_figure(scheme.main, scheme)} less {paired['first']}"
    table = begin_table("condition", ("scored", *list_headings(scheme), less), figures=FOLD)
    for condition, row in paired["rows"].items():
        less = write_difference(row["less_first"] and row["less_first"][scheme.main], paired["shared"])
        table.add_row(Text(condition), f"{row['scored']:,}", *write_cells(row["figures"], scheme), less)
    to.print(table)
    to.print()


def _print_comparison(
    to: Console, comparison: Mapping[str, Any], scheme: Scheme, *, shows_figures: bool = True
) -> None:
    """Print all runs by their figures, then by slice, and the differences to the first."""
    tables, differences, first = comparison["tables"], comparison["differences"], comparison["first"]
    to.print(Text(describe_shared(comparison)))
    to.print()
    if shows_figures:
        table = begin_table("run", list_headings(scheme))
        for name, each in tables.items():
            table.add_row(Text(name), *write_cells(each["all"]["all"], scheme))
        to.print(table)
        to.print()

    def write_runs(slice_: str, value: str, cell: Mapping[str, Any]) -> list[str]:
        rows, main = cell["rows"], scheme.main
        shares = (write_share(each[slice_][value][main], rows) for each in tables.values())
        return [f"{rows:,}", *shares, *(write_difference(d[slice_][value][main], rows) for d in differences.values())]

    headings = ["rows", *tables, *(f"{name} less {first}" for name in differences)]
    table = begin_table(name_figure(scheme.main, scheme), headings, {}, FOLD)
    to.print(add_slices(table, tables[first], write_runs))
    to.print()
    measures = choose_measures(scheme, list(tables.values()))
    for name, each in differences.items():
        cell = each["all"]["all"]
        written = (f"{name_figure(m, scheme)} {write_difference(cell[m], cell['rows'])}" for m in measures if cell[m])
        to.print(Text(f"{name} less {first}, in points: {'; '.join(written)}"))
    to.print(Text(describe_chance(comparison)))
