"""Test collections: documents, queries, and which documents are relevant to which query.

A family publishes one as three tables (`everwhen.families.family_build.CollectionTables`); `read_published` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Collection as Ids
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.lines import read_lines, read_objects, require_new_id, require_text
from everwhen.evaluate.retrieval.ranking import Run, order_id


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a corpus.

    Attributes:
        doc_id: Its id.
        text: What it says.
        title: Its title, "" where it has none.
    """

    doc_id: str
    text: str
    title: str = ""

    @property
    def content(self) -> str:
        """What retrievers read: title and text, joined as BEIR joins them."""
        return f"{self.title} {self.text}" if self.title else self.text


Documents = Mapping[str, Document]
"""A corpus by document id, in ascending order (`order_id`)."""


Qrels = Mapping[str, Mapping[str, int]]
"""The grade of each judged document, by query id and document id; a document is relevant from grade 1."""

HEADER = ["query-id", "corpus-id", "score"]
"""The first line in BEIR's format."""

GRADE = re.compile("-?[0-9]{1,4}")
"""trec_eval reserves memory for every grade up to the greatest."""


@dataclass(frozen=True)
class Collection:
    """A test collection.

    Attributes:
        documents: The corpus.
        queries: The text of each query, by query id.
        qrels: The grades of documents, by query id; None where nothing is judged.
        files: The files that it was read from.
        parts: By name, its pools: a query is searched only among the documents of its own. Empty where there are none.
        near: By query, the ids of its near documents (`CollectionDeclaration.near`).
        others: Of a part, the queries of all pools and splits, which run files may name.
    """

    documents: Documents
    queries: Mapping[str, str]
    qrels: Qrels | None
    files: tuple[Path, ...]
    parts: Mapping[str, Collection] = field(default_factory=dict)
    near: Mapping[str, Ids[str]] = field(default_factory=dict)
    others: Ids[str] = ()

    def select_queries(self) -> Mapping[str, str]:
        """Select the queries to retrieve for: those with qrels, or all where nothing is judged."""
        if self.qrels is None:
            return self.queries
        return {query_id: text for query_id, text in self.queries.items() if query_id in self.qrels}

    def keep_queries(self, kept: Ids[str]) -> Collection:
        """Keep some queries; they are searched among the same documents."""
        qrels = None if self.qrels is None else {key: docs for key, docs in self.qrels.items() if key in kept}
        return replace(
            self,
            queries={key: text for key, text in self.queries.items() if key in kept},
            qrels=qrels,
            parts={name: part.keep_queries(kept) for name, part in self.parts.items()},
            others=self.others or self.queries,
        )

    def find_documents(self, query_id: str) -> Documents:
        """Find the documents that a query is searched among."""
        return self.documents_by_query.get(query_id, {}) if self.parts else self.documents

    @cached_property
    def documents_by_query(self) -> Mapping[str, Documents]:
        """The documents of its pool, by query."""
        return {query_id: part.documents for part in self.parts.values() for query_id in part.queries}


@dataclass(frozen=True)
class Fields:
    """The names of fields in JSONL files.

    Attributes:
        doc_id: Id of a document.
        text: Text of a document.
        title: Title of a document; documents may lack it.
        query_id: Id of a query; None: `query_id` in a file of queries, in a corpus that has queries as `doc_id`.
        query: Text of a query; None: `text` in a file of queries, and a corpus has no queries.
    """

    doc_id: str = "doc_id"
    text: str = "text"
    title: str = "title"
    query_id: str | None = None
    query: str | None = None


BEIR_FIELDS = Fields(doc_id="_id", query_id="_id", query="text")


def read_collection(
    corpus: Path, fields: Fields, queries: Path | Mapping[str, str] | None = None, qrels: Path | None = None
) -> Collection:
    """Read a collection from JSONL files.

    Without `queries` each document may have a query of its own, in the field `fields.query`. The document is
    relevant to that query, unless qrels say otherwise.

    Args:
        corpus: One document a line.
        fields: How the fields are called.
        queries: A file with one query a line, or the text of each query by its id.
        qrels: As `read_qrels` reads it.

    Raises:
        InputError: A line cannot be used, an id occurs twice, qrels name what does not exist, there is no document, or
            there are qrels without queries.
    """
    documents, texts, own = _read_corpus(corpus, fields, fields.query if queries is None else None)
    if queries is not None:
        texts = _read_queries(queries, fields) if isinstance(queries, Path) else dict(queries)
    if qrels is not None and not texts:
        raise InputError(f"{qrels}: qrels without queries; name a file of queries or their field in the corpus")
    grades = read_qrels(qrels, texts, documents) if qrels is not None else own or None
    files = tuple(path for path in (corpus, queries, qrels) if isinstance(path, Path))
    return Collection(documents, texts, grades, files)


def read_beir(folder: Path, queries: Path | Mapping[str, str] | None = None, qrels: Path | None = None) -> Collection:
    """Read a folder in BEIR's layout: corpus.jsonl, queries.jsonl and qrels/test.tsv.

    Args:
        folder: The folder.
        queries: A file, or texts by id, in place of queries.jsonl; then qrels/test.tsv is not read.
        qrels: A file in place of qrels/test.tsv, such as that of another split.

    Raises:
        InputError: As `read_collection`.
        FileNotFoundError: A file is missing; a folder without qrels/test.tsv has no qrels.
    """
    judged = folder / "qrels" / "test.tsv"
    if qrels is None and queries is None and judged.exists():
        qrels = judged
    return read_collection(
        folder / "corpus.jsonl", BEIR_FIELDS, folder / "queries.jsonl" if queries is None else queries, qrels
    )


def select_passages(documents: Documents, run: Run, query_id: str, k: int) -> list[Document]:
    """Select the first k documents of a query: fewer, or none, where the run has no more.

    Args:
        documents: The corpus that the run was retrieved from.
        run: A run, such as `read_run` reads it.
        query_id: The query; for an item of a dataset its id as text.
        k: How many.

    Raises:
        InputError: k is below 1, or the run has a document that is not in the corpus.
    """
    if k < 1:
        raise InputError(f"a number of passages from 1 is expected, not {k}")
    found = [one.doc_id for one in run.get(query_id, ())[:k]]
    for doc_id in found:
        if doc_id not in documents:
            raise InputError(f"the run has document {doc_id} for query {query_id}: it is not in the corpus")
    return [documents[doc_id] for doc_id in found]


def read_qrels(path: Path, queries: Ids[str], documents: Ids[str]) -> Qrels:
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


def _read_corpus(path: Path, fields: Fields, query_field: str | None) -> tuple[Documents, dict[str, str], Qrels]:
    """Read documents, and of each its own query if there is a field with one: documents, texts of queries, qrels."""
    documents: dict[str, Document] = {}
    texts: dict[str, str] = {}
    qrels: dict[str, dict[str, int]] = {}
    for place, row in read_objects(path):
        title = require_text(row, fields.title, place) if row.get(fields.title) is not None else ""
        doc_id = require_new_id(row, fields.doc_id, place, documents)
        documents[doc_id] = Document(doc_id, require_text(row, fields.text, place), title)
        if query_field is not None:
            query_id = require_new_id(row, fields.query_id or fields.doc_id, place, texts)
            texts[query_id] = require_text(row, query_field, place)
            qrels[query_id] = {doc_id: 1}
    if not documents:
        raise InputError(f"{path}: an empty corpus; one JSON object a line is expected")
    return {doc_id: documents[doc_id] for doc_id in sorted(documents, key=order_id)}, texts, qrels


def _read_queries(path: Path, fields: Fields) -> dict[str, str]:
    texts: dict[str, str] = {}
    for place, row in read_objects(path):
        query_id = require_new_id(row, fields.query_id or "query_id", place, texts)
        texts[query_id] = require_text(row, fields.query or "text", place)
    return texts
