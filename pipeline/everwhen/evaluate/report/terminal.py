"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def print_report(found: Mapping[str, Any], schemes: Mapping[str, Scheme], console: Console | None = None) -> None:
    """Print the tables of a run by family; of several runs, their comparison.

    Args:
        found: What `everwhen.evaluate.evaluation.evaluate` returned.
        schemes: The figures of the scorer of each family.
        console: Where to; stdout by default.
    """
    to = console or Console(highlight=False)
    if not to.is_terminal:
        to.width = WIDTH
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
            to.print(_tabulate(run["tables"], scheme))
    _print_shortcuts(to, each["shortcuts"]["all"]["all"], scheme)
    to.print(Text(scheme.legend, style="dim"))


def _print_shortcuts(to: Console, cell: Mapping[str, Any], scheme: Scheme) -> None:
    """Print what shortcuts score on all items."""
    shares = ", ".join(f"{key} {write_percent(cell[key]['value'])}" for key in cell if key != "rows")
    to.print(Text(f"shortcuts, {name_figure(scheme.main, scheme)} without reading the facts: {shares}"))


def _print_conditions(to: Console, name: str, paired: Mapping[str, Any], scheme: Scheme) -> None:
    """Print the conditions of a file as one table, paired."""
    to.print(Text(describe_conditions(name, paired)))
    to.print()
    table = Table(box=None, pad_edge=False)
    table.add_column("condition", no_wrap=True)
    main = name_figure(scheme.main, scheme)
    for heading in ("scored", *list_headings(scheme), f"{main} less {paired['first']}"):
        table.add_column(heading, justify="right", overflow="fold")
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
        to.print(_tabulate_runs(tables, scheme))
        to.print()
    main = name_figure(scheme.main, scheme)
    table = Table(box=None, pad_edge=False)
    table.add_column(main)
    headings = ["rows", *tables, *(f"{name} less {first}" for name in differences)]
    for heading in headings:
        table.add_column(heading, justify="right", overflow="fold")
    for slice_, cells in tables[first].items():
        _begin_slice(table, slice_)
        for value, cell in cells.items():
            rows = cell["rows"]
            shares = [write_share(each[slice_][value][scheme.main], rows) for each in tables.values()]
            less = [write_difference(each[slice_][value][scheme.main], rows) for each in differences.values()]
            style = "dim" if rows == 1 else ""
            table.add_row(Text(value), f"{rows:,}", *shares, *less, style=style)
    to.print(table)
    to.print()
    measures = choose_measures(scheme, list(tables.values()))
    for name, each in differences.items():
        to.print(Text(f"{name} less {first}, in points: {_write_differences(each['all']['all'], measures, scheme)}"))
    to.print(Text(describe_chance(comparison)))


def _write_differences(cell: Mapping[str, Any], measures: Iterable[str], scheme: Scheme) -> str:
    """Write the differences of all items, by measure."""
    return "; ".join(f"{name_figure(m, scheme)} {write_difference(cell[m], cell['rows'])}" for m in measures if cell[m])


def _tabulate_runs(tables: Mapping[str, Mapping[str, Any]], scheme: Scheme) -> Table:
    """One row a run, with all figures."""
    table = _begin_table("run", scheme)
    for name, each in tables.items():
        table.add_row(Text(name), *write_cells(each["all"]["all"], scheme))
    return table


def _tabulate(tables: Mapping[str, Mapping[str, Any]], scheme: Scheme) -> Table:
    """One table, a section a slice."""
    table = _begin_table("", scheme)
    for slice_, cells in tables.items():
        _begin_slice(table, slice_)
        for value, cell in cells.items():
            table.add_row(Text(value), *write_cells(cell, scheme), style="dim" if cell["rows"] == 1 else "")
    return table


def _begin_table(heading: str, scheme: Scheme) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(heading, no_wrap=True)
    for each in list_headings(scheme):
        table.add_column(each, justify="right", no_wrap=True)
    return table


def _begin_slice(table: Table, slice_: str) -> None:
    if slice_ != "all":
        table.add_row()
        table.add_row(Text(name_slice(slice_), style="bold"))
