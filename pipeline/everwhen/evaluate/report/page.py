"""The report as one page of HTML that loads nothing else; its plots are boxes of the page itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from everwhen.evaluate.report.rows import (
    choose_measures,
    describe_chance,
    describe_conditions,
    describe_run,
    describe_shared,
    find_figure,
    list_headings,
    name_figure,
    name_slice,
    write_cells,
    write_difference,
    write_interval,
    write_percent,
    write_share,
)
from everwhen.evaluate.scheme import Scheme

MAX_VALUES_SHOWN = 24
"""A plot shows so many values of a slice, those with the most items; the others are folded below it."""

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#f0e442", "#777777")
"""Colors of runs that readers with any color vision tell apart (Okabe and Ito 2008)."""

NATURAL_LAST = ("unknown", "no start", "not stated")
"""Values that say nothing of a slice: the last of its plot."""


def render_page(found: Mapping[str, Any], schemes: Mapping[str, Scheme]) -> str:
    """Render the page of one or more runs, of which `everwhen.evaluate.evaluation.evaluate` returned the figures."""
    environment = Environment(
        loader=PackageLoader("everwhen.evaluate.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "words": name_slice,
        "percent": write_percent,
        "interval": write_interval,
        "points": write_difference,
        "chance": describe_chance,
        "shared": describe_shared,
        "share": write_share,
        "figure": find_figure,
        "place": place_interval,
        "thousands": "{:,}".format,
    }
    families = {
        name: {**each, "scheme": schemes[name], **_list_columns(each, schemes[name])}
        for name, each in found["families"].items()
    }
    return environment.get_template("report.html.j2").render(
        found=found,
        families=families,
        colors=COLORS,
        fold=fold_values,
        describe_run=describe_run,
        describe_conditions=describe_conditions,
    )


def place_interval(estimate: Mapping[str, float]) -> str:
    """Place an interval on a scale from 0 to 100 percent, as a style."""
    low, high = (100 * estimate[end] for end in ("low", "high"))
    return f"left:{low:.2f}%;width:{high - low:.2f}%"


def fold_values(cells: Mapping[str, Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Divide the values of a slice into those that a plot shows and those that are folded, in their order.

    >>> fold_values({"a": {"rows": 2}, "unknown": {"rows": 5}, "b": {"rows": 1}})
    (['a', 'b', 'unknown'], [])
    """
    largest = set(sorted(cells, key=lambda value: (-cells[value]["rows"], value))[:MAX_VALUES_SHOWN])
    ordered = sorted(cells, key=lambda value: value in NATURAL_LAST)
    return [value for value in ordered if value in largest], [value for value in ordered if value not in largest]


def _list_columns(family: Mapping[str, Any], scheme: Scheme) -> dict[str, Any]:
    """List what the tables of a family have as headings, and how their cells are written."""
    tables = [run["tables"] for run in family["runs"].values()]
    measures = choose_measures(scheme, tables)
    return {
        "headings": list_headings(scheme),
        "write": partial(write_cells, scheme=scheme),
        "main": name_figure(scheme.main, scheme),
        "measures": {name: name_figure(name, scheme) for name in measures},
        "keys": list(dict.fromkeys(key for run in family["runs"].values() for key in run["settings"])),
    }
