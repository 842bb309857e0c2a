"""What a family declares so that its collections can be searched, and rankings of them measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from everwhen.evaluate.retrieval.collection import Documents
from everwhen.evaluate.retrieval.ranking import Ranking
from everwhen.evaluate.retrieval.retriever import Retriever

OwnMeasure = Callable[[Ranking, Mapping[str, int], Mapping[str, Any]], float | None]
"""Scores a ranking from 0 to 1, by the grades of documents and the row of the query; None where it says nothing."""


@dataclass(frozen=True)
class CollectionDeclaration:
    """How rankings of a collection are measured, beside what ir-measures has.

    Attributes:
        groups: Columns of the queries by whose values scores are averaged; a query without a value is in no group.
        variants: By name, a column of the queries with another wording.
        measures: The family's own measures, by name.
        retrievers: The family's own retrievers, by name: each is made from the corpus and a seed.
        defaults: The measures where none is named, beside its own; empty: those of any collection.
    """

    groups: tuple[str, ...] = ()
    variants: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, OwnMeasure] = field(default_factory=dict)
    retrievers: Mapping[str, Callable[[Documents, int], Retriever]] = field(default_factory=dict)
    defaults: tuple[str, ...] = ()
