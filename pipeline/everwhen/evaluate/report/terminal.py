"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from everwhen.evaluate.report.rows import describe_run, list_headings, name_slice, write_cells, write_difference
from everwhen.evaluate.scheme import TYPED_OUTCOMES, Scheme

WIDTH = 190
"""Columns of a report that goes to no terminal."""


def print_report(found: Mapping[str, Any], console: Console | None = None, scheme: Scheme = TYPED_OUTCOMES) -> None:
    """Print the tables of a run, and its differences to another.

    Args:
        found: What `everwhen.evaluate.evaluation.evaluate` returned.
        console: Where to; stdout by default.
        scheme: The figures of the scorer.
    """
    to = console or Console(highlight=False)
    if not to.is_terminal:
        to.width = WIDTH
    to.print(Text(describe_run(found["predictions"])))
    to.print(_tabulate(found["tables"], scheme))
    to.print(Text(scheme.legend, style="dim"))
    if "against" in found:
        other = found["against"]
        to.print()
        to.print(Text(f"against {describe_run(other['predictions'])}; {other['shared']:,} items in both"))
        to.print(_tabulate_differences(other["differences"], scheme))


def _tabulate(tables: Mapping[str, Mapping[str, Any]], scheme: Scheme) -> Table:
    """One table, a section a slice."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in list_headings(scheme):
        table.add_column(heading, justify="right", no_wrap=True)
    for slice_, cells in tables.items():
        if slice_ != "all":
            table.add_row()
            table.add_row(Text(name_slice(slice_), style="bold"))
        for value, cell in cells.items():
            table.add_row(Text(value), *write_cells(cell, scheme))
    return table


def _tabulate_differences(tables: Mapping[str, Mapping[str, Any]], scheme: Scheme) -> Table:
    """Differences in points, with intervals of paired resamples."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("rows", justify="right")
    for name in scheme.compared:
        table.add_column(name.replace("_", " ").removeprefix("final."), justify="right", no_wrap=True)
    for slice_, cells in tables.items():
        if slice_ != "all":
            table.add_row()
            table.add_row(Text(name_slice(slice_), style="bold"))
        for value, cell in cells.items():
            table.add_row(Text(value), f"{cell['rows']:,}", *(write_difference(cell[name]) for name in scheme.compared))
    return table
