"""The report on agreement with people, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from everwhen.evaluate.report.rows import name_slice, write_interval, write_percent
from everwhen.evaluate.report.terminal import open_console

MEASURES = {"P": "precision", "R": "recall", "F1": "f1"}
LEGEND = (
    "P, R, F1: precision, recall and F1 of a class of the scorer against people, in percent; of a group the averages of"
    " its classes. equal: share of responses with the same class."
)


def print_agreement(found: Mapping[str, Any], console: Console | None = None) -> None:
    """Print precision, recall and F1 by class and method, then by group, as `measure_agreement` returned them."""
    to = open_console(console)
    open_ = f", {found['left_open']:,} left open" if found["left_open"] else ""
    to.print(Text(f"{found['family']}: {found['judged']:,} responses judged by people{open_}"))
    methods = found["methods"]
    to.print(_tabulate("class", {name: method["classes"] for name, method in methods.items()}, ("human", "scorer")))
    to.print(_tabulate("group", {name: method["groups"] for name, method in methods.items()}, ("rows", "equal")))
    to.print(Text(LEGEND, style="dim"))


def print_annotators(found: Mapping[str, Any], console: Console | None = None) -> None:
    """Print how well annotators agree, as `measure_annotators` returned it."""
    to = open_console(console)
    counts = f"{found['annotators']:,} annotators, {found['items']:,} items, {found['pairs']:,} pairs of answers"
    to.print(Text(f"{found['family']}: {counts}"))
    first, middle, third = map(write_percent, found["quartiles"])
    to.print(
        Text(f"similarity of words (Jaccard): {_write(found['similarity'])}; quartiles {first}, {middle}, {third}")
    )
    to.print(Text(f"the same words: {_write(found['exact'])}"))
    if found["kept"]:
        to.print(Text(f"golds kept: {_write(found['kept'])} of {found['kept']['rows']:,}"))


def _tabulate(heading: str, methods: Mapping[str, Mapping[str, Mapping[str, Any]]], counts: tuple[str, str]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in (heading, "method"):
        table.add_column(name, no_wrap=True)
    for name in (*MEASURES, *counts):
        table.add_column(name, justify="right", no_wrap=True)
    names = list(dict.fromkeys(name for method in methods.values() for name in method))
    for name in names:
        for method, cells in methods.items():
            if name in cells:
                cell = cells[name]
                measures = [_write(cell[key]) for key in MEASURES.values()]
                table.add_row(Text(name_slice(name)), method, *measures, *(_write(cell[key]) for key in counts))
    return table


def _write(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return f"{write_percent(value['value'])} ({write_interval(value)})"
    return f"{value:,}" if isinstance(value, int) else write_percent(value)
