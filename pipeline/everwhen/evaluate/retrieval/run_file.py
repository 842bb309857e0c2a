"""TREC run files: `query Q0 document rank score tag`, a line for each document of a query."""

from __future__ import annotations

import math
from collections.abc import Collection
from pathlib import Path

from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.core.files import write_atomically
from everwhen.evaluate.retrieval.lines import read_lines
from everwhen.evaluate.retrieval.ranking import Ranked, Run, rank


def write_run(path: Path, run: Run, tag: str) -> None:
    """Write a run file, complete or not at all. A query without results has no line.

    Args:
        path: The file.
        run: The run; its ids are without white space.
        tag: Name of the system that made it, one word.
    """
    lines = [
        f"{query_id} Q0 {one.doc_id} {place} {one.score!r} {tag}\n"
        for query_id, ranking in run.items()
        for place, one in enumerate(ranking, 1)
    ]
    write_atomically(path, "".join(lines))


def read_run(path: Path) -> Run:
    """Read a run file. As trec_eval does, it reads scores and no ranks; equal scores are in ascending document id.

    Raises:
        InputError: There is no line, one has not six fields, its score is no finite number, or it repeats a document of
            a query.
    """
    found: dict[str, dict[str, float]] = {}
    for place, line in read_lines(path):
        fields = line.split()
        if len(fields) != 6:
            raise InputError(f"{place}: six fields are expected (query Q0 document rank score tag), not {len(fields)}")
        query_id, _, doc_id, _, text, _ = fields
        scores = found.setdefault(query_id, {})
        if doc_id in scores:
            raise InputError(
                f"{place}: query {to_one_line(query_id)}, document {to_one_line(doc_id)}: this pair occurs twice"
            )
        scores[doc_id] = _read_score(text, place)
    if not found:
        raise InputError(f"{path}: an empty run file; a line for each document of a query is expected")
    return {query_id: rank(Ranked(*pair) for pair in scores.items()) for query_id, scores in found.items()}


def require_known(run: Run, path: Path, queries: Collection[str], documents: Collection[str]) -> None:
    """Require a run of this collection.

    Raises:
        InputError: The run has a query or a document that the collection lacks.
    """
    for query_id, ranking in run.items():
        if query_id not in queries:
            raise InputError(f"{path}: query {to_one_line(query_id)}: the collection has no query of this id")
        for one in ranking:
            if one.doc_id not in documents:
                raise InputError(
                    f"{path}: query {query_id}, document {to_one_line(one.doc_id)}: the corpus has no such document"
                )


def _read_score(text: str, place: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{place}: score {to_one_line(text)}: a finite number is expected")
    return score
