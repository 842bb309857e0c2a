"""The interface of retrievers, two that bound all others, the oracle and chance, and one for collections with pools."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from everwhen.core.hash_chains import extend_hashes
from everwhen.evaluate.retrieval.collection import Collection, Documents, Qrels
from everwhen.evaluate.retrieval.ranking import Ranked, Ranking, rank, select_top


class Retriever(Protocol):
    """Finds documents of the corpus that it was made with."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that its results depend on beside corpus and queries, as JSON; `name` is the retriever's name."""

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """Rank at most `top` documents for each query, in the order of the queries, as `rank` orders them."""


class Oracle:
    """Returns the relevant documents, best grade first, and no others: its scores are the most that can be reached."""

    settings: Mapping[str, Any] = {"name": "oracle"}

    def __init__(self, qrels: Qrels) -> None:
        """Take the qrels."""
        self._qrels = qrels

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`; the score of a document is its grade."""
        for query_id in queries:
            grades = self._qrels.get(query_id, {})
            yield query_id, rank(Ranked(doc_id, grade) for doc_id, grade in grades.items() if grade > 0)[:top]


class Random:
    """Ranks by a hash of seed, query id and document id; neither other queries nor other documents matter."""

    def __init__(self, documents: Documents, seed: int = 0) -> None:
        """Hash the ids of a corpus."""
        self.settings: Mapping[str, Any] = {"name": "random", "seed": seed}
        self._doc_ids = tuple(documents)
        self._hashes = np.array([_hash_text(doc_id) for doc_id in documents], dtype=np.uint64).view(np.int64)

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`; scores are from 0 to 1."""
        for query_id in queries:
            query = np.uint64(_hash_text(f"{self.settings['seed']}\x1f{query_id}"))
            yield query_id, select_top(self._doc_ids, extend_hashes(query, self._hashes) / 2.0**64, top)


class ByPart:
    """Searches each pool of a collection with a retriever of its own."""

    def __init__(self, collection: Collection, build: Callable[[Collection], Retriever]) -> None:
        """Build the retriever of each pool."""
        self._parts = {name: (part, build(part)) for name, part in collection.parts.items()}

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`; they are those of the first pool, as the same settings are of all."""
        return next(retriever.settings for _, retriever in self._parts.values())

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`; a query of no pool has no results."""
        found: dict[str, Iterator[tuple[str, Ranking]]] = {}
        for part, retriever in self._parts.values():
            own = {query_id: text for query_id, text in queries.items() if query_id in part.queries}
            found |= dict.fromkeys(own, retriever.retrieve(own, top))
        for query_id in queries:
            yield next(found[query_id]) if query_id in found else (query_id, ())


def build_by_part(collection: Collection, build: Callable[[Collection], Retriever]) -> Retriever:
    """Build a retriever of a collection: of each of its pools, where there are some."""
    return ByPart(collection, build) if collection.parts else build(collection)


def _hash_text(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")
