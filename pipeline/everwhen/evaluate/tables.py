"""Tables of scores: overall, by type of answer, and by the slices that a family declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from everwhen.evaluate.intervals import (
    Estimate,
    Values,
    estimate_difference,
    estimate_mean,
    estimate_ratio,
    measure_error,
)
from everwhen.evaluate.items import Gold
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scheme import TYPED_OUTCOMES, Scheme
from everwhen.evaluate.scoring import score

ALL = "all"

Tables = dict[str, dict[str, dict[str, Any]]]
"""Cells by slice and value."""

Rows = npt.NDArray[np.int64]


class ItemVerdict(NamedTuple):
    """What was read of a response, and what became of it.

    Attributes:
        final_answer: What was read as its answer.
        outcome: Its outcome, or class.
        why: Why it is not right (`everwhen.evaluate.explanations`), or what makes it doubtful; None of others.
    """

    final_answer: str
    outcome: str
    why: str | None = None


@dataclass(frozen=True)
class Scored:
    """The scores of a run.

    Attributes:
        table: The gold of the items that were scored, by ascending item_id.
        slices: The columns to tabulate by.
        shares: One row an item, one column for each of the scheme's `shares`: 1 where it applies, NaN where an item has
            no such figure.
        means: One row an item, one column for each of the scheme's `means`, likewise.
        scheme: What the columns are.
        verdicts: Of each item what was read.
        counts: One row an item, one column for each of the scheme's `counts`; None where it has none.
    """

    table: pa.Table
    slices: tuple[str, ...]
    shares: Values
    means: Values
    scheme: Scheme = TYPED_OUTCOMES
    verdicts: tuple[ItemVerdict, ...] = ()
    counts: Values | None = None

    @property
    def is_right(self) -> npt.NDArray[np.bool_]:
        """Of each item, whether its response is right."""
        found: npt.NDArray[np.bool_] = self.figures[:, self.scheme.figures.index(self.scheme.main)] == 1
        return found

    @property
    def figures(self) -> Values:
        """One column for each of the scheme's figures."""
        return np.hstack((self.shares, self.means))

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids of the items, ascending."""
        ids: npt.NDArray[np.int64] = self.table["item_id"].to_numpy()
        return ids

    def select(self, ids: npt.NDArray[np.int64]) -> Scored:
        """Select the scores of some of the items."""
        chosen = np.isin(self.ids, ids)
        table = self.table.filter(pa.array(chosen))
        verdicts = tuple(compress(self.verdicts, chosen))
        counts = None if self.counts is None else self.counts[chosen]
        shares, means = self.shares[chosen], self.means[chosen]
        return replace(self, table=table, shares=shares, means=means, verdicts=verdicts, counts=counts)


def select_predicted(gold: Gold, predictions: Mapping[int, Prediction]) -> Gold:
    """Select the items of a gold that have a prediction."""
    ids = gold.table["item_id"].to_numpy()
    chosen = np.fromiter((item in predictions for item in ids.tolist()), dtype=bool, count=len(ids))
    return gold.select(gold.table.filter(pa.array(chosen)))


def score_all(gold: Gold, predictions: Mapping[int, Prediction], scheme: Scheme = TYPED_OUTCOMES) -> Scored:
    """Score the predictions of the items of a gold by their typed outcomes; items without one are left out."""
    chosen = select_predicted(gold, predictions)
    shares = np.zeros((chosen.table.num_rows, len(scheme.shares)))
    means = np.full((chosen.table.num_rows, len(scheme.means)), np.nan)
    verdicts = []
    places = {outcome: place for place, outcome in enumerate(Outcome)}
    for row, item in enumerate(chosen.iter_items()):
        predicted = predictions[item.item_id]
        found = score(predicted.response, item, predicted.finish_reason)
        shares[row, places[found.outcome]] = 1
        shares[row, -1] = found.is_right_once
        figures = (*found.whole, *found.final, *(found.options or ()))
        means[row, : len(figures)] = figures
        verdicts.append(ItemVerdict(found.final_answer, found.outcome.value, found.why))
    return Scored(chosen.table, gold.slices, shares, means, scheme, tuple(verdicts))


def tabulate(scored: Scored, trivial: Values | None = None) -> Tables:
    """Tabulate scores: by slice and value, the cells; `trivial` is what the best trivial reader scores on each item.

    Returns:
        Under "all" one cell of that name; then each slice. A cell has `rows`; by name, the shares and the means as
        value, low, high and standard error; likewise the ratios; and `trivial`, the mean of that column.
    """
    scheme, figures = scored.scheme, scored.figures

    def describe(rows: Rows) -> dict[str, Any]:
        cell: dict[str, Any] = {"rows": len(rows)}
        for name, column in zip(scheme.figures, figures[rows].T, strict=True):
            known = column[~np.isnan(column)]
            described = None
            if len(known):
                error = measure_error(known)
                described = _describe(estimate_mean(known), scheme, name, len(known))
                described["standard_error"] = None if error is None else round_figure(error)
            _put(cell, name, described)
        for name in scheme.ratios:
            _put(cell, name, _describe_ratio(scored, name, rows))
        return cell if trivial is None else cell | {"trivial": round_figure(float(trivial[rows].mean()))}

    return tabulate_rows(scored.table, (*scheme.slices, *scored.slices), describe)


def compare(first: Scored, second: Scored) -> Tables:
    """Compare two runs on the items that both have: by slice and value, the first less the second."""
    shared = np.intersect1d(first.ids, second.ids)
    first, second = first.select(shared), second.select(shared)
    scheme, ones, others = first.scheme, first.figures, second.figures

    def describe(rows: Rows) -> dict[str, Any]:
        cell: dict[str, Any] = {"rows": len(rows)}
        for name, one, other in zip(scheme.figures, ones[rows].T, others[rows].T, strict=True):
            known = ~(np.isnan(one) | np.isnan(other))
            found = estimate_difference(one[known], other[known]) if known.any() else None
            cell[name] = found and _describe(found, scheme, name, int(known.sum()))
        return cell

    return tabulate_rows(first.table, (*scheme.slices, *first.slices), describe)


def count_differences(scheme: Scheme, differences: Iterable[Tables]) -> dict[str, int]:
    """Count the intervals of the compared figures that `compare` returned, and those of them that exclude zero.

    Cells of a single item are left out: they show no interval.
    """
    found = [
        cell[name]
        for tables in differences
        for cells in tables.values()
        for cell in cells.values()
        if cell["rows"] > 1
        for name in scheme.compared
        if cell[name] is not None
    ]
    return {"intervals": len(found), "excluding_zero": sum(each["low"] > 0 or each["high"] < 0 for each in found)}


def tabulate_rows(table: pa.Table, slices: Iterable[str], describe: Callable[[Rows], dict[str, Any]]) -> Tables:
    """Tabulate, over all and by slice and value, what is said of their rows; a row without a value is in none."""
    tables: Tables = {ALL: {ALL: describe(np.arange(table.num_rows))}}
    for slice_ in slices:
        column = table[slice_]
        values = np.array(column.to_pylist(), dtype=object).astype(str)
        for value in np.unique(values[column.is_valid().to_numpy()]):
            tables.setdefault(slice_, {})[str(value)] = describe(np.flatnonzero(values == value))
    return tables


def _put(cell: dict[str, Any], name: str, described: dict[str, Any] | None) -> None:
    """Put a figure in its group."""
    *groups, last = name.split(".")
    for group in groups:
        cell = cell.setdefault(group, {})
    cell[last] = described


def _describe_ratio(scored: Scored, name: str, rows: Rows) -> dict[str, Any] | None:
    """Describe a figure that is a sum divided by another; None where no item has both counts."""
    if scored.counts is None:
        return None
    places = [scored.scheme.counts.index(count) for count in scored.scheme.ratios[name]]
    over, under = scored.counts[rows][:, places].T
    known = ~(np.isnan(over) | np.isnan(under))
    if not known.any() or not under[known].any():
        return None
    estimate, error = estimate_ratio(over[known], under[known])
    described: dict[str, Any] = {part: round_figure(value) for part, value in estimate._asdict().items()}
    return {**described, "rows": int(known.sum()), "standard_error": None if error is None else round_figure(error)}


def _describe(estimate: Estimate, scheme: Scheme, name: str, rows: int) -> dict[str, Any]:
    """Describe an estimate of the items that have the figure."""
    described: dict[str, Any] = {part: round_figure(value) for part, value in estimate._asdict().items()}
    return described | ({"rows": rows} if name in scheme.partial else {})


def round_figure(value: float) -> float:
    """Round to ten decimals: sums of the same numbers in another order give the same text."""
    return round(value, 10) + 0.0
