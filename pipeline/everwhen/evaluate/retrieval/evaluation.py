"""A run evaluated: measured over all queries and by the slices of a family, and compared with another run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from ir_measures import Measure

from everwhen.evaluate.gold import Gold
from everwhen.evaluate.retrieval.collection import Collection
from everwhen.evaluate.retrieval.measures import Answer, Scores, measure_answers, measure_run
from everwhen.evaluate.retrieval.ranking import Run
from everwhen.evaluate.scheme import Scheme
from everwhen.evaluate.tables import ALL, Scored, compare, tabulate


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


def score_queries(
    run: Run, collection: Collection, questions: Questions | None, measures: Sequence[Measure]
) -> list[Scores]:
    """Score each query by each measure, in the order of the measures.

    Args:
        run: The run.
        collection: Its collection; measures of relevance read its qrels.
        questions: The questions that are its queries; `Answer` reads what is right of them.
        measures: The measures.
    """
    answers = [measure for measure in measures if isinstance(measure, Answer)]
    relevance = [measure for measure in measures if not isinstance(measure, Answer)]
    found: list[Scores] = []
    if relevance and collection.qrels is not None:
        found += measure_run(run, collection.qrels, relevance)
    if answers and questions is not None:
        asked = collection.select_queries()
        items = {str(item.item_id): item for item in questions.gold.iter_items() if str(item.item_id) in asked}
        found += measure_answers(run, collection.documents, items, answers)
    by_name = {scores.measure: scores for scores in found}
    return [by_name[name] for name in dict.fromkeys(map(str, measures))]


def arrange(scores: Sequence[Scores], collection: Collection, questions: Questions | None) -> Scored:
    """Arrange scores as tables are made of them: a row a query, a column a measure."""
    queries = list(collection.select_queries())
    table = pa.table({"item_id": queries})
    if questions is not None:
        gold = questions.gold.table
        chosen = set(queries)
        table = gold.filter(pa.array([str(item) in chosen for item in gold["item_id"].to_pylist()]))
        queries = list(map(str, table["item_id"].to_pylist()))
    columns = [[one.by_query.get(query_id, np.nan) for query_id in queries] for one in scores]
    means = np.array(columns, dtype=np.float64).reshape(len(scores), len(queries)).T
    scheme = _build_scheme([one.measure for one in scores], questions)
    return Scored(table, questions.gold.slices if questions else (), np.empty((len(queries), 0)), means, scheme)


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


def _build_scheme(measures: Sequence[str], questions: Questions | None) -> Scheme:
    return Scheme(
        shares=(),
        means=tuple(measures),
        partial=frozenset(name for name in measures if name.startswith(Answer.NAME)),
        slices=questions.slices if questions else (),
        columns=(),
        compared=tuple(measures),
        bars={},
        main="",
        legend="",
    )


def _split(tables: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    overall = {name: figure for name, figure in tables[ALL][ALL].items() if name != "rows"}
    return {"measures": overall, "slices": {name: cells for name, cells in tables.items() if name != ALL}}
