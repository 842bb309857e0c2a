"""A retriever that reads facts by rules: documents that imply what a query asks by come first, then all by BM25."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cache
from typing import Any

import pyarrow as pa

from everwhen.evaluate.retrieval.bm25 import BM25, BM25Settings
from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranked, Ranking, rank
from everwhen.families.impliret.config import Category
from everwhen.families.impliret.evaluation.facts import fold_countries, read_facts
from everwhen.families.impliret.evaluation.questions import Key, read_question

FITS = 1000.0
"""What is added to the score of a document that fits: more than any score of BM25."""


class Symbolic:
    """Finds documents by the facts that they imply.

    The facts of a category are read when the first query asks for one. Of the table `tuples` it reads in which country
    a landmark is, which is knowledge of the world, and nothing else.
    """

    def __init__(self, documents: Documents, tables: Mapping[str, pa.Table]) -> None:
        """Index a corpus."""
        self._bm25 = BM25(documents, BM25Settings(stemmer="english"))
        self._documents = documents
        named = (table.select(["landmark_name", "country_name"]) for table in tables.values())
        self._countries = fold_countries(tuple(row.values()) for table in named for row in table.to_pylist())
        self._find = cache(self._index_facts)

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`."""
        return {"name": "symbolic", "ranked_by": dict(self._bm25.settings)}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`; BM25 reads topics and speakers alone."""
        asked = {query_id: read_question(text) for query_id, text in queries.items()}
        about = {query_id: each.about for query_id, each in asked.items()}
        for query_id, ranking in self._bm25.retrieve(about, len(self._documents)):
            fits = self._find(asked[query_id].category).get(asked[query_id].key, frozenset())
            scores = dict(ranking)
            first = rank(Ranked(doc_id, FITS + scores.get(doc_id, 0.0)) for doc_id in fits)
            yield query_id, (*first, *(one for one in ranking if one.doc_id not in fits))[:top]

    def _index_facts(self, category: Category) -> Mapping[Key, Set[str]]:
        """Read the facts of a category: the documents that imply each."""
        found: dict[Key, set[str]] = defaultdict(set)
        for doc_id, document in self._documents.items():
            for fact in read_facts(document.text, category, self._countries):
                found[fact.key].add(doc_id)
        return found
