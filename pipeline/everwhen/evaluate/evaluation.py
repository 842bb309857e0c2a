"""A run evaluated: predictions read, scored and tabulated, as one object of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import Gold, UnknownItemError, choose_family, read_gold
from everwhen.evaluate.predictions import Predictions, read_predictions
from everwhen.evaluate.tables import Scored, average_trivial, compare, score_all, tabulate
from everwhen.validate.manifest import load_manifest

REPORT = "report.json"


@dataclass(frozen=True)
class Restriction:
    """Which items are scored; by default those that are predicted.

    Attributes:
        split: Only the items of this split.
        item_set: Only the items of this set, such as "lite-1000".
    """

    split: str | None = None
    item_set: str | None = None

    def __bool__(self) -> bool:
        """Whether there is a restriction."""
        return self != Restriction()


def evaluate(
    dataset: str | Path,
    predictions: str | Path,
    evaluations: Mapping[str, Evaluation],
    *,
    family: str | None = None,
    against: str | Path | None = None,
    restriction: Restriction = Restriction(),
) -> dict[str, Any]:
    """Evaluate predictions.

    Args:
        dataset: Folder of the dataset.
        predictions: File of predictions (`everwhen.evaluate.predictions`).
        evaluations: What each family declares, by name.
        family: The family; by default the only one of the dataset.
        against: Predictions of another run, to compare with.
        restriction: Which items are scored.

    Returns:
        `dataset`, `family`, `predictions`, `items` (how many are asked for, scored, and without a prediction),
        `tables` (`everwhen.evaluate.tables.tabulate`), and `against` where another run was given.

    Raises:
        InputError: The dataset or a file of predictions cannot be used.
        MachineFailed: Memory or disk does not suffice.
    """
    manifest = load_manifest(dataset)
    name = choose_family(dataset, manifest, family)
    if name not in evaluations:
        raise InputError(f"{name}: this family does not say how answers are scored")
    evaluation, content_hash = evaluations[name], str(manifest.get("content_hash"))
    files = [predictions] if against is None else [predictions, against]
    runs = [read_predictions(file, content_hash=content_hash, family=name) for file in files]
    gold = _read_items(dataset, name, evaluation, runs, restriction)
    scored = [score_all(gold, run.rows) for run in runs]
    for run, scores, file in zip(runs, scored, files, strict=True):
        if not scores.table.num_rows:
            raise InputError(f"{file}: none of its {len(run.rows):,} items is asked for")
    trivial = average_trivial(scored[0].table, evaluation.template, _read_shortcuts(Path(dataset), name))
    found = {
        "dataset": {"content_hash": content_hash, "version": manifest.get("version")},
        "family": name,
        "split": restriction.split,
        "set": restriction.item_set,
        "predictions": _describe(runs[0], scored[0], gold, is_restricted=bool(restriction)),
        "tables": tabulate(scored[0], trivial),
    }
    return found if against is None else {**found, "against": _compare(runs[1], scored, gold, bool(restriction))}


def _read_items(
    dataset: str | Path,
    family: str,
    evaluation: Evaluation,
    runs: Sequence[Predictions],
    restriction: Restriction,
) -> Gold:
    """Read the gold of a split or a set, else of the items of the runs; ids that are in no dataset are refused."""
    ids = sorted(set().union(*(run.rows for run in runs)))
    try:
        gold = read_gold(dataset, family, evaluation, ids=ids)
    except UnknownItemError as error:
        place = next(run.rows[error.item_id].place for run in runs if error.item_id in run.rows)
        raise InputError(f"{place}: item {error.item_id} is not in {dataset}") from None
    if not restriction:
        return gold
    return read_gold(dataset, family, evaluation, split=restriction.split, item_set=restriction.item_set)


def _describe(run: Predictions, scored: Scored, gold: Gold, *, is_restricted: bool) -> dict[str, Any]:
    """Say what a file of predictions is, and how much of what is asked for it has."""
    rows = scored.table.num_rows
    missing = {"missing": gold.table.num_rows - rows, "left_out": len(run.rows) - rows} if is_restricted else {}
    return {"file": run.name, "sha256": run.sha256, "models": list(run.models), "scored": rows, **missing}


def _compare(second: Predictions, scored: Sequence[Scored], gold: Gold, is_restricted: bool) -> dict[str, Any]:
    """Compare the first run with the second."""
    first, other = scored
    shared = len(np.intersect1d(first.ids, other.ids))
    if not shared:
        raise InputError(f"{second.name}: no item is in both files of predictions")
    described = _describe(second, other, gold, is_restricted=is_restricted)
    return {"predictions": described, "shared": shared, "tables": tabulate(other), "differences": compare(first, other)}


def _read_shortcuts(dataset: Path, family: str) -> list[dict[str, Any]]:
    """Read what shortcuts score, where the dataset's report says so."""
    try:
        report = json.loads((dataset / REPORT).read_text(encoding="utf-8"))
        found = report["families"][family]["shortcuts"]["scores"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return list(found)
