"""Blocks of what can be compared, and who is compared with whom in them (record linkage: blocking). numpy alone.

In a block subjects are in the order of their values. Each one's partners are those whose values are surely greater,
the nearest first. So no pair comes twice, like values are compared before unlike ones, and a larger budget only adds
pairs. Where the nearest ones tie, a hash says with which of them a subject begins: else all would meet the same few.

The templates that draw from a block share its pairs out: the hashes of the two, added up, say whose turn a pair is. A
subject more so pushes out one partner of each subject that it comes near to, and no pair moves to another template.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Turn:
    """Whose turn it is in a block.

    Attributes:
        number: The place among those who take turns, from 0.
        of: How many take turns.
    """

    number: int
    of: int


class Partners:
    """The partners that each subject of a block has in one turn, by the places of both in the block."""

    def __init__(self, first: Positions, tied: Positions, order: Positions, turn: Turn) -> None:
        """Find them; the arrays are those of `Block`."""
        n = len(order)
        turns = order % turn.of
        theirs = (turn.number - turns) % turn.of
        # All places by turn, and in each by value.
        self._members = np.argsort(turns, kind="stable")
        by_position = turns[self._members] * (n + 1) + self._members
        self._begin = np.searchsorted(by_position, theirs * (n + 1) + first)
        self.available: Positions = np.searchsorted(by_position, (theirs + 1) * (n + 1)) - self._begin
        """How many partners each has."""
        # Of the nearest partners, which tie, those of greater hashes come first, then the others.
        nearest = np.minimum(first, n - 1)
        behind = np.searchsorted(tied, tied[nearest], side="right")
        self._tied = np.minimum(np.searchsorted(by_position, theirs * (n + 1) + behind) - self._begin, self.available)
        rank = rank_hashes(order)
        by_hash = (turns * n + tied)[self._members] * n + rank[self._members]
        at = np.searchsorted(by_hash, (theirs * n + tied[nearest]) * n + rank)
        self._turned = np.clip(at - self._begin, 0, self._tied)

    def find_sets(self, size: int, subjects: Positions, steps: Positions) -> tuple[list[Positions], Positions]:
        """Find the pairs, or triples, that subjects begin.

        A triple is two steps of the same width: a subject, its nth partner, and that one's nth partner.

        Args:
            size: 2 for pairs, 3 for triples.
            subjects: The places of the subjects that begin.
            steps: Which of its partners each takes, from 0; there must be as many.

        Returns:
            The places of the first, the second (and the third) of each set; and which of the rows has a set: where
            the second has no such partner there is no triple.
        """
        second = self.take(subjects, steps)
        if size == 2:
            return [subjects, second], np.arange(len(subjects))
        has = np.flatnonzero(steps < self.available[second])
        subjects, second = subjects[has], second[has]
        return [subjects, second, self.take(second, steps[has])], has

    def take(self, subjects: Positions, steps: Positions) -> Positions:
        """Return the places of each subject's partner at a step, from 0; there must be as many."""
        tied = self._tied[subjects]
        turned = (self._turned[subjects] + steps) % np.maximum(tied, 1)
        found: Positions = self._members[self._begin[subjects] + np.where(steps < tied, turned, steps)]
        return found


def rank_hashes(order: Positions) -> Positions:
    """Return the place of each hash in their order."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[np.argsort(order, kind="stable")] = np.arange(len(order))
    return rank


@dataclass(frozen=True, eq=False)
class Block:
    """What can be compared with each other: subjects of one split, in the order of their values.

    Attributes:
        number: Its number, from 0.
        kind: event or item.
        by: What templates ask for: time, times, amounts, hop times, hop amounts or terms.
        key: Id of the attribute or property path, "time" for an event's own time, "term" for one in an office.
        list: The entity list; empty where subjects of several lists are compared.
        grouping: What else subjects of the list share: a group of lists, an item id, or nothing.
        split: train, validation or test.
        offset: Number of its first member, among the members of all blocks.
        first: Of each subject, the place of the first one whose value is surely greater; their number for none.
        tied: Of each subject, the place of the first one with the same value.
        order: Of each subject, a hash.
        described: How many of them have a description that does not tell what is compared.
        own: The share of its pairs that are asked in it: subjects that meet in several are compared in one.
    """

    number: int
    kind: str
    by: str
    key: str
    list: str
    grouping: str
    split: str
    offset: int
    first: Positions
    tied: Positions
    order: Positions
    described: int = 0
    own: float = 1.0
    _partners: dict[Turn, Partners] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, object]:
        """Leave what is found again behind when a worker is sent the block."""
        return {**vars(self), "_partners": {}}

    @property
    def size(self) -> int:
        """How many subjects it has."""
        return len(self.order)

    @property
    def rank(self) -> Positions:
        """Of each subject, its place in the order of the hashes."""
        return rank_hashes(self.order)

    def find_partners(self, turn: Turn) -> Partners:
        """Return the partners of a turn."""
        if turn not in self._partners:
            self._partners[turn] = Partners(self.first, self.tied, self.order, turn)
        return self._partners[turn]
