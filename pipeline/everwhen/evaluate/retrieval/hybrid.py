"""Reciprocal rank fusion: one ranking from several, by ranks alone (Cormack, Clarke and Büttcher 2009)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from everwhen.evaluate.retrieval.ranking import Ranked, Ranking, Run, rank
from everwhen.evaluate.retrieval.retriever import Retriever

K = 60
"""The paper's constant; a rank counts 1 / (K + rank)."""

DEPTH = 100
"""Documents of each ranking that are fused, or more where more are asked for."""


def fuse(rankings: Sequence[Ranking], k: int = K) -> Ranking:
    """Fuse rankings of one query: the score of a document is the sum of 1 / (k + rank) over the rankings that have it.

    Sums are rounded once, so that the order of the rankings does not matter.

    Args:
        rankings: The rankings, each best first.
        k: The constant, from 0: the smaller, the more the first ranks count.
    """
    parts: dict[str, list[float]] = {}
    for ranking in rankings:
        for place, one in enumerate(ranking, 1):
            parts.setdefault(one.doc_id, []).append(1 / (k + place))
    return rank(Ranked(doc_id, math.fsum(terms)) for doc_id, terms in parts.items())


def fuse_runs(runs: Sequence[Run], top: int, k: int = K) -> dict[str, Ranking]:
    """Fuse runs, query by query, and keep at most `top` documents; a run without a query adds nothing to it."""
    query_ids = dict.fromkeys(query_id for run in runs for query_id in run)
    return {query_id: fuse([run.get(query_id, ()) for run in runs], k)[:top] for query_id in query_ids}


class Hybrid:
    """Fuses what several retrievers find."""

    def __init__(self, retrievers: Sequence[Retriever], k: int = K) -> None:
        """Take the retrievers, and the constant of the fusion."""
        self._retrievers = retrievers
        self._k = k

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`."""
        parts = [dict(one.settings) for one in self._retrievers]
        return {"name": "hybrid", "fusion": "reciprocal rank", "k": self._k, "least_depth": DEPTH, "retrievers": parts}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`."""
        found = [one.retrieve(queries, max(top, DEPTH)) for one in self._retrievers]
        for rankings in zip(*found, strict=True):
            yield rankings[0][0], fuse([ranking for _, ranking in rankings], self._k)[:top]
