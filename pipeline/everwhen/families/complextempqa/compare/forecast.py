"""How many comparisons a block gives, the wider it is drawn: counted where they are few, and estimated from a sample.

Near partners share years and lists more often than random ones do, so that no formula says how many pairs are asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from everwhen.core.hash_chains import extend_hashes
from everwhen.families.complextempqa.compare.blocks import Block, Positions, Turn
from everwhen.families.complextempqa.compare.subjects import Subjects

SAMPLE = 1 << 17
"""Sets that are looked at, about, which takes a tenth of a second; where a turn of a block has fewer, all are."""

GROWTH = 1.1
"""How much further than the one before each range of steps goes from which a sample is taken."""

FEW = 4
"""Steps of which all sets are looked at: a block that is drawn narrowly gives too few for chance to even out."""

PARTS = 256
"""Into how many parts each of these steps is cut, at most, since not all subjects take the last one."""


@dataclass(frozen=True)
class Forecast:
    """How many comparisons a turn of a block gives.

    Attributes:
        steps: How many partners each subject meets, ascending from 0; at 2.5 the first half meets a third one.
        rows: How many comparisons come of each.
    """

    steps: npt.NDArray[np.float64]
    rows: npt.NDArray[np.float64]

    @property
    def widest(self) -> int:
        """The number of partners beyond which no comparison comes."""
        return int(np.ceil(self.steps[np.searchsorted(self.rows, self.rows[-1])]))

    def count(self, steps: float) -> float:
        """Return how many comparisons come of some partners each."""
        return float(np.interp(steps, self.steps, self.rows))


def forecast(
    subjects: Subjects, block: Block, turn: Turn, size: int, *, unnamed: bool, sample: int = SAMPLE
) -> Forecast:
    """Count the comparisons that a turn of a block gives.

    Args:
        subjects: The subjects of all blocks.
        turn: Whose turn it is.
        size: 2 for pairs, 3 for triples.
        unnamed: Whether subjects are described.
        sample: How many sets are looked at, about; if there are more, each subject takes part with a few.
    """
    available = block.find_partners(turn).available
    all_of_it = int(available.sum()) <= sample
    edges = _divide_steps(int(available.max(initial=0)), 1.0 if all_of_it else GROWTH)
    each = np.where((edges[:-1] < FEW) | all_of_it, block.size, sample // len(edges))
    x, steps = _take_samples(block, available, edges, each)
    positions, row = block.find_partners(turn).find_sets(size, x, steps)
    chosen = subjects.choose(block, positions, unnamed=unnamed)
    # Subjects take their last step in the order of their hashes. Counted in whole numbers: 1 + 2/3 is less than 5/3.
    at = steps * block.size + block.rank[x]
    few, parts = min(FEW, int(edges[-1])), min(PARTS, block.size)
    cuts = np.concatenate((-(np.arange(few * parts) * -block.size // parts), edges[few:] * block.size))
    seen, kept = (_count_between(cuts, found) for found in (at, at[row[chosen.row[~chosen.reveals_order]]]))
    there = [np.clip(available - start, 0, end - start).sum() for start, end in pairwise(edges[few:].tolist())]
    rows = kept / np.maximum(seen, 1) * np.concatenate((seen[: few * parts], there))
    ends = np.concatenate((np.arange(few * parts) / parts, edges[few:].astype(np.float64)))
    return Forecast(ends, np.concatenate(([0.0], np.cumsum(rows))))


def _count_between(cuts: Positions, found: Positions) -> Positions:
    """Count the values between each cut and the next one."""
    return np.bincount(np.searchsorted(cuts, found, side="right") - 1, minlength=len(cuts) - 1)


def _divide_steps(most: int, growth: float) -> Positions:
    """Steps at which a range ends and the next one begins: each step by itself at first, then ever wider ranges."""
    found = [0]
    while found[-1] < most:
        found.append(min(most, max(found[-1] + 1, int(found[-1] * growth))))
    return np.array(found)


def _take_samples(block: Block, available: Positions, edges: Positions, each: Positions) -> tuple[Positions, Positions]:
    """For each range of steps some subjects, others than for the one before, and a step of it that each takes, by hash.

    Args:
        available: How many partners each subject has.
        edges: Where the ranges begin, and the last one ends.
        each: How many subjects are taken for each range; they must have so many partners.
    """
    n, rank = block.size, block.rank
    x, steps = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for number, ((start, end), some) in enumerate(zip(pairwise(edges.tolist()), each.tolist(), strict=True)):
        x.append(np.flatnonzero(((rank - number * some) % n < some) & (available > start)))
        hashes = extend_hashes(block.order[x[-1]].view(np.uint64), number)
        width = np.minimum(available[x[-1]], end) - start
        steps.append(start + (hashes % width.astype(np.uint64)).astype(np.int64))
    return np.concatenate(x), np.concatenate(steps)
