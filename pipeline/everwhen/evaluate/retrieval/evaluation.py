"""A run evaluated: measured over all queries and by the slices of a family, and compared with another run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from ir_measures import Measure

from everwhen.evaluate.items import Gold
from everwhen.evaluate.retrieval.collection import Collection
from everwhen.evaluate.retrieval.measures import AnswerAtK, Own, Scores, measure_answers, measure_own, measure_run
from everwhen.evaluate.retrieval.published import Published
from everwhen.evaluate.retrieval.ranking import Run
from everwhen.evaluate.retrieval.retriever import Oracle, Random, Retriever
from everwhen.evaluate.scheme import Scheme
from everwhen.evaluate.tables import ALL, Scored, compare, round_figure, tabulate

DEPTH_OF_BOUNDS = 1_000
"""How many documents a query the rankings have by which chance and the most that is possible are measured."""


@dataclass(frozen=True)
class Questions:
    """Questions of a dataset that are queries; the id of a query is that of the item.

    Attributes:
        gold: The items with what is right.
        slices: The slices by which every run of the family is tabulated, before those of the gold.
    """

    gold: Gold
    slices: tuple[str, ...] = ()

    @property
    def queries(self) -> dict[str, str]:
        """The texts of the queries, by id."""
        return {str(item.item_id): item.question for item in self.gold.iter_items()}

    def tabulate_queries(self, query_ids: Iterable[str]) -> tuple[pa.Table, tuple[str, ...]]:
        """Return the gold of some queries, and the columns to average by."""
        chosen = set(query_ids)
        mask = pa.array([str(item) in chosen for item in self.gold.table["item_id"].to_pylist()])
        return self.gold.table.filter(mask), self.gold.slices


Context = Questions | Published | None
"""What is known of the queries of a collection beside their texts."""


def score_queries(
    run: Run, collection: Collection, context: Context, measures: Sequence[Measure | Own]
) -> list[Scores]:
    """Score each query by each measure, in their order: relevance is read from qrels, answers from the context."""
    relevance = [measure for measure in measures if not isinstance(measure, AnswerAtK | Own)]
    found: list[Scores] = []
    if relevance and collection.qrels is not None:
        found += measure_run(run, collection.qrels, relevance)
    if context is not None:
        found += _score_known(run, collection, context, measures)
    by_name = {scores.measure: scores for scores in found}
    return [by_name[name] for name in dict.fromkeys(map(str, measures))]


def _score_known(
    run: Run, collection: Collection, context: Questions | Published, measures: Sequence[Measure | Own]
) -> list[Scores]:
    """Score by a family's own measures, and by what is right of questions."""
    own = [measure for measure in measures if isinstance(measure, Own)]
    answers = [measure for measure in measures if isinstance(measure, AnswerAtK)]
    asked = collection.select_queries()
    queries, _ = context.tabulate_queries(asked)
    found = measure_own(run, queries, collection.qrels or {}, own)
    if answers and isinstance(context, Questions):
        items = {key: item for item in context.gold.iter_items() if (key := str(item.item_id)) in asked}
        found += measure_answers(run, collection.documents, items, answers)
    return found


def arrange(scores: Sequence[Scores], collection: Collection, context: Context) -> Scored:
    """Arrange scores as tables are made of them: a row a query, a column a measure."""
    queries = list(collection.select_queries())
    table, slices = context.tabulate_queries(queries) if context else (pa.table({"item_id": queries}), ())
    queries = list(map(str, table["item_id"].to_pylist()))
    columns = [[one.by_query.get(query_id, np.nan) for query_id in queries] for one in scores]
    means = np.array(columns, dtype=np.float64).reshape(len(scores), len(queries)).T
    names = tuple(one.measure for one in scores)
    partial = {each.measure for each in scores if not each.by_query.keys() >= set(queries)}
    partial |= {name for name in names if name.startswith(AnswerAtK.NAME)}
    of_runs = context.slices if isinstance(context, Questions) else ()
    scheme = Scheme((), names, (), names, {}, "", "", partial=frozenset(partial), slices=of_runs)
    return Scored(table, slices, np.empty((len(queries), 0)), means, scheme)


def measure_bounds(collection: Collection, context: Context, measures: Sequence[Measure | Own]) -> dict[str, Any]:
    """Measure what chance scores, a random order of the documents, and the most that a ranking can.

    Returns:
        By name, `chance` and `upper`, the mean of each measure; empty where nothing is judged.
    """
    if collection.qrels is None:
        return {}
    queries = collection.select_queries()
    retrievers: dict[str, Retriever] = {"chance": Random(collection.documents), "upper": Oracle(collection.qrels)}
    bounds = {}
    for name, retriever in retrievers.items():
        run = dict(retriever.retrieve(queries, DEPTH_OF_BOUNDS))
        bounds[name] = {
            one.measure: round_figure(one.mean) if one.by_query else None
            for one in score_queries(run, collection, context, measures)
        }
    return bounds


def describe(run: Run, scored: Scored, collection: Collection) -> dict[str, Any]:
    """Describe what a run scores.

    Returns:
        `queries` and `queries_without_results`, how many there are; `measures` over all of them, and `slices` by slice
        and value, whose cells are those of `tabulate`.
    """
    queries = collection.select_queries()
    tables = tabulate(scored) if scored.scheme.means else {ALL: {ALL: {}}}
    return {
        "queries": len(queries),
        "queries_without_results": sum(1 for query_id in queries if not run.get(query_id)),
        **_split(tables),
    }


def describe_differences(first: Scored, second: Scored) -> dict[str, Any]:
    """Describe `measures` and `slices` of the first run less the second."""
    return _split(compare(first, second))


def _split(tables: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    overall = {name: figure for name, figure in tables[ALL][ALL].items() if name != "rows"}
    return {"measures": overall, "slices": {name: cells for name, cells in tables.items() if name != ALL}}
