"""Dense retrieval: the documents whose vectors are closest to the query's, by exhaustive search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranking, select_top
from everwhen.evaluate.retrieval.vectors import Matrix

SIMILARITIES = ("cosine", "dot")

QUERIES_AT_ONCE = 32
DOCUMENTS_AT_ONCE = 8192


@dataclass(frozen=True)
class DenseSettings:
    """What dense retrieval depends on.

    Attributes:
        model: The model that gives texts vectors.
        similarity: How vectors are compared, one of `SIMILARITIES`; models say which they are trained for.
        query_prefix: What is written before each query; some models expect "query: ".
        document_prefix: What is written before each document; some models expect "passage: ".
    """

    model: str
    similarity: str = "cosine"
    query_prefix: str = ""
    document_prefix: str = ""


class Dense:
    """Compares the vector of a query with those of all documents. Blank texts match nothing."""

    def __init__(self, documents: Documents, embed: Callable[[Sequence[str]], Matrix], settings: DenseSettings) -> None:
        """Embed a corpus by what returns the vectors of texts, a row each; a row of zeros for a text that has none."""
        self._doc_ids = tuple(documents)
        self._embed = embed
        self._chosen = settings
        self._vectors = self._prepare(settings.document_prefix, [one.content for one in documents.values()])
        self._filled = np.flatnonzero(self._vectors.any(axis=1))

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`."""
        return {"name": "dense", **asdict(self._chosen), "dimensions": self._vectors.shape[1]}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`."""
        vectors = self._prepare(self._chosen.query_prefix, list(queries.values()))
        if vectors.size and self._vectors.size and vectors.shape[1] != self._vectors.shape[1]:
            raise InputError(f"{self._chosen.model}: queries and documents have vectors of different lengths")
        query_ids = list(queries)
        for first in range(0, len(query_ids), QUERIES_AT_ONCE):
            some = vectors[first : first + QUERIES_AT_ONCE]
            for row, scores in enumerate(self._score(some)):
                ranking = select_top(self._doc_ids, scores, top, self._filled) if some[row].any() else ()
                yield query_ids[first + row], ranking

    def _prepare(self, prefix: str, texts: Sequence[str]) -> Matrix:
        vectors = self._embed([prefix + text if text.strip() else "" for text in texts])
        if self._chosen.similarity == "dot":
            return vectors
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)

    def _score(self, queries: Matrix) -> npt.NDArray[np.float32]:
        """Compare queries with all documents, in double precision.

        A sum's last bits depend on the block that a row is in; rounded to single precision, equal documents tie.
        """
        scores = np.zeros((len(queries), len(self._vectors)), dtype=np.float32)
        if not queries.size or not self._vectors.size:
            return scores
        wide = queries.astype(np.float64)
        for first in range(0, len(self._vectors), DOCUMENTS_AT_ONCE):
            some = self._vectors[first : first + DOCUMENTS_AT_ONCE]
            scores[:, first : first + len(some)] = wide @ some.astype(np.float64).T
        return scores
