"""What reports show of a cell: texts of shares, intervals and means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from everwhen.evaluate.scheme import Column, Scheme


def list_headings(scheme: Scheme) -> list[str]:
    """List the headings of the tables of scores."""
    return ["rows", *(column.heading for column in scheme.columns)]


def write_cells(cell: Mapping[str, Any], scheme: Scheme) -> list[str]:
    """Write the columns of a cell, in percent."""
    return [f"{cell['rows']:,}", *(_write(_find(cell, column.figure), column) for column in scheme.columns)]


def _find(cell: Mapping[str, Any], name: str) -> Any:
    """Find a figure of a cell; None where it has none."""
    found: Any = cell
    for part in name.split("."):
        found = found.get(part)
        if found is None:
            return None
    return found


def _write(figure: Any, column: Column) -> str:
    if figure is None:
        return ""
    if not isinstance(figure, Mapping):
        return write_percent(figure)
    if column.part == "interval":
        return write_interval(figure)
    rows = f" of {figure['rows']:,}" if column.part == "value_of_rows" else ""
    return f"{write_percent(figure['value'])}{rows}"


def write_percent(share: float) -> str:
    """Write a share in percent, with one decimal.

    >>> write_percent(0.12345), write_percent(1.0)
    ('12.3', '100.0')
    """
    return f"{100 * share:.1f}"


def write_interval(estimate: Mapping[str, float]) -> str:
    """Write an interval in percent."""
    return f"{write_percent(estimate['low'])}–{write_percent(estimate['high'])}"


def write_difference(estimate: Mapping[str, float] | None) -> str:
    """Write a difference in points with its interval; nothing where no item has the figure in both runs."""
    if estimate is None:
        return ""
    value, low, high = (f"{100 * estimate[name]:+.1f}" for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def name_slice(slice_: str) -> str:
    """Name a slice in words."""
    return slice_.replace("_", " ")


def describe_run(run: Mapping[str, Any]) -> str:
    """Describe a file of predictions in a line."""
    models = f" of {', '.join(run['models'])}" if run["models"] else ""
    missing = f", {run['missing']:,} asked for have none" if run.get("missing") else ""
    left_out = f", {run['left_out']:,} are not asked for" if run.get("left_out") else ""
    return f"{run['file']}{models}: {run['scored']:,} predictions scored{missing}{left_out}"
