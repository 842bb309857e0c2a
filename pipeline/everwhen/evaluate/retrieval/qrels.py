"""Qrels: which documents are relevant to which query, and how much."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.lines import read_lines

Qrels = Mapping[str, Mapping[str, int]]
"""The grade of each judged document, by query id and document id; a document is relevant from grade 1."""

HEADER = ["query-id", "corpus-id", "score"]
"""The first line in BEIR's format."""

GRADE = re.compile("-?[0-9]{1,4}")
"""trec_eval reserves memory for every grade up to the greatest."""


def read_qrels(path: Path, queries: Collection[str], documents: Collection[str]) -> Qrels:
    """Read qrels: of BEIR (query, document, grade, below a header) or of TREC (query, iteration, document, grade).

    Raises:
        InputError: A line is neither, names an unknown query or document, or repeats a pair; or there is no line.
    """
    qrels: dict[str, dict[str, int]] = {}
    for place, line in read_lines(path):
        fields = line.split()
        if len(fields) not in (3, 4):
            raise InputError(f"{place}: query, document and grade are expected, not {len(fields)} fields")
        query_id, doc_id, grade = fields[0], *fields[-2:]
        if fields == HEADER and not qrels:
            continue
        if not GRADE.fullmatch(grade):
            raise InputError(f"{place}: grade {to_one_line(grade)}: an integer of at most four digits is expected")
        for record, identifier, known in (("query", query_id, queries), ("document", doc_id, documents)):
            if identifier not in known:
                raise InputError(f"{place}: {record} {to_one_line(identifier)}: no {record} has this id")
        grades = qrels.setdefault(query_id, {})
        if doc_id in grades:
            raise InputError(f"{place}: query {query_id}, document {doc_id}: this pair is judged twice")
        grades[doc_id] = int(grade)
    if not qrels:
        raise InputError(f"{path}: no qrels")
    return qrels
