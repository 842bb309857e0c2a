"""Intervals of shares and means, the same in every run."""

from __future__ import annotations

import hashlib
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

Z = 1.959963984540054
"""The normal quantile of a two-sided interval of 95 percent."""

RESAMPLES = 1000
ROWS_PER_RESAMPLE = 10_000


class Estimate(NamedTuple):
    """A share or a mean with its interval of 95 percent."""

    value: float
    low: float
    high: float


def estimate_share(hits: int, rows: int) -> Estimate:
    """Estimate a share, with Wilson's score interval (Wilson 1927).

    >>> tuple(round(x, 4) for x in estimate_share(8, 10))
    (0.8, 0.4902, 0.9433)
    """
    share = hits / rows
    spread = Z * math.sqrt(share * (1 - share) / rows + Z**2 / (4 * rows**2))
    scale = 1 + Z**2 / rows
    middle = share + Z**2 / (2 * rows)
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return Estimate(share, 0.0 if hits == 0 else low, 1.0 if hits == rows else high)


def estimate_means(values: Values, *key: str) -> list[Estimate]:
    """Estimate the mean of each column, by percentiles of 1,000 resamples of the rows.

    A resample of rows is a draw of how often each different row comes up, which is what is drawn here. It has at most
    10,000 rows; where there are more, the spread is that of as many rows as there are (its root law).

    Args:
        values: One row an item, one column a measure.
        key: What the numbers are for; the seed is its hash, so that an interval does not change with other cells.
    """
    rows = len(values)
    means = values.mean(axis=0)
    different, counts = np.unique(values, axis=0, return_counts=True)
    if len(different) == 1:
        return [Estimate(float(mean), float(mean), float(mean)) for mean in different[0]]
    drawn = min(rows, ROWS_PER_RESAMPLE)
    draws = _seed(*key).multinomial(drawn, counts / rows, size=RESAMPLES)
    spread = (draws @ different / drawn - means) * math.sqrt(drawn / rows)
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return [Estimate(*map(float, row)) for row in zip(means, means + low, means + high, strict=True)]


def estimate_scores(values: Values, *key: str) -> list[Estimate]:
    """Estimate the mean of each column of scores from 0 to 1, as `estimate_means` does.

    All resamples of rows that score 1 are 1, whether there are three rows or three thousand. Where all rows of a column
    are 0, or all are 1, the interval is Wilson's.
    """
    sums = values.sum(axis=0)
    unanimous = (values == values[0]).all(axis=0) & np.isin(values[0], (0, 1))
    return [
        estimate_share(int(total), len(values)) if is_unanimous else resampled
        for total, is_unanimous, resampled in zip(sums, unanimous, estimate_means(values, *key), strict=True)
    ]


def measure_errors(values: Values) -> Values | None:
    """Measure the standard error of the mean of each column, as harnesses state it; None of a single row."""
    rows = len(values)
    return values.std(axis=0, ddof=1) / math.sqrt(rows) if rows > 1 else None


def _seed(*key: str) -> np.random.Generator:
    digest = hashlib.sha256("\x1f".join(("everwhen evaluate", *key)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))
