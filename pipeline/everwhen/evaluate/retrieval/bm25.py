"""BM25 by bm25s (Lù 2024, https://arxiv.org/abs/2407.03618), with exact ties."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranking, select_top

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets DEBUG itself, and prints a line for each index

METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")
"""Variants of the formula (Kamphuis et al. 2020), as bm25s calls them."""

STOP_WORDS = ("en", "en_plus", "da", "de", "es", "fr", "it", "ko", "nl", "no", "pt", "ru", "sv", "tr", "zh", "none")
"""Lists of stop words that bm25s has; `en` are Lucene's 33 words."""

TOKEN = r"(?u)\b\w\w+\b"
"""Tokens of texts in lower case: two or more letters, digits or underscores; scikit-learn's pattern."""

LARGEST_K1 = 1000
"""Far above any value in use; from 1e35 on scores overflow."""

DELTA = 0.5
"""The lower bound that bm25l and bm25+ add to the frequency of a term; the others have none."""


@dataclass(frozen=True)
class BM25Settings:
    """What BM25 depends on.

    Attributes:
        method: One of `METHODS`.
        k1: How slowly a term's frequency saturates, from 0 to `LARGEST_K1`.
        b: How much the length of a document counts, 0 to 1.
        stop_words: One of `STOP_WORDS`.
        stemmer: A Snowball stemmer of PyStemmer, such as `english`, or `none`.
    """

    method: str = "lucene"
    k1: float = 1.5
    b: float = 0.75
    stop_words: str = "en"
    stemmer: str = "none"

    def require_valid(self) -> None:
        """Require settings that BM25 is defined for.

        Raises:
            InputError: One is out of its range.
        """
        if not 0 <= self.k1 <= LARGEST_K1:
            raise InputError(f"k1: a number from 0 to {LARGEST_K1} is expected, not {self.k1}")
        if not 0 <= self.b <= 1:
            raise InputError(f"b: a number from 0 to 1 is expected, not {self.b}")
        for name, value, allowed in (("method", self.method, METHODS), ("stop words", self.stop_words, STOP_WORDS)):
            if value not in allowed:
                raise InputError(f"{name}: {value}: one of {', '.join(allowed)} is expected")


class BM25:
    """BM25 over title and text. Documents that share no token with a query are not results of it."""

    def __init__(self, documents: Documents, settings: BM25Settings | None = None) -> None:
        """Index a corpus.

        Raises:
            InputError: A setting is out of its range.
        """
        self._chosen = settings or BM25Settings()
        self._chosen.require_valid()
        self._doc_ids = tuple(documents)
        self._stemmer = _load_stemmer(self._chosen.stemmer)
        self._index: Any = bm25s.BM25(
            k1=self._chosen.k1, b=self._chosen.b, delta=DELTA, method=self._chosen.method, backend="numpy"
        )
        tokens = self._tokenize([document.content for document in documents.values()], return_ids=True)
        self._has_tokens = any(tokens.ids)
        if self._has_tokens:
            self._index.index(tokens, show_progress=False)

    @property
    def settings(self) -> Mapping[str, Any]:
        """See `Retriever`."""
        chosen = asdict(self._chosen)
        stop_words, stemmer = chosen.pop("stop_words"), chosen.pop("stemmer")
        delta = DELTA if self._chosen.method in ("bm25l", "bm25+") else None
        read = {"tokenizer": f"lower case, {TOKEN}", "stop_words": stop_words, "stemmer": stemmer}
        return {"name": "bm25", **chosen, "delta": delta, **read, "implementation": f"bm25s {version('bm25s')}"}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        """See `Retriever`."""
        for query_id, text in queries.items():
            yield query_id, self._rank(text, top)

    def _rank(self, text: str, top: int) -> Ranking:
        tokens = self._index.get_tokens_ids(self._tokenize([text], return_ids=False)[0]) if self._has_tokens else []
        if not tokens:
            return ()
        scores: npt.NDArray[np.float32] = self._index.get_scores_from_ids(tokens)
        return select_top(self._doc_ids, scores, top, among=self._match(tokens))

    def _match(self, tokens: list[int]) -> npt.NDArray[np.intp]:
        """The positions of the documents that have one of the tokens; a score of 0 does not say that one has none."""
        starts, positions = self._index.scores["indptr"], self._index.scores["indices"]
        has_token = np.zeros(len(self._doc_ids), dtype=bool)  # np.unique takes ten times as long
        for token in tokens:
            has_token[positions[starts[token] : starts[token + 1]]] = True
        return np.flatnonzero(has_token)

    def _tokenize(self, texts: list[str], *, return_ids: bool) -> Any:
        stop_words = None if self._chosen.stop_words == "none" else self._chosen.stop_words
        read = {"token_pattern": TOKEN, "stopwords": stop_words, "stemmer": self._stemmer}
        return bm25s.tokenize(texts, **read, return_ids=return_ids, show_progress=False)


def _load_stemmer(name: str) -> Any:
    if name == "none":
        return None
    import Stemmer

    if name not in Stemmer.algorithms():
        raise InputError(f"stemmer: {name}: one of none, {', '.join(Stemmer.algorithms())} is expected")
    return Stemmer.Stemmer(name)
