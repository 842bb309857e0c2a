"""Runs: files of predictions, the family of each prediction, and how the items were asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from everwhen.core.errors import InputError
from everwhen.evaluate.gold import choose_family, locate_items
from everwhen.evaluate.predictions import Prediction, Predictions, read_conditions

MAX_VALUES_SHOWN = 3
"""A setting with more values is shown by its number of values, or by its first and last."""


@dataclass(frozen=True)
class Run:
    """A file of predictions, or those of one of its conditions.

    Attributes:
        name: What reports call it: the name of its file, with folders where another has the same, and its condition.
        path: The file.
        sha256: Hash of its bytes.
        by_family: The predictions by the family of their items.
        left_out: How many predictions are for families that are not scored.
        file: The name without the condition.
        condition: The settings in which it differs from other runs of the file; None where there are none.
    """

    name: str
    path: Path
    sha256: str
    by_family: Mapping[str, Predictions]
    left_out: int = 0
    file: str = ""
    condition: str | None = None


def read_runs(
    dataset: str | Path, manifest: Mapping[str, Any], paths: Sequence[str | Path], family: str | None = None
) -> list[Run]:
    """Read files of predictions, each condition as a run; each prediction belongs to the family that has its item.

    Of a family that is given, predictions for others are left out, and counted.

    Raises:
        InputError: A file cannot be used, is given twice, names items that are not in the dataset, or has none of the
            family; the message names the line.
    """
    if family is not None:
        choose_family(dataset, manifest, family)
    files = list(map(Path, paths))
    require_different(files)
    content_hash = str(manifest.get("content_hash"))
    read = [read_conditions(file, content_hash=content_hash) for file in files]
    located = locate_items(dataset, manifest, set().union(*(each.rows for found in read for each in found.values())))
    runs = []
    for name, file, conditions in zip(name_files(files), files, read, strict=True):
        for condition, found in conditions.items():
            by_family, left_out = _divide(dataset, manifest, file, found, located, family)
            full = name if condition is None else f"{name} ({condition})"
            runs.append(Run(full, file, found.sha256, by_family, left_out, name, condition))
    return runs


def require_different(files: Sequence[Path]) -> None:
    """Refuse a file that is given twice.

    Raises:
        InputError: There is one.
    """
    seen: set[Path] = set()
    for file in files:
        if file.resolve() in seen:
            raise InputError(f"{file}: given twice; name each file of predictions once")
        seen.add(file.resolve())


def require_shared_families(families: Mapping[str, Sequence[str]]) -> None:
    """Require of several runs, each with its families, that each has one in common with another, to be compared.

    Raises:
        InputError: A run has none in common.
    """
    for run, own in families.items():
        others = {name: theirs for name, theirs in families.items() if name != run}
        if others and not any(name in theirs for theirs in others.values() for name in own):
            rest = ", ".join(f"{name} of {' and '.join(theirs)}" for name, theirs in others.items())
            mismatch = f"{run} has items of {' and '.join(own)} alone, {rest}"
            raise InputError(f"{mismatch}: nothing can be compared; evaluate {run} by itself")


def name_files(files: Sequence[Path]) -> list[str]:
    """Name files: without folders, or with as many as tell them apart.

    >>> name_files([Path("x/a.jsonl"), Path("y/a.jsonl"), Path("y/b.jsonl")])
    ['x/a.jsonl', 'y/a.jsonl', 'b.jsonl']
    """
    names = []
    for file in files:
        ends = ("/".join(file.parts[-depth:]) for depth in range(1, len(file.parts) + 1))
        others = [f"/{other.as_posix()}" for other in files if other != file]
        names.append(next((end for end in ends if not any(other.endswith(f"/{end}") for other in others)), str(file)))
    return names


def _divide(
    dataset: str | Path,
    manifest: Mapping[str, Any],
    file: Path,
    found: Predictions,
    located: Mapping[int, tuple[str, ...]],
    family: str | None,
) -> tuple[dict[str, Predictions], int]:
    """Divide predictions by family; return how many are left out, too."""
    if located.keys().isdisjoint(found.rows):
        raise InputError(f"{file}: no item of its predictions is in {dataset}; name the dataset that was asked")
    rows: dict[str, dict[int, Prediction]] = defaultdict(dict)
    left_out = 0
    for item, prediction in found.rows.items():
        own = _choose(dataset, manifest, prediction, located.get(item, ()))
        if family is not None and own != family:
            left_out += 1
        else:
            rows[own][item] = prediction
    if not rows:
        raise InputError(f"{file}: none of its {len(found.rows):,} predictions is for {family}")
    return {name: replace(found, rows=rows[name]) for name in manifest["families"] if name in rows}, left_out


def _choose(dataset: str | Path, manifest: Mapping[str, Any], prediction: Prediction, families: tuple[str, ...]) -> str:
    """Choose the family of a prediction: the one that it names, else the one that has its item."""
    named, place, item = prediction.family, prediction.place, prediction.item_id
    if named is not None and named not in manifest["families"]:
        known = ", ".join(manifest["families"])
        raise InputError(f"{place}: family: these are predictions for {named}, not for {known}")
    if not families:
        raise InputError(f"{place}: item {item} is not in {dataset}")
    if named is None and len(families) > 1:
        raise InputError(f'{place}: {" and ".join(families)} have an item {item}; add the key "family"')
    if named is not None and named not in families:
        raise InputError(f"{place}: family: item {item} is of {families[0]}, not of {named}")
    return named or families[0]


def summarize_settings(rows: Mapping[int, Prediction]) -> dict[str, str]:
    """Summarise how items were asked: of each setting its value, or its values.

    >>> summarize_settings({1: Prediction(1, "", None, "", {"shots": "0"}), 2: Prediction(2, "", None, "")})
    {'shots': '0 or not stated'}
    """
    keys = list(dict.fromkeys(key for row in rows.values() for key in row.settings))
    summary = {}
    for key in keys:
        values = sorted({row.settings[key] for row in rows.values() if key in row.settings})
        shown = (
            values if len(values) <= MAX_VALUES_SHOWN else [f"{len(values)} values from {values[0]} to {values[-1]}"]
        )
        is_everywhere = all(key in row.settings for row in rows.values())
        summary[key] = " or ".join([*shown, *([] if is_everywhere else ["not stated"])])
    return summary
