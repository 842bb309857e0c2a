"""TREC run files: `query Q0 document rank score tag`, a line for each document of a query."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path

from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.core.files import write_atomically
from everwhen.evaluate.retrieval.collection import Collection
from everwhen.evaluate.retrieval.lines import read_lines
from everwhen.evaluate.retrieval.ranking import Ranked, Run, rank


def write_run(path: Path, run: Run, tag: str) -> None:
    """Write a run file with the tag of its system, complete or not at all. A query without results has no line."""
    lines = [
        f"{query_id} Q0 {one.doc_id} {place} {one.score!r} {tag}\n"
        for query_id, ranking in run.items()
        for place, one in enumerate(ranking, 1)
    ]
    write_atomically(path, "".join(lines))


@dataclass(frozen=True)
class Dropped:
    """Lines of run files that say nothing: counted, and not read.

    Attributes:
        repeated: Lines that repeat a document of a query; the first of them counts.
        unknown: Lines with documents that the corpus, or the pool of the query, lacks.
    """

    repeated: int = 0
    unknown: int = 0

    def __add__(self, other: Dropped) -> Dropped:
        """Add the lines of another file."""
        return Dropped(self.repeated + other.repeated, self.unknown + other.unknown)


def read_run(path: Path, collection: Collection | None = None) -> tuple[Run, Dropped]:
    """Read a run file. As trec_eval does, it reads scores and no ranks; equal scores are in ascending document id.

    Lines with queries of other pools are passed over where the collection is one of several.

    Args:
        path: The file.
        collection: What the queries and documents are of; None: any.

    Returns:
        The run, and the lines that were dropped.

    Raises:
        InputError: There is no line, one has not six fields, its score is no finite number, or its query is unknown.
    """
    found: dict[str, dict[str, float]] = {}
    dropped = Dropped()
    for place, line in read_lines(path):
        fields = line.split()
        if len(fields) != 6:
            raise InputError(f"{place}: six fields are expected (query Q0 document rank score tag), not {len(fields)}")
        query_id, _, doc_id, _, text, _ = fields
        score = _read_score(text, place)
        if collection is not None and _is_of_another_pool(query_id, collection, place):
            continue
        scores = found.setdefault(query_id, {})
        if collection is not None and doc_id not in collection.find_documents(query_id):
            dropped += Dropped(unknown=1)
        elif doc_id in scores:
            dropped += Dropped(repeated=1)
        else:
            scores[doc_id] = score
    if not found:
        raise InputError(f"{path}: an empty run file, or of another pool; a line for each document is expected")
    return {query_id: rank(starmap(Ranked, scores.items())) for query_id, scores in found.items()}, dropped


def _is_of_another_pool(query_id: str, collection: Collection, place: str) -> bool:
    """Tell whether a query is of another pool than the one that is read for; refuse unknown ones."""
    if query_id in collection.queries:
        return False
    if query_id in collection.others:
        return True
    raise InputError(f"{place}: query {to_one_line(query_id)}: the collection has no query of this id")


def _read_score(text: str, place: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{place}: score {to_one_line(text)}: a finite number is expected")
    return score
