"""How many comparisons change when a block has one subject more.

    python benchmarks/stability.py

Blocks of 10 to 100,000 subjects, whose values are days or years of 80 years, or all there is to compare; w pairs begin
with each subject, and one or four templates share the block. One subject is added, at several places. What changes and
is not its own is counted, and compared with 4w pairs and 4w² triples on average. Of a block that is drawn completely no
pair may change.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from everwhen.core.arrays import number_within
from everwhen.core.hash_chains import START, extend_hashes
from everwhen.families.complextempqa.compare.blocks import Block, Positions, Turn

CASES = [
    *((n, values, w) for n in (10, 100, 1_000, 10_000) for values in (29_200, 80) for w in (1, 4, 20)),
    *((100_000, values, w) for values in (29_200, 80) for w in (4, 20)),
    *((n, 29_200, n) for n in (10, 100, 300)),
]
"""Subjects, different values, and pairs that each begins; in the last ones all there are."""

PLACES = {10: 200, 100: 200, 300: 10, 1_000: 200, 10_000: 40, 100_000: 6}
"""By the size of a block, how many positions the new subject is tried at; the worst is printed beside the average."""


@dataclass(frozen=True)
class Changes:
    """What one subject more changes in a block: pairs and triples that are not its own, on average and at most."""

    subjects: int
    values: int
    width: int
    templates: int
    pairs: float
    triples: float
    most_pairs: int
    most_triples: int


def build_block(values: Positions) -> tuple[Block, Positions]:
    """The block of subjects with these values, and which subject is at each place."""
    hashes = extend_hashes(np.uint64(START), np.arange(len(values))).view(np.int64)
    subjects = np.lexsort((hashes, values))
    ordered = values[subjects]
    block = Block(
        *(0, "item", "times", "key", "list", "", "train", 0),
        first=np.searchsorted(ordered, ordered, side="right"),
        tied=np.searchsorted(ordered, ordered),
        order=hashes[subjects],
    )
    return block, subjects


def draw(values: Positions, width: int, turn: Turn) -> tuple[Positions, Positions]:
    """The pairs and the triples of one template, a row each, with the least subject first."""
    block, subjects = build_block(values)
    partners = block.find_partners(turn)
    counts = np.minimum(partners.available, width)
    x = np.repeat(np.arange(block.size), counts)
    step = number_within(counts)
    pairs, triples = (
        np.sort(np.stack([subjects[places] for places in partners.find_sets(size, x, step)[0]], axis=1), axis=1)
        for size in (2, 3)
    )
    return pairs, triples


def count_changed(before: Positions, after: Positions, new: int) -> int:
    """Count the sets that are in one of both and do not have the new subject."""
    kept = after[~(after == new).any(axis=1)]
    base = new + 1
    one, other = (rows @ base ** np.arange(rows.shape[1]) for rows in (before, kept))
    return len(np.setxor1d(one, other))


def measure_case(n: int, values: int, width: int, turn: Turn) -> Changes:
    """Add one subject at each of several places, and count what changes."""
    chance = np.random.default_rng(n + width + turn.of)
    held = chance.integers(0, values, n)
    before = draw(held, width, turn)
    changed = []
    for new in chance.integers(0, values, PLACES[n]):
        after = draw(np.append(held, new), width, turn)
        changed.append([count_changed(one, other, n) for one, other in zip(before, after, strict=True)])
    (pairs, triples), (most_pairs, most_triples) = np.mean(changed, axis=0).tolist(), np.max(changed, axis=0).tolist()
    return Changes(n, values, width, turn.of, pairs, triples, most_pairs, most_triples)


def summarize(cases: Sequence[Changes]) -> dict[str, Any]:
    """Give the greatest changes of all cases, in w and w²; those of the worst places by w."""
    drawn = [case for case in cases if case.width < case.subjects]
    widths = sorted({case.width for case in drawn})
    return {
        "pairs": round(max(case.pairs / case.width for case in drawn), 1),
        "triples": round(max(case.triples / case.width**2 for case in drawn), 1),
        "pairs_at_worst": {w: round(max(c.most_pairs / w for c in drawn if c.width == w), 1) for w in widths},
        "triples_at_worst": {w: round(max(c.most_triples / w**2 for c in drawn if c.width == w), 1) for w in widths},
        "pairs_of_exhausted_blocks": max(case.most_pairs for case in cases if case.width >= case.subjects),
    }


def main() -> None:
    """Print a table and one line of JSON."""
    columns = ("subjects", "values", "w", "templates", "pairs, most", "4w", "triples, most", "4w²")
    print("".join(f"{column:>16}" for column in columns))
    cases = []
    for (n, values, width), turns in product(CASES, (1, 4)):
        case = measure_case(n, values, width, Turn(turns - 1, turns))
        cases.append(case)
        pairs, triples = f"{case.pairs:.1f}, {case.most_pairs}", f"{case.triples:.1f}, {case.most_triples}"
        line = (n, values, width, turns, pairs, 4 * width, triples, 4 * width * width)
        print("".join(f"{value:>16}" for value in line), flush=True)
    found = summarize(cases)
    is_stable = found["pairs"] <= 4 and found["triples"] <= 4 and found["pairs_of_exhausted_blocks"] == 0
    print(f"what docs/reference/stability.md says is {'kept' if is_stable else 'NOT kept'}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
