"""The classes below the class roots that entity lists name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.tables.facts import SUBCLASSES, select_best_rank
from everwhen.wikidata.properties import Property


def derive_subclasses(statements: DataFrame, roots: Iterable[int]) -> DataFrame:
    """Follow subclass-of statements of the best rank from the roots downwards.

    All edges go through one task: Wikidata's few million fit into a hundred megabytes of arrays and are followed there
    in seconds, where in Spark each level would be a job, with a join and a checkpoint.

    Args:
        statements: The columns of `STATEMENTS`.
        roots: Item ids without Q.

    Returns:
        The columns of `SUBCLASSES`; each root is below itself, and a class is below a root once.
    """
    starts = sorted(set(roots))
    edges = (
        select_best_rank(statements.where(F.col("property") == Property.SUBCLASS_OF))
        .where(F.col("snak").isin("value", "hedged") & F.col("value_item").isNotNull())
        .select(F.col("subject").alias("class"), F.col("value_item").alias("parent"))
    )

    def follow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        table = pa.Table.from_batches(batches, schema=EDGES)
        below = SubclassGraph(table["class"].to_numpy(), table["parent"].to_numpy())
        for root in starts:
            classes = below.list_descendants(root)
            yield pa.record_batch({"class": classes, "root": np.full(len(classes), root, dtype=np.int64)})

    own = statements.sparkSession.createDataFrame([(root, root) for root in starts], SUBCLASSES.ddl)
    # No edge, no task: the roots themselves do not depend on one.
    return SUBCLASSES.select(own.unionByName(edges.coalesce(1).mapInArrow(follow, SUBCLASSES.ddl)))


EDGES = pa.schema([("class", pa.int64()), ("parent", pa.int64())])


class SubclassGraph:
    """The classes below a class, from edges that are kept sorted by parent."""

    def __init__(self, child: np.ndarray, parent: np.ndarray) -> None:
        """Take edges: the class `child[i]` is a subclass of `parent[i]`; an edge may come twice."""
        order = np.argsort(parent, kind="stable")
        self._parent, self._child = parent[order], child[order]

    def list_descendants(self, root: int) -> np.ndarray:
        """List all classes below `root`, sorted, without itself; circles end, since each is taken once."""
        found = np.empty(0, dtype=np.int64)
        level = np.array([root], dtype=np.int64)
        while len(level):
            first = np.searchsorted(self._parent, level, side="left")
            many = np.searchsorted(self._parent, level, side="right") - first
            # The edges of all classes of this level: from `first`, `many` of each.
            edges = np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())
            level = np.setdiff1d(self._child[edges], np.append(found, root))
            found = np.union1d(found, level)
        return found
