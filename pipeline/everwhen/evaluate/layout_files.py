"""Files in the layout of another release, with responses beside what is right, evaluated without a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256
from everwhen.evaluate.declaration import Evaluation, LayoutFile
from everwhen.evaluate.evaluation import collect_report
from everwhen.evaluate.family_runs import FamilyRuns
from everwhen.evaluate.item_shortcuts import ItemShortcuts
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Predictions
from everwhen.evaluate.runs import Run, name_files, require_different
from everwhen.evaluate.settings import RunSettings, require_options
from everwhen.evaluate.verdicts import list_verdicts


def evaluate_layout(
    paths: Sequence[str | Path], layout: str, evaluations: Mapping[str, Evaluation], settings: RunSettings
) -> dict[str, Any]:
    """Evaluate one or more files of a layout, each a run; several are compared on the items that all have.

    Returns:
        What `everwhen.evaluate.evaluation.evaluate` does, without a dataset and without shortcuts.

    Raises:
        InputError: No family reads the layout, or a file cannot be used; the message names the line and the key.
    """
    family = _choose_family(layout, evaluations)
    evaluation = evaluations[family]
    require_options(family, evaluation, settings)
    files = list(map(Path, paths))
    require_different(files)
    found = list(map(evaluation.readers[layout], files))
    runs = list(map(partial(_describe, family), name_files(files), files, found))
    gold = Gold(family, "", evaluation.slices, _join_tables([each.table for each in found]), {})
    job = FamilyRuns(gold, evaluation, settings, runs)
    scored = job.score()
    described = {family: job.describe(scored, ItemShortcuts({}, gold.table.slice(0, 0), {}))}
    return collect_report({}, settings, runs, described, [list_verdicts(scored[run.name], family, run) for run in runs])


def _choose_family(layout: str, evaluations: Mapping[str, Evaluation]) -> str:
    """Choose the family that reads a layout."""
    families = [name for name, each in evaluations.items() if layout in each.readers]
    if families:
        return families[0]
    known = sorted({name for each in evaluations.values() for name in each.readers})
    raise InputError(f"--layout {layout}: no such layout can be evaluated; there are {', '.join(known) or 'none'}")


def _describe(family: str, name: str, file: Path, found: LayoutFile) -> Run:
    sha256 = compute_sha256(file)
    return Run(name, file, sha256, {family: Predictions(file.name, sha256, found.rows)}, file=name)


def _join_tables(tables: Sequence[pa.Table]) -> pa.Table:
    """Join golds: each item once, by ascending id."""
    joined = pa.concat_tables(tables)
    _, places = np.unique(joined["item_id"].to_numpy(), return_index=True)
    return joined.take(pa.array(places))
