"""The measures of a run, and its differences to another, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from everwhen.evaluate.report.rows import name_slice
from everwhen.evaluate.report.terminal import FOLD, add_slices, begin_table, open_console

UNLIMITED = 10_000
"""Columns of more than any table."""

Figure = Mapping[str, float]
Write = Callable[[Figure | None, int], str]
"""Writes a figure of so many queries."""


def print_measures(report: Mapping[str, Any], console: Console | None = None) -> None:
    """Print what `everwhen retrieve` reports: scores over all queries and by slice, and differences to another run.

    Where the console is narrow, a table has fewer measures, and there are more tables.
    """
    to = open_console(console, stderr=True)
    against = report.get("against")
    other = against and against["retriever"]["files"][0]
    to.print(Text(f"queries: {report['queries']:,}{f'; other run: {other}' if other else ''}"))
    to.print(_tabulate_all(report, against))
    if slices := _list_slices(report):
        _print_slices(to, {**report, "slices": slices}, _write_mean)
    if against and report["slices"]:
        to.print(Text(f"\nless {other}"))
        _print_slices(to, against["differences"], _write_difference)


def print_runs(report: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the report over run files: scores over all queries and by group, beside chance and what is possible."""
    to = open_console(console)
    runs = report["runs"]
    rows = next(iter(runs.values()))["queries"]
    to.print(Text(f"{report['family']} {report['collection']}: {rows:,} queries"))
    measured = list(next(iter(runs.values()))["measures"])
    _print_fitting(to, measured, lambda measures: _tabulate_runs(report, measures, rows))
    for file, found in runs.items():
        if slices := _list_slices(found):
            to.print(Text(f"\n{file}"))
            _print_slices(to, {**found, "slices": slices}, _write_mean)
        missing, dropped = found["queries_without_results"], found["dropped"]
        if missing or any(dropped.values()):
            to.print(
                Text(
                    f"{file}: {missing:,} queries without results score 0; dropped lines:"
                    f" {dropped['repeated']:,} repeat a document, {dropped['unknown']:,} name an unknown one"
                )
            )


def _tabulate_runs(report: Mapping[str, Any], measures: Sequence[str], rows: int) -> Table:
    """One row a run, one for its differences to the first, and then the bounds."""
    table = begin_table("run", measures, FOLD)
    for file, found in report["runs"].items():
        figures = [found["measures"][name] for name in measures]
        table.add_row(Text(file), *(f"{_write_mean(each, rows)} {_write_interval(each, rows)}" for each in figures))
        if "less_the_first" in found:
            differences = found["less_the_first"]["measures"]
            table.add_row(Text("  less the first"), *(_write_difference(differences[name], rows) for name in measures))
    for name, means in report["bounds"].items():
        table.add_row(Text(name_slice(name)), *(_write_bound(means[one]) for one in measures))
    return table


def _tabulate_all(report: Mapping[str, Any], against: Mapping[str, Any] | None) -> Table:
    bounds = report.get("bounds", {})
    headings = [
        "mean",
        "95 % interval",
        *map(name_slice, bounds),
        *(["other", "difference (95 % interval)"] if against else []),
    ]
    table = begin_table("measure", headings, FOLD)
    for name, figure in report["measures"].items():
        rows = report["queries"]
        row = [_write_mean(figure, rows), _write_interval(figure, rows)]
        row += [_write_bound(means[name]) for means in bounds.values()]
        if against:
            less = against["differences"]["measures"][name]
            row += [_write_mean(against["measures"][name], rows), _write_difference(less, rows)]
        of = f" (of {figure['rows']:,})" if figure and "rows" in figure else ""
        table.add_row(f"{name}{of}", *row)
    return table


def _list_slices(report: Mapping[str, Any]) -> dict[str, Any]:
    """List the slices that are printed: nested averages before all others."""
    averages = {"averages": report["averages"]} if "averages" in report else {}
    return {**averages, **report["slices"]}


def _print_slices(to: Console, report: Mapping[str, Any], write: Write) -> None:
    """Print tables by slice."""
    _print_fitting(to, list(report["measures"]), lambda measures: _tabulate_slices(report, measures, write))


def _print_fitting(to: Console, measures: Sequence[str], tabulate: Callable[[Sequence[str]], Table]) -> None:
    """Print tables, each with as many measures as fit: no figure is cut."""
    unlimited = to.options.update_width(UNLIMITED)
    while measures:
        counts = range(len(measures), 0, -1)
        widths = ((count, to.measure(tabulate(measures[:count]), options=unlimited).maximum) for count in counts)
        fitting = next((count for count, width in widths if width <= to.width), 1)
        to.print()
        to.print(tabulate(measures[:fitting]))
        measures = measures[fitting:]


def _tabulate_slices(report: Mapping[str, Any], measures: Sequence[str], write: Write) -> Table:
    """One table, a section a slice and a column a measure."""

    def write_cell(slice_: str, value: str, cell: Mapping[str, Any]) -> list[str]:
        return [f"{cell['rows']:,}", *(write(cell[name], cell["rows"]) for name in measures)]

    return add_slices(begin_table("", ["queries", *measures], FOLD), report["slices"], write_cell)


def _write_mean(figure: Figure | None, rows: int) -> str:
    return "" if figure is None else f"{figure['value']:.4f}"


def _write_bound(mean: float | None) -> str:
    return "" if mean is None else f"{mean:.4f}"


def _write_interval(figure: Figure | None, rows: int) -> str:
    """Write an interval; a single query has none."""
    return "" if figure is None or _is_single(figure, rows) else f"{figure['low']:.4f}–{figure['high']:.4f}"


def _write_difference(figure: Figure | None, rows: int) -> str:
    """Write a difference with its interval; that of a single query has none."""
    if figure is None:
        return ""
    value = f"{figure['value']:+.4f}"
    return value if _is_single(figure, rows) else f"{value} ({figure['low']:+.4f} to {figure['high']:+.4f})"


def _is_single(figure: Figure, rows: int) -> bool:
    """Tell whether a figure is of one query; `rows` are those of its cell, of which some may lack it."""
    return figure.get("rows", rows) == 1
