"""What a harness asks of a response: the figures of the family's scorer, as numbers that a harness can average."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.export.origin import CANARY
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Prediction, Predictions
from everwhen.evaluate.scheme import Scheme
from everwhen.evaluate.settings import RunSettings, score_run

FOLDER = "scorer"
"""The folder of an export with what the scorer reads: the gold, and the tables of the family."""

GOLD, ONCE, TABLES = "gold.parquet", "once", "tables"

FINAL = "final."
"""What the figures of the final answer begin with, which measures leave out."""


def name_measures(scheme: Scheme) -> dict[str, str]:
    """Name the figures of a scorer for harnesses: by measure, the figure.

    A dot becomes an underscore, and measures without a group are those of the final answer.
    """
    return {figure.removeprefix(FINAL).replace(".", "_"): figure for figure in scheme.figures}


def write_scorer(folder: Path, gold: Gold) -> None:
    """Write what the scorer reads, the gold of the items, beside the tasks of a harness."""
    once = [list(gold.once.get(item, ())) for item in gold.table["item_id"].to_pylist()]
    table = gold.table.append_column(ONCE, pa.array(once, pa.list_(pa.string())))
    tables = {Path(GOLD): table, **{Path(TABLES) / f"{name}.parquet": each for name, each in gold.tables.items()}}
    for name, each in tables.items():
        path = folder / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        marked = each.append_column("canary", pa.array([CANARY] * each.num_rows, pa.string()))
        pq.write_table(marked, path, compression="zstd", store_schema=False)


class HarnessScorer:
    """Scores responses to the items of an export, each by itself, as `everwhen evaluate` does."""

    def __init__(self, gold: Gold, evaluation: Evaluation) -> None:
        """Take the items and what their family declares."""
        self._gold, self._evaluation = gold, evaluation
        self._places = {item: place for place, item in enumerate(gold.table["item_id"].to_pylist())}
        self._measures = name_measures(evaluation.scheme)

    def measure(self, item_id: int, response: str | None, finish_reason: str | None = None) -> dict[str, float]:
        """Score a response.

        Args:
            item_id: The item.
            response: What the model has answered; None where it answered nothing.
            finish_reason: Why the response ended, as endpoints and harnesses say it.

        Returns:
            Each measure that the item has, from 0 to 1.
        """
        gold = self._gold.select(self._gold.table.slice(self._places[int(item_id)], 1))
        rows = {int(item_id): Prediction(int(item_id), response, finish_reason, "")}
        scored = score_run(gold, Predictions("", "", rows), self._evaluation, RunSettings())
        figures = dict(zip(scored.scheme.figures, scored.figures[0].tolist(), strict=True))
        found = {name: figures[figure] for name, figure in self._measures.items()}
        return {name: value for name, value in found.items() if not np.isnan(value)}


def open_scorer(folder: Path, family: str, evaluations: Mapping[str, Evaluation]) -> HarnessScorer:
    """Open the scorer of an export, as its module does in a harness.

    Raises:
        InputError: The installed everwhen does not know the family.
    """
    if family not in evaluations:
        raise InputError(
            f"{family}: the installed everwhen does not know this family; install the one that exported it"
        )
    table = pq.read_table(folder / FOLDER / GOLD)
    once = dict(zip(table["item_id"].to_pylist(), map(tuple, table[ONCE].to_pylist()), strict=True))
    files = sorted((folder / FOLDER / TABLES).glob("*.parquet"))
    tables = {path.stem: pq.read_table(path) for path in files}
    evaluation = evaluations[family]
    gold = Gold(family, "", evaluation.slices, table, {item: texts for item, texts in once.items() if texts}, tables)
    return HarnessScorer(gold, evaluation)
