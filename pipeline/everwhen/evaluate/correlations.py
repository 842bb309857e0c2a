"""How the scores of groups of items go together over several runs (TimE, Figure 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from everwhen.evaluate.tables import Tables, round_figure

MIN_RUNS = 3
"""Of two runs every correlation is 1 or -1."""
MAX_GROUPS = 24
"""More groups than these are no table that anybody reads."""


def measure_correlations(tables: Mapping[str, Tables], slice_: str, figure: str) -> dict[str, Any] | None:
    """Correlate the groups of a slice by what the runs score on them.

    Args:
        tables: The tables of each run, on the items that all have.
        slice_: The slice, such as the task.
        figure: The figure.

    Returns:
        `slice`, `figure`, `runs` (how many), `groups`, and `pearson`, by group a row of Pearson's r with each group.
        Groups that all runs score alike have none, and are left out. None for fewer than three runs, and where fewer
        than two or more than 24 groups are left.
    """
    runs = [each.get(slice_, {}) for each in tables.values()]
    scores = {name: _list_scores(name, figure, runs) for name in runs[0]} if len(runs) >= MIN_RUNS else {}
    differing = {name: values for name, values in scores.items() if len(values) == len(runs) and len({*values}) > 1}
    if not 2 <= len(differing) <= MAX_GROUPS:
        return None
    pearson = [[round_figure(float(r)) for r in row] for row in np.corrcoef([*differing.values()])]
    return {"slice": slice_, "figure": figure, "runs": len(runs), "groups": [*differing], "pearson": pearson}


def _list_scores(name: str, figure: str, runs: Sequence[Mapping[str, Any]]) -> list[float]:
    """List what the runs score on a group; those that lack the figure are left out."""
    return [run[name][figure]["value"] for run in runs if run.get(name, {}).get(figure)]
