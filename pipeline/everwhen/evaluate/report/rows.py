"""What reports show of a cell: texts of shares, intervals and means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HEADINGS = (
    *("rows", "right", "95 %", "coarse", "wrong", "right once", "none given", "cut off"),
    *("F1", "recall", "EM", "cont.", "F1 whole", "trivial"),
)
"""The columns of the tables of scores. Measures are of the final answer where nothing else is said."""

LEGEND = (
    "right, coarse, wrong, none given and cut off add up to 100 %; right once is part of wrong. F1, recall, EM (exact"
    " match) and cont. (containment) are ComplexTempQA's measures of the final answer, F1 whole of the whole response."
    " trivial is what the best shortcut of each template scores without reading the facts."
)


def write_cells(cell: Mapping[str, Any]) -> list[str]:
    """Write the columns of a cell, in percent."""
    shares = [write_percent(cell[name]["value"]) for name in ("coarse", "wrong", "right_once", "none_given", "cut_off")]
    final = [write_percent(cell["final"][name]["value"]) for name in ("f1", "recall", "exact_match", "containment")]
    return [
        f"{cell['rows']:,}",
        write_percent(cell["right"]["value"]),
        write_interval(cell["right"]),
        *shares,
        *final,
        write_percent(cell["whole"]["f1"]["value"]),
        write_percent(cell["trivial"]) if "trivial" in cell else "",
    ]


def write_percent(share: float) -> str:
    """Write a share in percent, with one decimal.

    >>> write_percent(0.12345), write_percent(1.0)
    ('12.3', '100.0')
    """
    return f"{100 * share:.1f}"


def write_interval(estimate: Mapping[str, float]) -> str:
    """Write an interval in percent."""
    return f"{write_percent(estimate['low'])}–{write_percent(estimate['high'])}"


def write_difference(estimate: Mapping[str, float]) -> str:
    """Write a difference in points with its interval."""
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
