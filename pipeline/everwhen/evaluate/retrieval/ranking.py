"""Rankings: documents by falling score, equal scores by ascending document id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

Ties = Literal["id", "trec"]
"""How documents of equal scores are ordered."""

INTEGER = re.compile("0|[1-9][0-9]{0,17}")


class Ranked(NamedTuple):
    """A document in a ranking.

    Attributes:
        doc_id: The document.
        score: Its score; only the order within one ranking means something.
    """

    doc_id: str
    score: float


Ranking = tuple[Ranked, ...]
"""The documents found for one query, best first."""

Run = Mapping[str, Ranking]
"""The ranking of every query, by query id."""


def order_id(doc_id: str) -> tuple[int, int, str]:
    """Return the key by which ids ascend: integers by their value, before all other texts by their characters.

    >>> sorted(["b", "10", "9", "a", "09"], key=order_id)
    ['9', '10', '09', 'a', 'b']
    """
    return (0, int(doc_id), "") if INTEGER.fullmatch(doc_id) else (1, 0, doc_id)


def rank(scored: Iterable[Ranked], ties: Ties = "id") -> Ranking:
    """Rank documents by falling score, of equal ones by ascending id, or by falling id as trec_eval and pytrec_eval do.

    >>> [one.doc_id for one in rank([Ranked("9", 1.0), Ranked("10", 1.0)], "trec")]
    ['9', '10']
    """
    if ties == "trec":
        falling = sorted(scored, key=lambda one: one.doc_id, reverse=True)
        return tuple(sorted(falling, key=lambda one: -one.score))
    return tuple(sorted(scored, key=lambda one: (-one.score, order_id(one.doc_id))))


def reorder_ties(run: Run, ties: Ties) -> Run:
    """Order the documents of equal scores of each ranking in one way."""
    return {query_id: rank(ranking, ties) for query_id, ranking in run.items()}


def reorder_relevant(run: Run, qrels: Mapping[str, Mapping[str, int]], *, is_first: bool) -> Run:
    """Order the documents of equal scores of each ranking by grade: the best first, or last."""
    sign = -1 if is_first else 1
    found = {}
    for query_id, ranking in run.items():
        grades = qrels.get(query_id, {})
        found[query_id] = tuple(sorted(ranking, key=lambda one: (-one.score, sign * grades.get(one.doc_id, 0))))
    return found


def select_top(
    doc_ids: Sequence[str],
    scores: npt.NDArray[np.floating],
    top: int,
    among: npt.NDArray[np.intp] | None = None,
) -> Ranking:
    """Select the best documents; as `rank` orders them, and faster.

    All documents that tie at the cut are compared by id, so that the selection does not depend on a partition's order.

    Args:
        doc_ids: Ids in ascending order (`order_id`).
        scores: A score for each.
        top: How many to select at most.
        among: Ascending positions of the documents to select from; all by default.
    """
    positions = np.arange(len(scores)) if among is None else among
    values = scores[positions]
    if top < len(values):
        cut = np.partition(values, len(values) - top)[len(values) - top]
        is_kept = values >= cut
        positions, values = positions[is_kept], values[is_kept]
    best = np.argsort(-values, kind="stable")[:top]
    return tuple(Ranked(doc_ids[positions[i]], float(values[i])) for i in best)
