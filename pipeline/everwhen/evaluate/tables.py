"""Tables of scores: overall, by type of answer, and by the slices that a family declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from everwhen.evaluate.gold import Gold
from everwhen.evaluate.intervals import Estimate, Values, estimate_means, estimate_share, measure_errors
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scoring import score
from everwhen.evaluate.squad import Measures

OUTCOMES = tuple(Outcome)
SHARES = (*(outcome.value for outcome in OUTCOMES), "right_once")
SIDES = ("whole", "final")
MEASURES = Measures._fields
ZERO_OR_ONE = ("exact_match", "containment")
ALL = "all"
ANSWER_TYPE = "answer_type"


@dataclass(frozen=True)
class Scored:
    """The scores of a run.

    Attributes:
        table: The gold of the items that were scored, by ascending item_id.
        slices: The columns to tabulate by.
        shares: One row an item, one column for each of `SHARES`: 1 where it applies.
        measures: One row an item; the measures of the whole response, then those of the final answer.
    """

    table: pa.Table
    slices: tuple[str, ...]
    shares: Values
    measures: Values

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids of the items, ascending."""
        ids: npt.NDArray[np.int64] = self.table["item_id"].to_numpy()
        return ids

    def select(self, ids: npt.NDArray[np.int64]) -> Scored:
        """Select the scores of some of the items."""
        chosen = np.isin(self.ids, ids)
        return Scored(self.table.filter(pa.array(chosen)), self.slices, self.shares[chosen], self.measures[chosen])


def score_all(gold: Gold, predictions: Mapping[int, Prediction]) -> Scored:
    """Score the predictions of the items of a gold; items without a prediction are left out."""
    ids = gold.table["item_id"].to_numpy()
    chosen = np.fromiter((item in predictions for item in ids.tolist()), dtype=bool, count=len(ids))
    table = gold.table.filter(pa.array(chosen))
    shares = np.zeros((table.num_rows, len(SHARES)))
    measures = np.zeros((table.num_rows, len(SIDES) * len(MEASURES)))
    places = {outcome: place for place, outcome in enumerate(OUTCOMES)}
    for row, item in enumerate(gold.select(table).iter_items()):
        predicted = predictions[item.item_id]
        found = score(predicted.response, item, predicted.finish_reason)
        shares[row, places[found.outcome]] = 1
        shares[row, -1] = found.is_right_once
        measures[row] = (*found.whole, *found.final)
    return Scored(table, gold.slices, shares, measures)


def tabulate(scored: Scored, trivial: Values | None = None) -> dict[str, dict[str, dict[str, Any]]]:
    """Tabulate scores: by slice and value, the cells.

    Args:
        scored: The scores.
        trivial: For each item what the best trivial reader of its template scores.

    Returns:
        Under "all" one cell of that name; then the types of answers, and each slice. A cell has `rows`; by name, the
        shares and the measures as value, low, high and standard error; and `trivial`, the mean of that column.
    """
    tables: dict[str, dict[str, dict[str, Any]]] = {}
    for slice_, value, rows in _iter_cells(scored):
        cell = _summarize(scored.shares[rows], scored.measures[rows], slice_, value)
        if trivial is not None:
            cell["trivial"] = _round(float(trivial[rows].mean()))
        tables.setdefault(slice_, {})[value] = cell
    return tables


def compare(first: Scored, second: Scored) -> dict[str, dict[str, dict[str, Any]]]:
    """Compare two runs on the items that both have: by slice and value, the first less the second.

    The interval is that of resamples of the items, each with both scores (paired).
    """
    shared = np.intersect1d(first.ids, second.ids)
    first, second = first.select(shared), second.select(shared)
    differences = np.hstack((first.shares - second.shares, first.measures - second.measures))
    names = (*SHARES, *(f"{side}.{name}" for side in SIDES for name in MEASURES))
    tables: dict[str, dict[str, dict[str, Any]]] = {}
    for slice_, value, rows in _iter_cells(first):
        found = estimate_means(differences[rows], "paired", slice_, value)
        cell = {"rows": len(rows), **{name: _describe(each) for name, each in zip(names, found, strict=True)}}
        tables.setdefault(slice_, {})[value] = cell
    return tables


def average_trivial(table: pa.Table, column: str | None, scores: Sequence[Mapping[str, Any]]) -> Values | None:
    """Look up what the best trivial reader of each item's template scores.

    Args:
        table: The gold of the items.
        column: The column with the template; None where there is none.
        scores: The scores of shortcuts, as `report.json` has them.

    Returns:
        A share for each item: of open questions the hits among all rows, else the score, with chance where a shortcut
        has no opinion. None where nothing is known.
    """
    if column is None or not scores:
        return None
    best: dict[str, float] = {}
    for row in scores:
        is_open = row.get("answer_format") == "open"
        share = row["hits"] / row["rows"] if is_open else max(row["score"], row["chance"])
        best[row["template_id"]] = max(best.get(row["template_id"], 0.0), share)
    return np.array([best.get(name, 0.0) for name in table[column].to_pylist()])


def _iter_cells(scored: Scored) -> Iterator[tuple[str, str, npt.NDArray[np.int64]]]:
    """Iterate over slices and their values, with the rows of each."""
    yield ALL, ALL, np.arange(scored.table.num_rows)
    for slice_ in (ANSWER_TYPE, *scored.slices):
        values = np.array(scored.table[slice_].to_pylist(), dtype=object).astype(str)
        for value in np.unique(values):
            yield slice_, str(value), np.flatnonzero(values == value)


def _summarize(shares: Values, measures: Values, *key: str) -> dict[str, Any]:
    rows = len(shares)
    cell: dict[str, Any] = {"rows": rows}
    for name, hits, error in zip(SHARES, shares.sum(axis=0), _list_errors(shares), strict=True):
        cell[name] = _describe(estimate_share(int(hits), rows)) | {"standard_error": error}
    means, errors = estimate_means(measures, *key), _list_errors(measures)
    for side, column in ((side, SIDES.index(side) * len(MEASURES)) for side in SIDES):
        found = dict(zip(MEASURES, means[column : column + len(MEASURES)], strict=True))
        for name in ZERO_OR_ONE:
            hits = int(measures[:, column + MEASURES.index(name)].sum())
            found[name] = estimate_share(hits, rows)
        cell[side] = {
            name: _describe(each) | {"standard_error": error}
            for (name, each), error in zip(found.items(), errors[column:], strict=False)
        }
    return cell


def _list_errors(values: Values) -> list[float | None]:
    errors = measure_errors(values)
    return [None] * values.shape[1] if errors is None else [_round(float(error)) for error in errors]


def _describe(estimate: Estimate) -> dict[str, float]:
    return {name: _round(value) for name, value in estimate._asdict().items()}


def _round(value: float) -> float:
    """Round to ten decimals: sums of the same numbers in another order give the same text."""
    return round(value, 10) + 0.0
