"""How scores of groups go together over runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.evaluate.correlations import measure_correlations

SCORES = {"order": [0.2, 0.4, 0.6], "duration": [0.1, 0.2, 0.3], "sorting": [0.9, 0.5, 0.1], "extract": [0.7, 0.7, 0.7]}


def tabulate(scores: Mapping[str, Sequence[float]], runs: int) -> dict[str, Any]:
    """The tables of so many runs."""
    return {
        f"run {n}": {"task": {name: {"rows": 9, "right": {"value": values[n]}} for name, values in scores.items()}}
        for n in range(runs)
    }


def test_groups_correlate_as_their_scores_do() -> None:
    assert measure_correlations(tabulate(SCORES, 3), "task", "right") == {
        "slice": "task",
        "figure": "right",
        "runs": 3,
        "groups": ["order", "duration", "sorting"],
        "pearson": [[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]],
    }


def test_two_runs_and_a_figure_that_groups_lack_give_none() -> None:
    assert measure_correlations(tabulate(SCORES, 2), "task", "right") is None
    assert measure_correlations(tabulate(SCORES, 3), "task", "tau") is None
    assert measure_correlations(tabulate(SCORES, 3), "level", "right") is None
