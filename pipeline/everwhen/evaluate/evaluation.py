"""A run evaluated: predictions read, scored and tabulated, as one object of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.filters import Filters, filter_ids
from everwhen.evaluate.gold import Gold, UnknownItemError, choose_family, read_gold
from everwhen.evaluate.messages import Message
from everwhen.evaluate.predictions import Prediction, Predictions, read_predictions
from everwhen.evaluate.scorer import Request
from everwhen.evaluate.tables import Scored, average_trivial, compare, score_all, select_predicted, tabulate
from everwhen.evaluate.verdicts import list_verdicts
from everwhen.validate.manifest import load_manifest

REPORT = "report.json"


Judge = Callable[[Mapping[int, Sequence[Message]]], Mapping[int, str]]
"""Has prompts answered by a model, by item."""


@dataclass(frozen=True)
class Settings:
    """What is scored, and how; by default the items that are predicted.

    Attributes:
        split: Only the items of this split.
        item_set: Only the items of this set, such as "lite-1000".
        options: Options of the family's own scorer, by name.
        judge: Has unclear responses judged by a model; None where the rules alone decide.
        judges_all: Whether all responses are judged that can be.
        lists_verdicts: Whether the verdict on each response is listed, too.
        filters: Only the items that fit these, of the split or set, else of those that are predicted.
    """

    split: str | None = None
    item_set: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    judge: Judge | None = None
    judges_all: bool = False
    lists_verdicts: bool = False
    filters: Filters = field(default_factory=dict)

    @property
    def is_restricted(self) -> bool:
        """Whether a split or a set is scored."""
        return self.split is not None or self.item_set is not None


def evaluate(
    dataset: str | Path,
    predictions: str | Path,
    evaluations: Mapping[str, Evaluation],
    *,
    family: str | None = None,
    against: str | Path | None = None,
    settings: Settings = Settings(),
) -> dict[str, Any]:
    """Evaluate predictions.

    Args:
        dataset: Folder of the dataset.
        predictions: File of predictions (`everwhen.evaluate.predictions`).
        evaluations: What each family declares, by name.
        family: The family; by default the first that has items.
        against: Predictions of another run, to compare with.
        settings: What is scored, and how.

    Returns:
        `dataset`, `family`, `predictions`, `items` (how many are asked for, scored, and without a prediction),
        `where` with filters, `options` where a family's own scorer was given some,
        `tables` (`everwhen.evaluate.tables.tabulate`), `against` where another run was given, and `verdicts` (a table)
        where these are listed.

    Raises:
        InputError: The dataset or a file of predictions cannot be used.
        MachineFailed: Memory or disk does not suffice.
        NotNowError: The model that judges did not answer every prompt.
    """
    manifest = load_manifest(dataset)
    name = choose_family(dataset, manifest, family)
    if name not in evaluations:
        raise InputError(f"{name}: this family does not say how answers are scored")
    evaluation, content_hash = evaluations[name], str(manifest.get("content_hash"))
    require_options(name, evaluation, settings)
    files = [predictions] if against is None else [predictions, against]
    runs = [read_predictions(file, content_hash=content_hash, family=name) for file in files]
    gold = _read_items(dataset, name, evaluation, runs, settings)
    for run, file in zip(runs, files, strict=True):
        if not select_predicted(gold, run.rows).table.num_rows:
            raise InputError(f"{file}: none of its {len(run.rows):,} items is asked for")
    scored = [score_run(gold, run, evaluation, settings) for run in runs]
    trivial = average_trivial(scored[0].table, evaluation.template, _read_shortcuts(Path(dataset), name))
    found = {
        "dataset": {"content_hash": content_hash, "version": manifest.get("version")},
        "family": name,
        "split": settings.split,
        "set": settings.item_set,
        **({"where": {name: list(values) for name, values in settings.filters.items()}} if settings.filters else {}),
        **({"options": dict(settings.options)} if settings.options else {}),
        "predictions": _describe(runs[0], gold, settings),
        "tables": tabulate(scored[0], trivial),
        **({"verdicts": list_verdicts(scored[0])} if settings.lists_verdicts else {}),
    }
    return found if against is None else {**found, "against": _compare(runs[1], scored, gold, settings)}


def require_options(family: str, evaluation: Evaluation, settings: Settings) -> None:
    """Refuse options that the family's scorer does not have, and a judge where there is nothing to judge.

    Raises:
        InputError: The message names the option.
    """
    scorer = evaluation.scorer
    known = scorer.options if scorer else {}
    for name, value in settings.options.items():
        if name not in known:
            raise InputError(f"--{name}: the scorer of {family} has no such option; leave it out")
        if value not in known[name]:
            raise InputError(f"--{name} {value}: {family} has {', '.join(known[name])}")
    if settings.judge is not None and (scorer is None or scorer.ask_judge is None):
        raise InputError(f"--judge: {family} has nothing that a model judges; leave it out")


def score_run(gold: Gold, run: Predictions, evaluation: Evaluation, settings: Settings) -> Scored:
    """Score a run by the family's own scorer, else by typed outcomes.

    An own scorer takes an item of a split or set that has no prediction for one without a response.

    Raises:
        InputError: A response of the judge, or an option, cannot be used.
        NotNowError: The model that judges did not answer every prompt.
    """
    scorer = evaluation.scorer
    if scorer is None:
        return score_all(gold, run.rows)
    request, rows = Request(settings.options), dict(run.rows)
    if settings.is_restricted:
        rows = {item: Prediction(item, None, None, run.name) for item in gold.table["item_id"].to_pylist()} | rows
    if settings.judge is not None and scorer.ask_judge is not None:
        prompts = scorer.ask_judge(gold, rows, request, settings.judges_all)
        request = Request(settings.options, settings.judge(prompts))
    return scorer.score(gold, rows, request)


def read_sample(
    dataset: str | Path,
    predictions: str | Path,
    family: str,
    evaluation: Evaluation,
    choose: Callable[[Predictions], Collection[int]],
) -> tuple[Predictions, Gold]:
    """Read predictions, and the gold of those that are chosen.

    Args:
        dataset: Folder of the dataset.
        predictions: File of predictions.
        family: Name of the family.
        evaluation: What it declares.
        choose: Chooses items of the predictions.

    Raises:
        InputError: The dataset or the file cannot be used; the message names the line.
    """
    manifest = load_manifest(dataset)
    choose_family(dataset, manifest, family)
    run = read_predictions(predictions, content_hash=str(manifest.get("content_hash")), family=family)
    try:
        return run, read_gold(dataset, family, evaluation, ids=choose(run))
    except UnknownItemError as error:
        raise InputError(f"{run.rows[error.item_id].place}: item {error.item_id} is not in {dataset}") from None


def _read_items(
    dataset: str | Path,
    family: str,
    evaluation: Evaluation,
    runs: Sequence[Predictions],
    settings: Settings,
) -> Gold:
    """Read the gold of a split or a set, else of the items of the runs; filters choose among these.

    Ids that are in no dataset are refused.
    """
    ids = sorted(set().union(*(run.rows for run in runs)))
    try:
        gold = read_gold(dataset, family, evaluation, ids=ids)
    except UnknownItemError as error:
        place = next(run.rows[error.item_id].place for run in runs if error.item_id in run.rows)
        raise InputError(f"{place}: item {error.item_id} is not in {dataset}") from None
    if not settings.is_restricted and not settings.filters:
        return gold
    chosen: dict[str, Any] = {"split": settings.split, "item_set": settings.item_set}
    chosen |= {} if settings.is_restricted else {"ids": ids}
    if settings.filters:
        chosen["ids"] = filter_ids(dataset, family, evaluation, settings.filters, **chosen)
    return read_gold(dataset, family, evaluation, **chosen)


def _describe(run: Predictions, gold: Gold, settings: Settings) -> dict[str, Any]:
    """Say what a file of predictions is, and how much of what is asked for it has."""
    rows = select_predicted(gold, run.rows).table.num_rows
    missing = {"missing": gold.table.num_rows - rows} if settings.is_restricted else {}
    left_out = {"left_out": len(run.rows) - rows} if settings.is_restricted or settings.filters else {}
    return {"file": run.name, "sha256": run.sha256, "models": list(run.models), "scored": rows, **missing, **left_out}


def _compare(second: Predictions, scored: Sequence[Scored], gold: Gold, settings: Settings) -> dict[str, Any]:
    """Compare the first run with the second."""
    first, other = scored
    shared = len(np.intersect1d(first.ids, other.ids))
    if not shared:
        raise InputError(f"{second.name}: no item is in both files of predictions")
    described = _describe(second, gold, settings)
    return {"predictions": described, "shared": shared, "tables": tabulate(other), "differences": compare(first, other)}


def _read_shortcuts(dataset: Path, family: str) -> list[dict[str, Any]]:
    """Read what shortcuts score, where the dataset's report says so."""
    try:
        report = json.loads((dataset / REPORT).read_text(encoding="utf-8"))
        found = report["families"][family]["shortcuts"]["scores"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return list(found)
