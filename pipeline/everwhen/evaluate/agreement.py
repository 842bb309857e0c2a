"""How well a scorer agrees with people: precision, recall and F1 of each class (TDBench, sections D.2 and D.5)."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everwhen.core.errors import InputError
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import UnknownItemError, choose_family, read_gold
from everwhen.evaluate.intervals import estimate_share
from everwhen.evaluate.outcome import Outcome
from everwhen.evaluate.predictions import Predictions, read_predictions
from everwhen.evaluate.settings import RunSettings, require_options, score_run
from everwhen.evaluate.tables import ALL, Scored
from everwhen.validate.manifest import load_manifest

ITEM, JUDGEMENT = "item_id", "judgement"
"""The columns of a sheet that are read."""


@dataclass(frozen=True)
class Judgements:
    """What people judged.

    Attributes:
        classes: By item, the class.
        places: By item, the file and line.
        left_open: Lines without a judgement.
    """

    classes: Mapping[int, str]
    places: Mapping[int, str]
    left_open: int


def read_judgements(path: str | Path, classes: Sequence[str]) -> Judgements:
    """Read a sheet: CSV with the columns `item_id` and `judgement`, separated by commas or semicolons.

    A judgement is one of the classes, in any case, with spaces or underscores. A line without one is left out.

    Raises:
        InputError: The file cannot be read, an item is there twice, or a judgement is no class; the message names the
            line.
    """
    found: dict[int, str] = {}
    places: dict[int, str] = {}
    left_open = 0
    for place, item, row in iter_sheet(Path(path), (JUDGEMENT,)):
        name = "_".join((row.get(JUDGEMENT) or "").lower().replace("_", " ").split())
        if not name:
            left_open += 1
            continue
        if name not in classes:
            raise InputError(f"{place}: {JUDGEMENT}: {name}: no such class; there are {', '.join(classes)}")
        found[item], places[item] = name, place
    if not found:
        raise InputError(f"{path}: no line has a judgement")
    return Judgements(found, places, left_open)


def iter_sheet(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, int, Mapping[str, str | None]]]:
    """Iterate over the lines of a sheet of people: the place, the item, and all columns.

    Args:
        path: CSV, separated by commas or semicolons, with the column `item_id`.
        columns: Columns that it must have beside that.

    Raises:
        InputError: The file cannot be read, or an id is no whole number or there twice; the message names the line.
    """
    places: dict[int, str] = {}
    for place, row in _iter_rows(path, (ITEM, *columns)):
        item = (row.get(ITEM) or "").strip()
        if not item.isdecimal():
            raise InputError(f"{place}: {ITEM}: a whole number is expected, not {item!r}")
        if int(item) in places:
            raise InputError(f"{place}: item {int(item)} is there twice, first in {places[int(item)]}")
        places[int(item)] = place
        yield place, int(item), row


def _iter_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str | None]]]:
    if not path.is_file():
        raise InputError(f"{path}: {'a folder; give a file' if path.is_dir() else 'no such file'}")
    with path.open(encoding="utf-8-sig", newline="") as stream:
        try:
            header = stream.readline()
            stream.seek(0)
            reader = csv.DictReader(stream, delimiter=";" if header.count(";") > header.count(",") else ",")
            for column in columns:
                if column not in (reader.fieldnames or ()):
                    raise InputError(f"{path}: no column {column}; the columns {' and '.join(columns)} are expected")
            for row in reader:
                yield f"{path}:{reader.line_num}", row
        except (UnicodeDecodeError, csv.Error) as error:
            raise InputError(f"{path}: not CSV in UTF-8: {error}") from None


def measure_agreement(
    dataset: str | Path,
    judgements: str | Path,
    predictions: str | Path,
    evaluations: Mapping[str, Evaluation],
    *,
    family: str | None = None,
    settings: RunSettings | None = None,
) -> dict[str, Any]:
    """Compare the classes of a scorer with those of people, who judged predictions in a sheet (`read_judgements`).

    By default of the first family that has items, and without options of a scorer.

    Returns:
        `family`, `judged`, `left_open`, the number of lines without a judgement; by method, under `methods`, the
        `classes`, each with precision, recall, F1 and counts, and under `groups` the averages of the classes.

    Raises:
        InputError: A file cannot be used, or an item that was judged has no prediction.
        MachineFailed: Memory or disk does not suffice.
    """
    settings = settings or RunSettings()
    manifest = load_manifest(dataset)
    name = choose_family(dataset, manifest, family)
    if name not in evaluations:
        raise InputError(f"{name}: this family does not say how answers are scored")
    evaluation = evaluations[name]
    require_options(name, evaluation, settings)
    scorer = evaluation.scorer
    classes = scorer.classes if scorer else tuple(outcome.value for outcome in Outcome)
    judged = read_judgements(judgements, classes)
    run = read_predictions(predictions, content_hash=str(manifest.get("content_hash")), family=name)
    scored = _score_judged(dataset, name, evaluation, judged, run, settings)
    human = [judged.classes[item] for item in scored.table["item_id"].to_pylist()]
    methods = scorer.methods if scorer else {"typed outcome": list_outcomes}
    groups = scorer.judged_by if scorer else tuple((name,) for name in scored.scheme.slices)
    return {
        "family": name,
        "judged": len(human),
        "left_open": judged.left_open,
        "methods": {
            method: _tabulate(scored, human, classify(scored), classes, groups) for method, classify in methods.items()
        },
    }


def _score_judged(
    dataset: str | Path,
    family: str,
    evaluation: Evaluation,
    judged: Judgements,
    run: Predictions,
    settings: RunSettings,
) -> Scored:
    """Score the predictions that people judged."""
    for item, place in judged.places.items():
        if item not in run.rows:
            raise InputError(f"{place}: item {item} has no prediction in {run.name}")
    try:
        gold = read_gold(dataset, family, evaluation, ids=sorted(judged.classes))
    except UnknownItemError as error:
        raise InputError(f"{judged.places[error.item_id]}: item {error.item_id} is not in {dataset}") from None
    return score_run(gold, run, evaluation, settings)


def list_outcomes(scored: Scored) -> list[str]:
    """List the outcome of each item that was scored."""
    return [verdict.outcome for verdict in scored.verdicts]


def _tabulate(
    scored: Scored, human: Sequence[str], found: Sequence[str], classes: Sequence[str], groups: Sequence[Sequence[str]]
) -> dict[str, Any]:
    members: dict[str, list[int]] = {ALL: list(range(len(human)))}
    for columns in groups:
        values = zip(*(scored.table[column].to_pylist() for column in columns), strict=True)
        split: dict[str, list[int]] = defaultdict(list)
        for row, key in enumerate(values):
            split[", ".join(key)].append(row)
        members |= dict(sorted(split.items()))
    return {
        "classes": compare_classes(human, found, classes),
        "groups": {
            name: average_classes([human[row] for row in rows], [found[row] for row in rows], classes)
            for name, rows in members.items()
        },
    }


def compare_classes(human: Sequence[str], found: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Compare two judgements of the same items, class by class; classes that neither names are left out.

    Returns:
        By class `precision`, `recall` (null without such a judgement of the scorer, or of people), `f1`, and how often
        people (`human`), the scorer (`scorer`) and `both` name it.

    >>> compare_classes(["a", "a", "b"], ["a", "b", "b"], ["a", "b"])["a"]
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666, 'human': 2, 'scorer': 1, 'both': 1}
    """
    compared: dict[str, dict[str, Any]] = {}
    for name in classes:
        both = sum(a == b == name for a, b in zip(human, found, strict=True))
        by_people, by_scorer = human.count(name), found.count(name)
        if by_people or by_scorer:
            compared[name] = {
                "precision": both / by_scorer if by_scorer else None,
                "recall": both / by_people if by_people else None,
                "f1": 2 * both / (by_people + by_scorer),
                "human": by_people,
                "scorer": by_scorer,
                "both": both,
            }
    return compared


def average_classes(human: Sequence[str], found: Sequence[str], classes: Sequence[str]) -> dict[str, Any]:
    """Average precision, recall and F1 of the classes that people or scorer name, unweighted; and the equal share."""
    compared = compare_classes(human, found, classes).values()
    equal = estimate_share(sum(a == b for a, b in zip(human, found, strict=True)), len(human))
    averages = {name: float(np.mean([each[name] or 0 for each in compared])) for name in ("precision", "recall", "f1")}
    return {"rows": len(human), **averages, "equal": equal._asdict()}
