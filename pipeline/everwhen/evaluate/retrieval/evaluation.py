"""A run evaluated: measured over all queries and by the slices of a family, and compared with another run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from ir_measures import Measure

from everwhen.evaluate.items import Gold
from everwhen.evaluate.retrieval.averages import AVERAGE, average_nested
from everwhen.evaluate.retrieval.collection import Collection
from everwhen.evaluate.retrieval.measures import (
    AmongNear,
    AnswerAtK,
    NearAtK,
    Own,
    Scores,
    measure_answers,
    measure_near,
    measure_own,
    measure_run,
)
from everwhen.evaluate.retrieval.published import Published
from everwhen.evaluate.retrieval.ranking import Run, reorder_relevant
from everwhen.evaluate.scheme import Scheme
from everwhen.evaluate.tables import ALL, Scored, compare, round_figure, tabulate


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


Value = TypeVar("Value")

Context = Questions | Published | None
"""What is known of the queries of a collection beside their texts."""


def score_queries(
    run: Run, collection: Collection, context: Context, measures: Sequence[Measure | Own]
) -> list[Scores]:
    """Score each query by each measure, in their order: relevance is read from qrels, answers from the context."""
    asked = collection.select_queries()
    qrels, near = _select(collection.qrels or {}, asked), _select(collection.near, asked)
    relevance = [measure for measure in measures if not isinstance(measure, AnswerAtK | NearAtK | AmongNear | Own)]
    found = measure_run(run, qrels, relevance) if relevance and collection.qrels is not None else []
    found += measure_near(run, qrels, near, _choose(measures, (NearAtK, AmongNear)))
    if context is not None:
        found += _score_known(run, collection, context, measures)
    by_name = {scores.measure: scores for scores in found}
    return [by_name[name] for name in dict.fromkeys(map(str, measures))]


def _choose(measures: Sequence[Measure | Own], of: tuple[type, ...]) -> list[Any]:
    return [measure for measure in measures if isinstance(measure, of)]


def _select(values: Mapping[str, Value], chosen: Iterable[str]) -> dict[str, Value]:
    return {key: values[key] for key in chosen if key in values}


def _score_known(
    run: Run, collection: Collection, context: Questions | Published, measures: Sequence[Measure | Own]
) -> list[Scores]:
    """Score by a family's own measures, and by what is right of questions."""
    own, answers = _choose(measures, (Own,)), _choose(measures, (AnswerAtK,))
    asked = collection.select_queries()
    queries, _ = context.tabulate_queries(asked)
    found = measure_own(run, queries, collection, own)
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


def describe(run: Run, scored: Scored, collection: Collection, context: Context = None) -> dict[str, Any]:
    """Describe what a run scores.

    Returns:
        `queries` and `queries_without_results`, how many there are; `measures` over all of them, and `slices` by slice
        and value, whose cells are those of `tabulate`. Where a family declares `averages`, likewise cells of these, by
        value of the outermost column, and `average`.
    """
    queries = collection.select_queries()
    tables = tabulate(scored) if scored.scheme.means else {ALL: {ALL: {}}}
    described = {
        "queries": len(queries),
        "queries_without_results": sum(1 for query_id in queries if not run.get(query_id)),
        **_split(tables),
    }
    columns = context.declaration.averages if isinstance(context, Published) else ()
    return {**described, "averages": describe_averages(scored, columns)} if columns else described


def describe_averages(scored: Scored, columns: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Describe the nested means over columns, the outermost first: by its value and as `average`, `rows` and means.

    A query without a value is in none of them.
    """
    keys = _list_keys(scored, columns)
    counts = Counter(key[0] for key in keys.values())
    cells: dict[str, dict[str, Any]] = {value: {"rows": counts[value]} for value in sorted(counts)}
    cells |= {AVERAGE: {"rows": len(keys)}}
    for name, column in zip(scored.scheme.figures, scored.figures.T, strict=True):
        means = average_nested((key, column[row]) for row, key in keys.items() if not np.isnan(column[row]))
        for value, cell in cells.items():
            cell[name] = {"value": round_figure(means[value])} if value in means else None
    return cells


def _list_keys(scored: Scored, columns: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """List the values of columns by row, without rows that lack one."""
    keys = zip(*(scored.table[column].to_pylist() for column in columns), strict=True)
    return {row: tuple(map(str, key)) for row, key in enumerate(keys) if None not in key}


def describe_ties(
    run: Run, collection: Collection, context: Context, measures: Sequence[Measure | Own]
) -> dict[str, Any]:
    """Describe what a run would score where equal scores were ordered for the relevant documents, and against them.

    Returns:
        `best` and `worst`, each with the mean of each measure, None where it says nothing; empty where nothing is
        judged.
    """
    found = {}
    for name in ("best", "worst") if collection.qrels else ():
        reordered = reorder_relevant(run, collection.qrels or {}, is_first=name == "best")
        scores = score_queries(reordered, collection, context, measures)
        found[name] = average_scores(scores)
    return found


def average_scores(scores: Sequence[Scores]) -> dict[str, float | None]:
    """Average over the queries, by measure; None where it says nothing of any."""
    return {one.measure: round_figure(one.mean) if one.by_query else None for one in scores}


def describe_differences(first: Scored, second: Scored) -> dict[str, Any]:
    """Describe `measures` and `slices` of the first run less the second."""
    return _split(compare(first, second))


def _split(tables: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    overall = {name: figure for name, figure in tables[ALL][ALL].items() if name != "rows"}
    return {"measures": overall, "slices": {name: cells for name, cells in tables.items() if name != ALL}}
