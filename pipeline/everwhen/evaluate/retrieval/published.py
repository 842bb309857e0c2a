"""Collections that a family publishes in a dataset, as tables of documents, queries and qrels, or reads from a file."""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval.collection import Collection, Document
from everwhen.evaluate.retrieval.declaration import CollectionDeclaration, CollectionRows
from everwhen.evaluate.retrieval.ranking import order_id
from everwhen.validate.database import find_files, open_dataset

PARTS = ("documents", "queries", "qrels")


@dataclass(frozen=True)
class Published:
    """A collection of a family.

    Attributes:
        family: The family that publishes it.
        name: Its name.
        collection: Documents, queries and qrels.
        queries: The table of the queries, by ascending id; `query_id` is text.
        declaration: How rankings of it are measured.
        tables: The tables that its own retrievers read, by name; empty of a file of another release.
    """

    family: str
    name: str
    collection: Collection
    queries: pa.Table
    declaration: CollectionDeclaration
    tables: Mapping[str, pa.Table] = field(default_factory=dict)

    def select_pool(self, name: str) -> Published:
        """Select a pool, as a collection of its own.

        Raises:
            InputError: There is no such pool.
        """
        parts = self.collection.parts
        self._require_known("pool", name, parts)
        return replace(self, collection=parts[name], queries=self._filter_queries(self.declaration.pool, name))

    def select_split(self, name: str) -> Published:
        """Select the queries of a split; they are searched among the same documents.

        Raises:
            InputError: There is no such split.
        """
        column = self.declaration.split
        self._require_known("split", name, sorted({*self.queries[column].drop_null().to_pylist()}) if column else ())
        queries = self._filter_queries(column, name)
        return replace(
            self, collection=self.collection.keep_queries({*queries["query_id"].to_pylist()}), queries=queries
        )

    def _require_known(self, what: str, name: str, known: Ids[str]) -> None:
        """Require a pool or split that there is."""
        if name not in known:
            there_are = ", ".join(known) or "none"
            raise InputError(f"--{what} {name}: {self.family} {self.name} has no such {what}; there are {there_are}")

    def _filter_queries(self, column: str | None, value: str) -> pa.Table:
        """Filter the rows of queries by the value of a column."""
        return self.queries.filter(pa.array([str(found) == value for found in self.queries[column].to_pylist()]))

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
    files |= {table: find_files(dataset, manifest, f"{family}/{table}") for table in declaration.tables}
    with open_dataset(dataset, files) as db:
        read = {part: db.table(part).to_arrow_table() for part in files}
    rows = CollectionRows(*(read[part] for part in PARTS))
    published = _build(chosen, declaration, rows, column)
    return replace(published, tables={table: read[table] for table in declaration.tables})


def read_layout(
    path: Path, chosen: tuple[str, str], declaration: CollectionDeclaration, layout: str, variant: str | None = None
) -> Published:
    """Read a file in the layout of another release as the collection of a family and a name.

    Raises:
        InputError: A line of it cannot be used, or there is no such variant.
    """
    column = _choose_column(declaration, variant, " ".join(chosen))
    found = _build(chosen, declaration, declaration.layouts[layout](path), column)
    return replace(found, collection=replace(found.collection, files=(path,)))


def _build(chosen: tuple[str, str], declaration: CollectionDeclaration, rows: CollectionRows, column: str) -> Published:
    """Build a collection from its rows; `column` has the wording of the queries."""
    queries = _sort_queries(rows.queries)
    _require_columns(chosen, declaration, {"documents": rows.documents, "queries": queries})
    qrels: dict[str, dict[str, int]] = {}
    for row in rows.qrels.to_pylist():
        qrels.setdefault(str(row["query_id"]), {})[str(row["doc_id"])] = row["grade"]
    pairs = zip(queries["query_id"].to_pylist(), queries[column].to_pylist(), strict=True)
    worded = {query_id: text for query_id, text in pairs if text is not None}
    documents = _read_documents(rows.documents)
    pools, near = (
        (_read_values(rows.documents, "doc_id", shared), _read_values(queries, "query_id", shared))
        for shared in (declaration.pool, declaration.near)
    )
    collection = Collection(documents, worded, qrels, (), near=_group_near(near, pools))
    return Published(*chosen, replace(collection, parts=_split(collection, *pools)), queries, declaration)


def _require_columns(
    chosen: tuple[str, str], declaration: CollectionDeclaration, tables: Mapping[str, pa.Table]
) -> None:
    """Require the columns that the declaration names."""
    of_queries = (*declaration.shared, *declaration.groups, *declaration.averages)
    for part, names in (("documents", declaration.shared), ("queries", of_queries)):
        missing = [name for name in names if name not in tables[part].column_names]
        if missing:
            raise InputError(f"{' '.join(chosen)}: {part} have no column {missing[0]}")


Value = TypeVar("Value")

Values = Mapping[str, str]
"""By id of a document or query, the value of a column; what has none is missing."""


def _read_values(table: pa.Table, identifier: str, column: str | None) -> Values:
    """Read the values of a column as texts, by id."""
    if column is None:
        return {}
    pairs = zip(table[identifier].to_pylist(), table[column].to_pylist(), strict=True)
    return {str(key): str(value) for key, value in pairs if value is not None}


def _group_near(near: tuple[Values, Values], pools: tuple[Values, Values]) -> dict[str, Ids[str]]:
    """Find by query the documents of its pool with the same value, of the values of documents and queries."""
    groups: dict[tuple[str | None, str], set[str]] = {}
    for doc_id, value in near[0].items():
        groups.setdefault((pools[0].get(doc_id), value), set()).add(doc_id)
    frozen = {key: frozenset(ids) for key, ids in groups.items()}
    return {key: frozen.get((pools[1].get(key), value), frozenset()) for key, value in near[1].items()}


def _split(collection: Collection, of_documents: Values, of_queries: Values) -> dict[str, Collection]:
    """Split a collection into pools, by name."""
    names = sorted({*of_documents.values(), *of_queries.values()})
    documents = _divide(collection.documents, of_documents, names)
    queries = _divide(collection.queries, of_queries, names)
    qrels = _divide(collection.qrels or {}, of_queries, names)
    return {
        name: replace(
            collection, documents=documents[name], queries=queries[name], qrels=qrels[name], others=collection.queries
        )
        for name in names
    }


def _divide(values: Mapping[str, Value], pools: Values, names: Iterable[str]) -> dict[str, dict[str, Value]]:
    """Divide values by the pool of their id; what is in none is left out."""
    divided: dict[str, dict[str, Value]] = {name: {} for name in names}
    for key, value in values.items():
        if key in pools:
            divided[pools[key]][key] = value
    return divided


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
