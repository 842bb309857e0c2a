"""Runs evaluated: predictions read, scored, tabulated and compared, as one object of JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.family_runs import FamilyRuns
from everwhen.evaluate.filters import filter_ids
from everwhen.evaluate.gold import Chosen, UnknownItemError, choose_family, read_gold
from everwhen.evaluate.intervals import LEVEL, METHOD
from everwhen.evaluate.item_shortcuts import read_item_shortcuts
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Predictions, read_predictions
from everwhen.evaluate.runs import Run, read_runs, require_shared_families
from everwhen.evaluate.settings import RunSettings, narrow_settings
from everwhen.evaluate.tables import select_predicted
from everwhen.evaluate.verdicts import list_verdicts
from everwhen.validate.manifest import load_manifest


def evaluate(
    dataset: str | Path,
    predictions: str | Path | Sequence[str | Path],
    evaluations: Mapping[str, Evaluation],
    *,
    family: str | None = None,
    settings: RunSettings | None = None,
) -> dict[str, Any]:
    """Evaluate one or more files of predictions, each family of their items by itself.

    Args:
        dataset: Folder of the dataset.
        predictions: Files of predictions (`everwhen.evaluate.predictions`), each a run, or several where items are
            asked in several conditions.
        evaluations: What each family declares, by name.
        family: Only this family; by default all that the files have items of.
        settings: What is scored, and how; by default all that is predicted.

    Returns:
        `dataset`, `split`, `set`, `where` with filters, `options` where a family's own scorer was given some, and
        `interval` (level and method). `runs`: of each file, and of each of its conditions, `name`, `file`, `sha256`,
        `predictions` (how many), `scored`, and `condition` where there are several. `families`: by name what
        `FamilyRuns.describe` returns. `verdicts` (a table) where these are listed.

    Raises:
        InputError: The dataset or a file of predictions cannot be used, or a file can be compared with no other.
        MachineFailed: Memory or disk does not suffice.
        NotNowError: The model that judges did not answer every prompt.
    """
    settings = settings or RunSettings()
    manifest = load_manifest(dataset)
    choose_family(dataset, manifest, family)  # refuses a dataset without items
    paths = [predictions] if isinstance(predictions, (str, Path)) else list(predictions)
    runs = read_runs(dataset, manifest, paths, family)
    declared = _choose_evaluations(manifest, runs, evaluations)
    narrowed = narrow_settings(declared, settings)
    golds = _read_golds(dataset, declared, runs, settings)
    _require_scored(runs, golds)
    found, verdicts = {}, []
    for name, evaluation in declared.items():
        shortcuts = read_item_shortcuts(Path(dataset), golds[name], evaluation)  # before scores take memory, too
        job = FamilyRuns(golds[name], evaluation, narrowed[name], runs)
        scored = job.score()
        found[name] = job.describe(scored, shortcuts)
        verdicts += [list_verdicts(scored[run.name], name, run) for run in runs if run.name in scored]
    return collect_report(manifest, settings, runs, found, verdicts)


def collect_report(
    manifest: Mapping[str, Any],
    settings: RunSettings,
    runs: Sequence[Run],
    found: Mapping[str, Any],
    verdicts: Sequence[pa.Table],
) -> dict[str, Any]:
    """Collect what `evaluate` returns from what was `found` of each family; without a dataset, of an empty manifest."""
    chosen = {"where": dict(settings.filters), "options": dict(settings.options)}
    return {
        "dataset": {"content_hash": manifest.get("content_hash"), "version": manifest.get("version")},
        "split": settings.split,
        "set": settings.item_set,
        **{name: each for name, each in chosen.items() if each},
        "interval": {"level": LEVEL, "method": METHOD},
        "runs": [_describe_run(run, found) for run in runs],
        "families": found,
        # A slice that a family does not have is null.
        **({"verdicts": pa.concat_tables(verdicts, promote_options="default")} if settings.lists_verdicts else {}),
    }


def _choose_evaluations(
    manifest: Mapping[str, Any], runs: Sequence[Run], evaluations: Mapping[str, Evaluation]
) -> dict[str, Evaluation]:
    """Choose what the families of some runs declare, in the order of the manifest."""
    names = [name for name in manifest["families"] if any(name in run.by_family for run in runs)]
    for name in names:
        if name not in evaluations:
            raise InputError(f"{name}: this family does not say how answers are scored")
    return {name: evaluations[name] for name in names}


def drop_responses(found: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the responses to read: the figures alone of what `evaluate` returned."""
    families = {}
    for name, each in found["families"].items():
        runs = {run: {key: all_[key] for key in all_ if key != "responses"} for run, all_ in each["runs"].items()}
        families[name] = {**each, "runs": runs}
    return {**found, "families": families}


def read_sample(
    dataset: str | Path,
    predictions: str | Path,
    family: str,
    evaluation: Evaluation,
    choose: Callable[[Predictions], Collection[int]],
) -> tuple[Predictions, Gold]:
    """Read predictions, and the gold of the items that `choose` chooses of them.

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


def _read_golds(
    dataset: str | Path, evaluations: Mapping[str, Evaluation], runs: Sequence[Run], settings: RunSettings
) -> dict[str, Gold]:
    """Read the gold of each family; a split, set or filter that one of several has not is refused with a hint."""
    try:
        return {name: _read_items(dataset, name, each, runs, settings) for name, each in evaluations.items()}
    except UnknownItemError:
        raise
    except InputError as error:
        if len(evaluations) == 1 or not (settings.filters or settings.is_restricted):
            raise
        names = " and ".join(evaluations)
        raise InputError(f"{error}. The files have items of {names}: --family chooses one") from None


def _require_scored(runs: Sequence[Run], golds: Mapping[str, Gold]) -> None:
    """Require that each run has items which are asked for, and of a family that another run has, too."""
    families = {}
    for run in runs:
        families[run.name] = [
            name for name, found in run.by_family.items() if select_predicted(golds[name], found.rows).table.num_rows
        ]
        if not families[run.name]:
            count = sum(len(found.rows) for found in run.by_family.values())
            raise InputError(f"{run.path}: none of its {count:,} items is asked for")
    require_shared_families(families)


def _read_items(
    dataset: str | Path, family: str, evaluation: Evaluation, runs: Sequence[Run], settings: RunSettings
) -> Gold:
    """Read the gold of a split or a set, else of the items of the runs; filters choose among these."""
    chosen: Chosen = {"split": settings.split, "item_set": settings.item_set}
    if not settings.is_restricted:
        chosen["ids"] = sorted(set().union(*(run.by_family[family].rows for run in runs if family in run.by_family)))
    if settings.filters:
        chosen["ids"] = filter_ids(dataset, family, evaluation, settings.filters, **chosen)
    return read_gold(dataset, family, evaluation, **chosen)


def _describe_run(run: Run, found: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a file of predictions is, and how many of them are scored."""
    count = sum(len(each.rows) for each in run.by_family.values())
    scored = sum(family["runs"][run.name]["scored"] for family in found.values() if run.name in family["runs"])
    described = {"name": run.name, "file": run.path.name, "sha256": run.sha256, "predictions": count, "scored": scored}
    described |= {"condition": run.condition} if run.condition else {}
    return described | ({"of_other_families": run.left_out} if run.left_out else {})
