"""The random retriever: an order of the documents by hash, another for each query. Its scores are those of chance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from everwhen.core.hash_chains import extend_hashes
from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranking, select_top


class Random:
    """Ranks by a hash of seed, query id and document id; neither other queries nor other documents matter."""

    def __init__(self, documents: Documents, seed: int = 0) -> None:
        """Hash the ids of a corpus."""
        self._seed = seed
        self._doc_ids = tuple(documents)
        self._hashes = np.array([_hash_text(doc_id) for doc_id in documents], dtype=np.uint64).view(np.int64)

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`."""
        return {"name": "random", "seed": self._seed}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`; scores are from 0 to 1."""
        for query_id in queries:
            hashes = extend_hashes(np.uint64(_hash_text(f"{self._seed}\x1f{query_id}")), self._hashes)
            yield query_id, select_top(self._doc_ids, hashes / 2.0**64, top)


def _hash_text(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")
