"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from everwhen.evaluate.report.rows import (
    HEADINGS,
    LEGEND,
    describe_run,
    name_slice,
    write_cells,
    write_difference,
)

WIDTH = 190
"""Columns of a report that goes to no terminal."""

COMPARED = ("right", "coarse", "wrong", "none_given", "cut_off", "final.f1")


def print_report(found: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the tables of a run, and its differences to another.

    Args:
        found: What `everwhen.evaluate.evaluation.evaluate` returned.
        console: Where to; stdout by default.
    """
    to = console or Console(highlight=False)
    if not to.is_terminal:
        to.width = WIDTH
    to.print(Text(describe_run(found["predictions"])))
    to.print(_tabulate("", found["tables"]))
    to.print(Text(LEGEND, style="dim"))
    if "against" in found:
        other = found["against"]
        to.print()
        to.print(Text(f"against {describe_run(other['predictions'])}; {other['shared']:,} items in both"))
        to.print(_tabulate_differences(other["differences"]))


def _tabulate(title: str, tables: Mapping[str, Mapping[str, Any]]) -> Table:
    """One table, a section a slice."""
    table = Table(title=title or None, box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for slice_, cells in tables.items():
        if slice_ != "all":
            table.add_row()
            table.add_row(Text(name_slice(slice_), style="bold"))
        for value, cell in cells.items():
            table.add_row(Text(value), *write_cells(cell))
    return table


def _tabulate_differences(tables: Mapping[str, Mapping[str, Any]]) -> Table:
    """Differences in points, with intervals of paired resamples."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("rows", justify="right")
    for name in COMPARED:
        table.add_column(name.replace("_", " ").removeprefix("final."), justify="right", no_wrap=True)
    for slice_, cells in tables.items():
        if slice_ != "all":
            table.add_row()
            table.add_row(Text(name_slice(slice_), style="bold"))
        for value, cell in cells.items():
            table.add_row(Text(value), f"{cell['rows']:,}", *(write_difference(cell[name]) for name in COMPARED))
    return table
