"""Score intervals of shares, means and paired differences: one method, without chance, at one level."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

LEVEL = 95
"""The level of every interval, in percent."""

Z = 1.959963984540054
"""The normal quantile of a two-sided interval of that level."""

METHOD = "score intervals of 95 percent (Wilson 1927; of paired differences Newcombe 1998)"
"""The name of the method, for reports."""


class Estimate(NamedTuple):
    """A share, a mean or a difference with its interval of 95 percent."""

    value: float
    low: float
    high: float


def estimate_share(hits: int, rows: int) -> Estimate:
    """Estimate a share, with Wilson's score interval (Wilson 1927).

    >>> tuple(round(x, 4) for x in estimate_share(8, 10))
    (0.8, 0.4902, 0.9433)
    """
    return _estimate_score(hits / rows, rows)


def estimate_mean(values: Values) -> Estimate:
    """Estimate the mean of scores from 0 to 1, with Wilson's score interval of as many shares as say the same.

    Scores between 0 and 1 vary less than zeros and ones with their mean. The interval is that of the number of zeros
    and ones whose mean varies as much. Where all scores are equal, it is the number of scores. Of zeros and ones
    alone this is Wilson's interval of their share.

    Args:
        values: One score an item, at least one.

    >>> estimate_mean(np.array([1.0] * 8 + [0.0] * 2)) == estimate_share(8, 10)
    True
    """
    rows, mean = len(values), math.fsum(values) / len(values)
    variance = math.fsum((values - mean) ** 2) / rows
    if variance < 1e-12 or np.isin(values, (0, 1)).all():
        return _estimate_score(mean, rows)
    return _estimate_score(mean, rows * mean * (1 - mean) / variance)


def estimate_difference(first: Values, second: Values) -> Estimate:
    """Estimate the mean of the first scores less that of the second, over the same items (Newcombe 1998, method 8).

    The interval squares and adds the distances of both means to their own limits, less what the correlation of the
    scores explains. It is never without width: items that agree do not show that all others would.

    >>> estimate_difference(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])).value
    0.3333333333333333
    """
    one, other = estimate_mean(first), estimate_mean(second)
    correlation = _correlate(first, second)
    value = math.fsum(first - second) / len(first)
    down, up = one.value - one.low, one.high - one.value
    other_down, other_up = other.value - other.low, other.high - other.value
    return Estimate(
        value,
        max(-1.0, value - _add_squares(down, other_up, correlation)),
        min(1.0, value + _add_squares(up, other_down, correlation)),
    )


def estimate_ratio(over: Values, under: Values) -> tuple[Estimate, float | None]:
    """Estimate a sum divided by another, with its standard error; the second sum is above 0.

    The interval is that of the linearised quotient (Cochran 1977, section 6.4). It ends at 1 where no item has more of
    the first number than of the second, likewise at -1, and at 0 where none is negative. A single item has no error,
    and an interval without width.

    Args:
        over: One number an item.
        under: Likewise, none of them negative.

    >>> [round(x, 4) for x in estimate_ratio(np.array([1.0, 0.0, 1.0]), np.array([1.0, 1.0, 2.0]))[0]]
    [0.5, 0.0757, 0.9243]
    """
    rows, total = len(over), math.fsum(under)
    value = math.fsum(over) / total
    if rows < 2:
        return Estimate(value, value, value), None
    error = math.sqrt(math.fsum((over - value * under) ** 2) * rows / (rows - 1)) / total
    most = 1.0 if bool((np.abs(over) <= under).all()) else math.inf
    least = 0.0 if bool((over >= 0).all()) else -most
    return Estimate(value, max(least, value - Z * error), min(most, value + Z * error)), error


def measure_error(values: Values) -> float | None:
    """Measure the standard error of a mean, as harnesses state it; None of a single score."""
    rows = len(values)
    return float(values.std(ddof=1)) / math.sqrt(rows) if rows > 1 else None


def _estimate_score(share: float, rows: float) -> Estimate:
    spread = Z * math.sqrt(share * (1 - share) / rows + Z**2 / (4 * rows**2))
    scale = 1 + Z**2 / rows
    middle = share + Z**2 / (2 * rows)
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return Estimate(share, 0.0 if share == 0 else low, 1.0 if share == 1 else high)


def _correlate(first: Values, second: Values) -> float:
    """Pearson's correlation, which is phi of zeros and ones; 0 where one of both does not vary."""
    one, other = first - math.fsum(first) / len(first), second - math.fsum(second) / len(second)
    scale = math.sqrt(math.fsum(one**2) * math.fsum(other**2))
    return math.fsum(one * other) / scale if scale > 1e-12 else 0.0


def _add_squares(first: float, second: float, correlation: float) -> float:
    return math.sqrt(max(0.0, first**2 - 2 * correlation * first * second + second**2))
