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


def print_runs(report: Mapping[str, Any], console: Console | None = None) -> None:
    """Print what run files score over all queries and by group, beside chance and the most that is possible.

    Args:
        report: The JSON object of `everwhen evaluate` over run files.
        console: Where to; stdout by default.
    """
    to = console or Console(highlight=False)
    if not to.is_terminal:
        to.width = WIDTH
    runs = report["runs"]
    queries = next(iter(runs.values()))["queries"]
    table = Table("run", title=f"{report['family']} {report['collection']}: {queries:,} queries", title_justify="left")
    measures = list(next(iter(runs.values()))["measures"])
    for name in measures:
        table.add_column(name, justify="right", no_wrap=True)
    for file, found in runs.items():
        figures = [found["measures"][name] for name in measures]
        cells = [f"{_write_mean(figure)} {_write_interval(figure)}" for figure in figures]
        table.add_row(Text(file), *cells)
        if "less_the_first" in found:
            differences = found["less_the_first"]["measures"]
            table.add_row(Text("  less the first"), *(_write_difference(differences[name]) for name in measures))
    for name, means in report["bounds"].items():
        table.add_row(Text(name), *("" if means[one] is None else f"{means[one]:.4f}" for one in measures))
    to.print(table)
    for file, found in runs.items():
        if found["slices"]:
            to.print(Text(f"\n{file}"))
            to.print(_tabulate_slices(found, _write_mean))
        missing, dropped = found["queries_without_results"], found["dropped"]
        if missing or any(dropped.values()):
            to.print(
                Text(
                    f"{file}: {missing:,} queries without results score 0; dropped lines:"
                    f" {dropped['repeated']:,} repeat a document, {dropped['unknown']:,} name an unknown one"
                )
            )


def _tabulate_all(report: Mapping[str, Any]) -> Table:
    table = Table("measure", "mean", "95 % interval", title=f"queries: {report['queries']:,}")
    against = report.get("against")
    bounds = report.get("bounds", {})
    for name in bounds:
        table.add_column(name)
    if against:
        table.add_column(f"mean of {against['retriever']['files'][0]}")
        table.add_column("difference (95 % interval)")
    for name, figure in report["measures"].items():
        row = [_name(name, figure), _write_mean(figure), _write_interval(figure)]
        row += ["" if means[name] is None else f"{means[name]:.4f}" for means in bounds.values()]
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
