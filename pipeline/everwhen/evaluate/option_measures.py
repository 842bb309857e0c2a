"""The measures of a choice: the options that a response chooses against those that are right."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple


class OptionMeasures(NamedTuple):
    """The measures of a set of options, from 0 to 1.

    Attributes:
        precision: Share of the chosen options that are right; 0 where none is chosen.
        recall: Share of the right options that are chosen.
        f1: Harmonic mean of the two.
    """

    precision: float
    recall: float
    f1: float


def measure_options(chosen: Set[str], right: Set[str]) -> OptionMeasures:
    """Measure the options that are chosen, by their letters; at least one is right.

    >>> measure_options({"A", "B"}, {"A", "C", "D"})
    OptionMeasures(precision=0.5, recall=0.3333333333333333, f1=0.4)
    """
    shared = len(chosen & right)
    precision = shared / len(chosen) if chosen else 0.0
    return OptionMeasures(precision, shared / len(right), 2 * shared / (len(chosen) + len(right)))
