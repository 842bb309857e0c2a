"""Collections that a family publishes in a dataset: tables of documents, queries and qrels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import Collection, Document
from everwhen.evaluate.retrieval.declaration import CollectionDeclaration
from everwhen.evaluate.retrieval.ranking import order_id
from everwhen.validate.database import find_files, open_dataset

PARTS = ("documents", "queries", "qrels")


@dataclass(frozen=True)
class Published:
    """A published collection.

    Attributes:
        family: The family that publishes it.
        name: Its name.
        collection: Documents, queries and qrels.
        queries: The table of the queries, by ascending id; `query_id` is text.
        declaration: How rankings of it are measured.
    """

    family: str
    name: str
    collection: Collection
    queries: pa.Table
    declaration: CollectionDeclaration

    def tabulate_queries(self, query_ids: Iterable[str]) -> tuple[pa.Table, tuple[str, ...]]:
        """Return the rows of some queries with their id as item_id, and the columns to average by."""
        chosen = set(query_ids)
        mask = pa.array([query_id in chosen for query_id in self.queries["query_id"].to_pylist()])
        return self.queries.filter(mask).rename_columns({"query_id": "item_id"}), self.declaration.groups


def choose_collection(
    dataset: str | Path, manifest: Mapping[str, Any], family: str | None, name: str | None
) -> tuple[str, str]:
    """Choose a collection of a dataset: family and name.

    Raises:
        InputError: There is none, none of this name, or several and none is named.
    """
    published = [(of, each) for of, entry in manifest["families"].items() for each in entry.get("collections", ())]
    found = [(of, each) for of, each in published if family in (None, of) and name in (None, each)]
    if len(found) == 1:
        return found[0]
    there_are = ", ".join(map(" ".join, published))
    if not published:
        raise InputError(f"{dataset}: no family publishes a collection; everwhen retrieve --corpus searches others")
    wanted = " ".join(filter(None, (family, name)))
    if found:
        raise InputError(f"{dataset}: {len(found)} collections; name one with --family and --collection: {there_are}")
    raise InputError(f"{dataset}: no collection {wanted}; there are {there_are}")


def read_published(
    dataset: str | Path,
    manifest: Mapping[str, Any],
    chosen: tuple[str, str],
    declaration: CollectionDeclaration,
    variant: str | None = None,
) -> Published:
    """Read the collection of a family and a name; the queries in a variant, or as the column `text` has them.

    Raises:
        InputError: A table is missing or damaged, or there is no such variant.
    """
    family, name = chosen
    column = _choose_column(declaration, variant, f"{family} {name}")
    tables = manifest["families"][family]["collections"][name]
    files = {part: find_files(dataset, manifest, tables[part]) for part in PARTS}
    with open_dataset(dataset, files) as db:
        read = {part: db.table(part).to_arrow_table() for part in PARTS}
    qrels: dict[str, dict[str, int]] = {}
    for row in read["qrels"].to_pylist():
        qrels.setdefault(str(row["query_id"]), {})[str(row["doc_id"])] = row["grade"]
    queries = _sort_queries(read["queries"])
    pairs = zip(queries["query_id"].to_pylist(), queries[column].to_pylist(), strict=True)
    worded = {query_id: text for query_id, text in pairs if text is not None}
    collection = Collection(_read_documents(read["documents"]), worded, qrels, ())
    return Published(family, name, collection, queries, declaration)


def _choose_column(declaration: CollectionDeclaration, variant: str | None, named: str) -> str:
    """Choose the column with the wording of the queries."""
    if variant is None:
        return "text"
    if variant not in declaration.variants:
        known = ", ".join(declaration.variants) or "none"
        raise InputError(f"--variant {variant}: {named} has no such wording; there are {known}")
    return declaration.variants[variant]


def _read_documents(table: pa.Table) -> dict[str, Document]:
    """Read the documents, by ascending id."""
    rows = {str(row["doc_id"]): row for row in table.to_pylist()}
    ordered = sorted(rows, key=order_id)
    return {doc_id: Document(doc_id, rows[doc_id]["text"], rows[doc_id].get("title") or "") for doc_id in ordered}


def _sort_queries(table: pa.Table) -> pa.Table:
    """Sort queries by id, as text."""
    ids = [str(query_id) for query_id in table["query_id"].to_pylist()]
    place = table.schema.get_field_index("query_id")
    order = sorted(range(len(ids)), key=lambda row: order_id(ids[row]))
    return table.set_column(place, "query_id", pa.array(ids, pa.string())).take(pa.array(order, pa.int64()))
