"""How rankings of IMPLIRET's pools are measured, and by which retriever of the family they are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
from everwhen.families.impliret.evaluation.errors import FIRST
from everwhen.families.impliret.evaluation.layout import LAYOUT, read_collection

if TYPE_CHECKING:
    import pyarrow as pa

    from everwhen.evaluate.retrieval.collection import Documents
    from everwhen.evaluate.retrieval.retriever import Retriever

SYMBOLIC = "symbolic"


def _build_symbolic(documents: Documents, seed: int, tables: Mapping[str, pa.Table]) -> Retriever:
    from everwhen.families.impliret.evaluation.symbolic import Symbolic  # needs the extra "retrieval"

    return Symbolic(documents, tables)


COLLECTIONS = {
    "pools": CollectionDeclaration(
        groups=("pool", "category", "style", "has_lure"),
        measures=FIRST,
        retrievers={SYMBOLIC: _build_symbolic},
        defaults=("nDCG@10", "RR@10", "R@10", "Near@10", "nDCG_near@10"),
        pool="pool",
        near="set_id",
        split="split",
        averages=("category", "style"),
        reference=SYMBOLIC,
        tables=("tuples",),
        layouts={LAYOUT: read_collection},
    )
}
"""The one collection; a query is searched among the documents of its pool."""
