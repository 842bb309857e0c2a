"""The measures of a run, and its differences to another, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 190
"""Columns of a report that goes to no terminal."""

Figure = Mapping[str, float]


def print_measures(report: Mapping[str, Any], console: Console | None = None) -> None:
    """Print what a run scores over all queries and by slice, and its differences to another run.

    Args:
        report: The JSON object of `everwhen retrieve`.
        console: Where to; stderr by default.
    """
    to = console or Console(stderr=True, highlight=False)
    if not to.is_terminal:
        to.width = WIDTH
    to.print(_tabulate_all(report))
    if report["slices"]:
        to.print(_tabulate_slices(report, _write_mean))
    if "against" in report and report["slices"]:
        to.print(Text(f"\nless {report['against']['retriever']['files'][0]}"))
        to.print(_tabulate_slices(report["against"]["differences"], _write_difference))


def _tabulate_all(report: Mapping[str, Any]) -> Table:
    table = Table("measure", "mean", "95 % interval", title=f"queries: {report['queries']:,}")
    against = report.get("against")
    if against:
        table.add_column(f"mean of {against['retriever']['files'][0]}")
        table.add_column("difference (95 % interval)")
    for name, figure in report["measures"].items():
        row = [_name(name, figure), _write_mean(figure), _write_interval(figure)]
        if against:
            row += [_write_mean(against["measures"][name]), _write_difference(against["differences"]["measures"][name])]
        table.add_row(*row)
    return table


def _tabulate_slices(report: Mapping[str, Any], write: Callable[[Figure | None], str]) -> Table:
    """One table, a section a slice and a column a measure."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in ("queries", *report["measures"]):
        table.add_column(name, justify="right", no_wrap=True)
    for slice_, cells in report["slices"].items():
        table.add_row()
        table.add_row(Text(slice_.replace("_", " "), style="bold"))
        for value, cell in cells.items():
            table.add_row(Text(value), f"{cell['rows']:,}", *(write(cell[name]) for name in report["measures"]))
    return table


def _name(measure: str, figure: Figure | None) -> str:
    return f"{measure} (of {figure['rows']:,})" if figure and "rows" in figure else measure


def _write_mean(figure: Figure | None) -> str:
    return "" if figure is None else f"{figure['value']:.4f}"


def _write_interval(figure: Figure | None) -> str:
    return "" if figure is None else f"{figure['low']:.4f}–{figure['high']:.4f}"


def _write_difference(figure: Figure | None) -> str:
    return "" if figure is None else f"{figure['value']:+.4f} ({figure['low']:+.4f} to {figure['high']:+.4f})"
