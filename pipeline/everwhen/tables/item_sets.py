"""Item sets: items of the test split, balanced over strata, that change little with a new snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import pairwise

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.quotas import rank_in_turns
from everwhen.core.table import Column, Table

SIZES: Mapping[str, int] = {"lite-1000": 1_000, "lite-10000": 10_000}
"""How many items each set has, where the test split has so many."""


@dataclass(frozen=True)
class ItemSets:
    """The item sets of a family.

    Attributes:
        items: The table of its items.
        id: The column that identifies an item: a hash.
        strata: What sets are balanced over, the outermost first: by name an expression of Spark SQL, never null.
        sizes: The number of items of each set.
        caps: Of a set, the most items of a value of the outermost stratum; a set without any is a part of a larger one.
    """

    items: Table
    id: str
    strata: Mapping[str, str]
    sizes: Mapping[str, int] = field(default_factory=lambda: SIZES)
    caps: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @cached_property
    def table(self) -> Table:
        """The table of the sets: `item_set`, and the columns of the items."""
        return Table(
            name="item_sets",
            stage=self.items.stage,
            meaning=f"An item of an item set, as it is in `{self.items.name}`: so many of the split test, balanced over strata.",
            total_by="item_set",
            total_of=self.id,
            columns=(Column("item_set", "string", f"the set: {' or '.join(self.sizes)}"), *self.items.columns),
        )

    def select(self, items: DataFrame) -> DataFrame:
        """Select the items of each set from those of the test split.

        Few-shot examples come from train, so that none is an item of a set. The items of a stratum are in the order of
        their ids, which are hashes. Strata of one parent take turns, those of the least MD5 first: so have the values
        of the outermost equal shares as far as there are items, within each of them those of the next, and so on. A set
        is the first items of this order, and a smaller set a part of a larger one. docs/reference/stability.md says
        what a new snapshot changes.

        Args:
            items: The table of the items.

        Returns:
            Rows of `table`.
        """
        tested = items.where(F.col("split") == "test")
        chosen = self._rank(tested, max(self.sizes.values()), {})
        sets = [
            (self._rank(tested, n, self.caps[name]) if name in self.caps else chosen)
            .where(F.col("turn") <= n)
            .select(F.lit(name).alias("item_set"), self.id)
            for name, n in self.sizes.items()
        ]
        return self.table.select(tested.join(F.broadcast(reduce(DataFrame.unionByName, sets)), on=self.id, how="inner"))

    def _rank(self, tested: DataFrame, most: int, caps: Mapping[str, int]) -> DataFrame:
        """Number the items in the order in which sets take them: the id and turn, from 1 to `most`."""
        strata = list(self.strata)
        rows = tested.select(self.id, *(F.expr(sql).cast("string").alias(name) for name, sql in self.strata.items()))
        paths = [", ".join(strata[:depth]) for depth in range(len(strata) + 1)]
        cells = [(paths[-1], self.id)]
        cells += [(above, f"turn, md5(concat_ws('/', {path}))") for above, path in reversed([*pairwise(paths)])]
        ranked = rank_in_turns(rows, cells[:-1], "turn", most)
        for value, cap in caps.items():
            ranked = ranked.where((F.col(strata[0]) != value) | (F.col("turn") <= cap))
        return rank_in_turns(ranked, cells[-1:], "turn", most).select(self.id, "turn")
