"""What a family declares so that its collections can be searched, and rankings of them measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranking
from everwhen.evaluate.retrieval.retriever import Retriever

OwnMeasure = Callable[[Ranking, Mapping[str, int], Mapping[str, Any]], float | None]
"""Scores a ranking from 0 to 1, by the grades of documents and the row of the query; None where it says nothing.

The row has `documents`, those of the collection by id, too.
"""

OwnRetriever = Callable[[Documents, int, Mapping[str, pa.Table]], Retriever]
"""Makes a retriever from a corpus, a seed, and the tables of the dataset that the declaration names."""


@dataclass(frozen=True)
class CollectionRows:
    """The rows of a collection.

    Attributes:
        documents: Columns doc_id, text, and title where documents have one.
        queries: Columns query_id, text, and those that the declaration names.
        qrels: Columns query_id, doc_id and grade.
    """

    documents: pa.Table
    queries: pa.Table
    qrels: pa.Table


@dataclass(frozen=True)
class CollectionDeclaration:
    """How rankings of a collection are measured, beside what ir-measures has.

    Attributes:
        groups: Columns of the queries by whose values scores are averaged; a query without a value is in no group.
        variants: By name, a column of the queries with another wording.
        measures: The family's own measures, by name.
        retrievers: The family's own retrievers, by name.
        defaults: The measures where none is named, beside its own; empty: those of any collection.
        pool: A column of documents and queries. A query is searched only among the documents with its value. None
            where it is searched among all.
        near: A column of documents and queries. The documents with the query's value in its pool are near: hard to tell
            from the relevant one, which is among them. Rows that own measures get have their ids as `near`.
        split: A column of the queries with their splits; None where there are none.
        averages: Columns of the queries over which means are nested, the outermost first: the mean over its values of
            the mean over those of the next, down to the queries.
        reference: The own retriever whose scores are shown beside each score.
        tables: Further published tables of the family, which own retrievers read.
        layouts: By the name of a layout of another release, what reads a file of it. Its queries have the columns that
            the declaration names, with null where the release does not say. It raises InputError, with the line and the
            key, of what is no such file.
    """

    groups: tuple[str, ...] = ()
    variants: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, OwnMeasure] = field(default_factory=dict)
    retrievers: Mapping[str, OwnRetriever] = field(default_factory=dict)
    defaults: tuple[str, ...] = ()
    pool: str | None = None
    near: str | None = None
    split: str | None = None
    averages: tuple[str, ...] = ()
    reference: str | None = None
    tables: tuple[str, ...] = ()
    layouts: Mapping[str, Callable[[Path], CollectionRows]] = field(default_factory=dict)

    @property
    def shared(self) -> tuple[str, ...]:
        """The columns that documents and queries have."""
        return tuple(name for name in (self.pool, self.near) if name is not None)
