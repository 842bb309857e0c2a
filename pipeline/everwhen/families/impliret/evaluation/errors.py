"""Why a wrong document is first, as Taghavi et al. 2025 count by hand (Table 4), here by rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from everwhen.evaluate.retrieval.declaration import OwnMeasure
from everwhen.evaluate.retrieval.ranking import Ranking
from everwhen.families.impliret.evaluation.questions import read_question

REASONS = LURE, WORDS, SHORTER, OTHER = ("lure", "more_words", "shorter", "other")
"""Why a wrong document is first; of several reasons the first here counts."""


@lru_cache(maxsize=2**17)
def explain_first(query: str, first: str, relevant: str) -> str:
    """Explain why the first document of a query is not the relevant one.

    It is a lure if its header bears the day that is asked for. Else it has more different words of the query than
    the relevant document, stop words left out; or it has fewer words than that.
    """
    if first[:10] == read_question(query).day:
        return LURE
    asked = _list_words(query)
    if len(asked & _list_words(first)) > len(asked & _list_words(relevant)):
        return WORDS
    return SHORTER if len(first.split()) < len(relevant.split()) else OTHER


def _list_words(text: str) -> set[str]:
    """List the words of a text as BM25 reads them by default."""
    from bm25s.stopwords import STOPWORDS_EN  # of the extra "retrieval"

    return set(re.findall(r"\w\w+", text.lower())).difference(STOPWORDS_EN)


def measure_reason(reason: str, ranking: Ranking, grades: Mapping[str, int], row: Mapping[str, Any]) -> float | None:
    """Measure whether a wrong document is first for a reason; None where the relevant one is first, or none is found.

    The row of the query has `documents`, among which it is searched.
    """
    relevant = next((doc_id for doc_id, grade in grades.items() if grade > 0), None)
    if not ranking or relevant is None or ranking[0].doc_id == relevant:
        return None
    first, right = (row["documents"][doc_id].text for doc_id in (ranking[0].doc_id, relevant))
    return float(explain_first(row["text"], first, right) == reason)


FIRST: Mapping[str, OwnMeasure] = {f"first_{reason}": partial(measure_reason, reason) for reason in REASONS}
"""Shares of the queries whose first document is wrong."""
