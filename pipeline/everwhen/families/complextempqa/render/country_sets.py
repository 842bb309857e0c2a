"""The countries of several subjects together, as Arrow lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from everwhen.core.arrays import Ints


class CountrySets:
    """Countries of several subjects together, ascending; each set is made once."""

    def __init__(self, countries: Sequence[Sequence[int]]) -> None:
        """Take the countries of each subject."""
        self._number: dict[tuple[int, ...], int] = {}
        self._sets: list[tuple[int, ...]] = []
        self.none = self._add_set(())
        self.of = np.array([self._add_set(tuple(sorted(set(each)))) for each in countries], dtype=np.int32)
        # By the sets of two subjects, the lesser number first, the set of both; -1 where it was not asked for yet.
        self._both = np.full((len(self._sets), len(self._sets)), -1, dtype=np.int32)
        self._arrow = pa.array([], pa.list_(pa.int64()))

    def _add_set(self, countries: tuple[int, ...]) -> int:
        if countries not in self._number:
            self._number[countries] = len(self._sets)
            self._sets.append(countries)
        return self._number[countries]

    def _join_sets(self, one: int, two: int) -> int:
        return self._add_set(tuple(sorted({*self._sets[one], *self._sets[two]})))

    def join_countries(self, subjects: Sequence[Ints]) -> Ints:
        """The numbers of the sets that hold the countries of all subjects of each row."""
        sets = self.of[subjects[0]]
        for number, other in enumerate(subjects[1:]):
            theirs = self.of[other]
            if number:  # of three subjects there are few rows: each set is joined by itself
                sets = np.array([self._join_sets(*both) for both in zip(sets.tolist(), theirs.tolist(), strict=True)])
                continue
            one, two = np.minimum(sets, theirs), np.maximum(sets, theirs)
            new = np.flatnonzero(self._both[one, two] < 0)
            for pair in dict.fromkeys(zip(one[new].tolist(), two[new].tolist(), strict=True)):
                self._both[pair] = self._join_sets(*pair)
            sets = self._both[one, two]
        return sets

    def take_lists(self, at: Ints) -> pa.Array:
        """Sets by number, as lists."""
        if len(self._arrow) < len(self._sets):  # only what is new: most batches bring some sets
            new = pa.array(self._sets[len(self._arrow) :], self._arrow.type)
            self._arrow = pa.concat_arrays([self._arrow, new])
        return self._arrow.take(pa.array(at))
