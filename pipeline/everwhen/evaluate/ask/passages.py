"""Passages that were retrieved for the questions: a TREC run file and the corpus that it was retrieved from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import (
    BEIR_FIELDS,
    Document,
    Documents,
    Fields,
    read_collection,
    select_passages,
)
from everwhen.evaluate.retrieval.run_file import read_run


@dataclass(frozen=True)
class Passages:
    """Where passages are from; a query of the run is an item's id.

    Attributes:
        run: A TREC run file.
        corpus: Its corpus: a JSONL file, or a folder in BEIR's layout.
        count: The first so many passages of a question are used.
        fields: The names of fields in a JSONL file.
    """

    run: Path
    corpus: Path
    count: int
    fields: Fields = field(default_factory=Fields)


def read_passages(passages: Passages, ids: Collection[int]) -> Mapping[int, list[str]]:
    """Read the passages of items; an item that the run has no documents for has none.

    Raises:
        InputError: A file cannot be used, the run has a document that the corpus lacks, or no query is an item.
    """
    run, _ = read_run(passages.run)
    if not any(run.get(str(item)) for item in ids):
        raise InputError(
            f"{passages.run}: no query is an item that is asked; the id of a query must be that of an item"
        )
    documents = _read_documents(passages)
    return {
        item: [
            render_passage(number, document)
            for number, document in enumerate(select_passages(documents, run, str(item), passages.count), start=1)
        ]
        for item in ids
    }


def render_passage(number: int, document: Document) -> str:
    """Render a passage as prompts have it: numbered, its title first.

    >>> render_passage(2, Document("d7", "It opened in 1891.", "Museum"))
    '[2] Museum: It opened in 1891.'
    """
    title = f"{document.title.strip()}: " if document.title.strip() else ""
    return f"[{number}] {title}{document.text.strip()}"


def _read_documents(passages: Passages) -> Documents:
    if passages.corpus.is_dir():
        return read_collection(passages.corpus / "corpus.jsonl", replace(BEIR_FIELDS, query=None)).documents
    return read_collection(passages.corpus, passages.fields).documents
