"""What reports show of a cell: texts of shares, intervals, means and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.core.counted import count_noun
from everwhen.evaluate.scheme import Scheme, ScoreColumn

BY_CHANCE = 0.05
"""The share of intervals of 95 percent that exclude zero although there is no difference."""


def list_headings(scheme: Scheme) -> list[str]:
    """List the headings of the tables of scores."""
    return ["rows", *(column.heading for column in scheme.columns)]


def write_cells(cell: Mapping[str, Any], scheme: Scheme) -> list[str]:
    """Write the columns of a cell, in percent; a single item has no interval."""
    is_single = cell["rows"] == 1
    return [
        f"{cell['rows']:,}",
        *(
            "" if is_single and column.part == "interval" else _write(find_figure(cell, column.figure), column)
            for column in scheme.columns
        ),
    ]


def find_figure(cell: Mapping[str, Any], name: str) -> Any:
    """Find a figure of a cell; None where it has none."""
    found: Any = cell
    for part in name.split("."):
        found = found.get(part)
        if found is None:
            return None
    return found


def _write(figure: Any, column: ScoreColumn) -> str:
    if figure is None:
        return ""
    if not isinstance(figure, Mapping):
        return write_percent(figure)
    if column.part == "interval":
        return write_interval(figure)
    if column.part == "number":
        return f"{figure['value']:,.1f}"
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


def write_share(estimate: Mapping[str, float] | None, rows: int) -> str:
    """Write a share with its interval, in percent; a single item has none."""
    if estimate is None:
        return ""
    interval = f" ({write_interval(estimate)})" if rows > 1 else ""
    return f"{write_percent(estimate['value'])}{interval}"


def write_difference(estimate: Mapping[str, float] | None, rows: int = 2) -> str:
    """Write a difference in points with its interval; nothing where no item has the figure in both runs.

    >>> write_difference({"value": 0.1, "low": -0.05, "high": 0.25})
    '+10.0 (-5.0 to +25.0)'
    """
    if estimate is None:
        return ""
    value, low, high = (f"{round(100 * estimate[name], 1) + 0.0:+.1f}" for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})" if rows > 1 else value


def name_slice(slice_: str) -> str:
    """Name a slice in words."""
    return slice_.replace("_", " ")


def name_figure(name: str, scheme: Scheme) -> str:
    """Name a figure as the tables of scores head its column."""
    headings = {column.figure: column.heading for column in scheme.columns if column.part != "interval"}
    return headings.get(name, name_slice(name))


def describe_run(name: str, run: Mapping[str, Any]) -> str:
    """Describe the predictions of a run on a family in a line."""
    models = f" of {', '.join(run['models'])}" if run["models"] else ""
    missing = f", {run['missing']:,} asked for have none" if run.get("missing") else ""
    left_out = f", {run['left_out']:,} are not asked for" if run.get("left_out") else ""
    settings = "".join(f"; {name_slice(key)} {value}" for key, value in run["settings"].items())
    return f"{name}{models}: {count_noun(run['scored'], 'prediction')} scored{missing}{left_out}{settings}"


def describe_conditions(name: str, paired: Mapping[str, Any]) -> str:
    """Describe the items that the conditions of a file are paired on."""
    return (
        f"{name}: {len(paired['rows'])} conditions, paired on the {count_noun(paired['shared'], 'item')} that all have."
    )


def describe_shared(comparison: Mapping[str, Any]) -> str:
    """Describe the items that runs are compared on."""
    left_out = ", ".join(f"{count:,} of {name}" for name, count in comparison["left_out"].items() if count)
    rest = f"; not in all, and left out: {left_out}" if left_out else ""
    return f"Compared on the {count_noun(comparison['shared'], 'item')} that all runs have{rest}."


def describe_chance(comparison: Mapping[str, Any]) -> str:
    """Describe how many intervals of differences exclude zero, and how many would by chance."""
    count = comparison["intervals"]
    return (
        f"Of {count_noun(count, 'interval')} of differences, {comparison['excluding_zero']:,} exclude zero; without any"
        f" difference about {round(BY_CHANCE * count):,} (5 %) would by chance. A single one proves little."
    )


def choose_measures(scheme: Scheme, tables: Sequence[Mapping[str, Any]]) -> list[str]:
    """Choose the compared figures that some run has."""
    return [name for name in scheme.compared if any(find_figure(t["all"]["all"], name) is not None for t in tables)]
