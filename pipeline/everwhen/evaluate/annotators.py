"""How well people who answered the same items agree, and how many golds they keep (TimE, section A.5)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from everwhen.core.errors import InputError
from everwhen.evaluate.agreement import iter_sheet
from everwhen.evaluate.gold import choose_family, locate_items
from everwhen.evaluate.intervals import estimate_mean, estimate_share
from everwhen.evaluate.tables import round_figure
from everwhen.validate.manifest import load_manifest

ANSWER, KEEPS = "answer", "keeps_gold"
"""The columns of a sheet: what an annotator answered and, if the sheet has it, whether the gold is right: yes or no."""

LEAST = 2
"""Annotators that can agree."""


@dataclass(frozen=True)
class Sheet:
    """What an annotator wrote.

    Attributes:
        answers: By item, the answer; an empty one is an answer, too.
        keeps: By item, whether the gold is kept; items of which nothing is said are not there.
        places: By item, the file and line.
    """

    answers: Mapping[int, str]
    keeps: Mapping[int, bool]
    places: Mapping[int, str]


def read_sheet(path: str | Path) -> Sheet:
    """Read the sheet of an annotator: CSV with the columns `item_id`, `answer` and perhaps `keeps_gold`.

    Raises:
        InputError: The file cannot be read, an item is there twice, or `keeps_gold` is neither yes, no nor empty; the
            message names the line.
    """
    answers: dict[int, str] = {}
    keeps: dict[int, bool] = {}
    places: dict[int, str] = {}
    for place, item, row in iter_sheet(Path(path), (ANSWER,)):
        word = (row.get(KEEPS) or "").strip().lower()
        if word not in ("", "yes", "no"):
            raise InputError(f"{place}: {KEEPS}: yes or no is expected, not {word}")
        answers[item], places[item] = row.get(ANSWER) or "", place
        if word:
            keeps[item] = word == "yes"
    return Sheet(answers, keeps, places)


def measure_annotators(
    dataset: str | Path, paths: Sequence[str | Path], *, family: str | None = None
) -> dict[str, Any]:
    """Measure how well annotators agree on the items of a family, by pairs of two who answered the same item.

    Returns:
        `family`, `annotators`, `items` and `pairs`, the numbers of these; `similarity`, the mean of the pairs with its
        interval, and `quartiles`; `exact`, the share of pairs whose words are the same; `kept`, the share of golds that
        more annotators keep than refuse, with `rows`, the items of which they say so; null where there are none.

    Raises:
        InputError: A sheet cannot be used, an item is not in the dataset, or no two annotators answered the same one.
        MachineFailed: Memory or disk does not suffice.
    """
    if len(paths) < LEAST:
        raise InputError("--annotator: two sheets or more are expected; give the option once for each")
    manifest = load_manifest(dataset)
    name = choose_family(dataset, manifest, family)
    sheets = [read_sheet(path) for path in paths]
    items = sorted(set().union(*(sheet.answers for sheet in sheets)))
    _require_known(sheets, locate_items(dataset, manifest, items), name)
    found = [each for one, other in combinations(sheets, 2) for each in _compare_sheets(one, other)]
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: no item was answered by two annotators")
    values = np.array(found)
    return {
        "family": name,
        "annotators": len(sheets),
        "items": len(items),
        "pairs": len(found),
        "similarity": estimate_mean(values)._asdict(),
        "quartiles": [round_figure(float(each)) for each in np.quantile(values, (0.25, 0.5, 0.75))],
        "exact": estimate_share(int((values == 1).sum()), len(found))._asdict(),
        "kept": _measure_kept(sheets),
    }


def _require_known(sheets: Sequence[Sheet], families: Mapping[int, Collection[str]], name: str) -> None:
    """Refuse items that a family does not have; `families` has those of each item."""
    for sheet in sheets:
        for item, place in sheet.places.items():
            if name not in families.get(item, ()):
                raise InputError(f"{place}: {name} has no item {item}")


def _compare_sheets(one: Sheet, other: Sheet) -> list[float]:
    """Compare the answers to each item that both have."""
    return [compare_words(one.answers[item], other.answers[item]) for item in one.answers if item in other.answers]


def compare_words(first: str, second: str) -> float:
    """Compare two answers by the Jaccard index of their words: 1 of the same set, 0 of none in common.

    >>> compare_words("from May 1998 to 2001", "May 1998"), compare_words("Kit.", "kit"), compare_words("", "")
    (0.4, 1.0, 1.0)
    """
    one, other = ({*re.findall(r"\w+", text.lower())} for text in (first, second))
    return len(one & other) / len(one | other) if one | other else 1.0


def _measure_kept(sheets: Sequence[Sheet]) -> dict[str, Any] | None:
    """Measure the share of golds that more annotators keep than refuse."""
    votes: dict[int, list[bool]] = defaultdict(list)
    for sheet in sheets:
        for item, keeps in sheet.keeps.items():
            votes[item].append(keeps)
    if not votes:
        return None
    kept = sum(2 * sum(each) > len(each) for each in votes.values())
    return {**estimate_share(kept, len(votes))._asdict(), "rows": len(votes)}
