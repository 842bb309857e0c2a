"""Means over groups of groups, in which each group counts equally."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

AVERAGE = "average"
"""The name of the mean over all groups."""


def average_nested(scores: Iterable[tuple[tuple[str, ...], float]]) -> dict[str, float]:
    """Average scores by nested groups: over the first values the mean over the second, down to the scores.

    >>> average_nested([(("a", "x"), 1.0), (("a", "x"), 0.0), (("a", "y"), 1.0), (("b", "y"), 0.25)])
    {'a': 0.75, 'b': 0.25, 'average': 0.5}

    Args:
        scores: Each with its values, the outermost first.

    Returns:
        The mean of each first value in ascending order, and `average`, the mean of these; empty without scores.
    """
    groups: dict[str, list[tuple[tuple[str, ...], float]]] = {}
    for (value, *inner), score in scores:
        groups.setdefault(value, []).append((tuple(inner), score))
    means = {value: _average(groups[value]) for value in sorted(groups)}
    return {**means, AVERAGE: fmean(means.values())} if means else {}


def _average(scores: list[tuple[tuple[str, ...], float]]) -> float:
    if not scores[0][0]:
        return fmean(score for _, score in scores)
    return average_nested(scores)[AVERAGE]
