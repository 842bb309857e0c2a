"""The interface of retrievers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from everwhen.evaluate.retrieval.ranking import Ranking


class Retriever(Protocol):
    """Finds documents of the corpus that it was made with."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that its results depend on beside corpus and queries, as JSON; `name` is the retriever's name."""

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """Rank at most `top` documents for each query, in the order of the queries, as `rank` orders them."""
