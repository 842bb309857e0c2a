"""The oracle: the relevant documents, best grade first. Its scores are the most that a retriever can reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from everwhen.evaluate.retrieval.qrels import Qrels
from everwhen.evaluate.retrieval.ranking import Ranked, Ranking, rank


class Oracle:
    """Reads qrels; returns relevant documents and no others."""

    def __init__(self, qrels: Qrels) -> None:
        """Take the qrels."""
        self._qrels = qrels

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`."""
        return {"name": "oracle"}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`; the score of a document is its grade."""
        for query_id in queries:
            grades = self._qrels.get(query_id, {})
            yield query_id, rank(Ranked(doc_id, grade) for doc_id, grade in grades.items() if grade > 0)[:top]
