"""Write a published collection in BEIR's layout, with its qrels in TREC's format, too."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from everwhen.core.answers import to_one_line
from everwhen.core.errors import InputError
from everwhen.core.files import write_atomically
from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.export.folder import create_folder
from everwhen.evaluate.export.origin import Origin, describe_origin
from everwhen.evaluate.export.text_files import write_json_lines
from everwhen.evaluate.retrieval.collection import HEADER
from everwhen.evaluate.retrieval.published import Published

BEIR = "beir"
"""The name of the format."""

DEFAULT_SPLIT = "test"
"""After which readers of BEIR call qrels, where nothing says which split they are of."""

NAME = re.compile(r"\w[\w.-]*")
"""Names of pools that are names of folders, too."""


def export_collection(
    manifest: Mapping[str, Any],
    published: Published,
    private: Collection[str],
    out: str | Path,
    split: str | None = None,
) -> Origin:
    """Export a collection: corpus.jsonl, queries.jsonl, qrels/test.tsv and qrels.trec, and beside them export.json.

    Each pool of a collection that has some is in a folder of its name. The private tables that are named may be in it.
    The folder may be there if it is empty. Where the queries are those of a split, the qrels are called as it is.

    Returns:
        What was exported; its items are the documents.

    Raises:
        InputError: The family has a private table that is not named, a pool's name is no folder's, or the folder cannot
            be used; nothing was written.
    """
    licences = manifest["families"][published.family].get("licences", {})
    _require_public(published.family, licences, private)
    counted = {"items": len(published.collection.documents), "licences": licences, "left_out": {}}
    origin = describe_origin(manifest, published.family, Selection(split=split), **counted)
    pools = {name: published.select_pool(name) for name in published.collection.parts}
    for name in pools:
        if not NAME.fullmatch(name):
            raise InputError(f"{published.family} {published.name}: pool {to_one_line(name)}: no name of a folder")
    with create_folder(Path(out)) as folder:
        for name, each in (pools or {"": published}).items():
            _write_files(folder / name, each, split or DEFAULT_SPLIT)
        origin.write(folder)
    return origin


def _write_files(folder: Path, published: Published, split: str) -> None:
    """Write the files of a collection without pools."""
    collection = published.collection
    qrels = collection.qrels or {}
    judged = [(query_id, doc_id, grade) for query_id, docs in qrels.items() for doc_id, grade in sorted(docs.items())]
    (folder / "qrels").mkdir(parents=True)
    documents = ({"_id": one.doc_id, "title": one.title, "text": one.text} for one in collection.documents.values())
    write_json_lines(documents, folder / "corpus.jsonl")
    rows = ({"_id": row.pop("query_id"), **row} for row in published.queries.to_pylist())
    write_json_lines(rows, folder / "queries.jsonl")
    lines = ("\t".join(map(str, each)) for each in (HEADER, *judged))
    write_atomically(folder / "qrels" / f"{split}.tsv", "\n".join(lines) + "\n")
    trec = "".join(f"{query_id} 0 {doc_id} {grade}\n" for query_id, doc_id, grade in judged)
    write_atomically(folder / "qrels.trec", trec)


def _require_public(family: str, licences: Mapping[str, Any], private: Collection[str]) -> None:
    """Refuse a private table that is not named."""
    refused = sorted(table for table, licence in licences.items() if licence is None and table not in private)
    for table in refused:
        raise InputError(
            f"{family}: the table {table} is private, so the collection is not exported; --private {table} exports it"
        )
