"""Shortcuts of a family that are scored item by item: rules that guess an answer without knowing the facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import open_items, select_table
from everwhen.evaluate.intervals import Values, estimate_mean
from everwhen.evaluate.items import Gold
from everwhen.evaluate.tables import Scored, round_figure
from everwhen.validate.manifest import load_manifest


@dataclass(frozen=True)
class ItemShortcuts:
    """What each shortcut scores on each item.

    Attributes:
        ids: The items, ascending.
        right: By shortcut, 1 where its guess is the answer, else 0.
        decided: By shortcut, 1 where it guesses.
    """

    ids: np.ndarray[Any, np.dtype[np.int64]]
    right: Mapping[str, Values]
    decided: Mapping[str, Values]

    def choose_best(self, scored: Scored, pool: str | None) -> Values:
        """Choose for each scored item the shortcut that is right most often in its pool, and say if it is right."""
        rows = np.searchsorted(self.ids, scored.ids)
        groups = np.array(scored.table[pool].to_pylist() if pool else [""] * len(rows), dtype=object).astype(str)
        best = np.zeros(len(rows))
        for group in np.unique(groups):
            members = np.flatnonzero(groups == group)
            # Of shortcuts that are right as often, the first by name.
            name = max(sorted(self.right), key=lambda name: self.right[name][rows[members]].sum())
            best[members] = self.right[name][rows[members]]
        return best

    def tabulate(self, gold: Gold, evaluation: Evaluation) -> dict[str, dict[str, dict[str, Any]]]:
        """Tabulate by slice and value: of each shortcut how often it is right, with its interval, and `decided`."""
        slices = {"all": ["all"] * len(self.ids)} | {name: gold.table[name].to_pylist() for name in evaluation.slices}
        tables: dict[str, dict[str, dict[str, Any]]] = {}
        for slice_, values in slices.items():
            members: dict[str, list[int]] = defaultdict(list)
            for row, value in enumerate(values):
                members[value].append(row)
            for value in sorted(members):
                rows = members[value]
                cell: dict[str, Any] = {"rows": len(rows)}
                for name in self.right:
                    estimate = estimate_mean(self.right[name][rows])._asdict()
                    decided = round_figure(float(self.decided[name][rows].mean()))
                    cell[name] = {key: round_figure(part) for key, part in estimate.items()} | {"decided": decided}
                tables.setdefault(slice_, {})[value] = cell
        return tables


def read_item_shortcuts(dataset: Path, gold: Gold, evaluation: Evaluation) -> ItemShortcuts | None:
    """Read what the shortcuts of a family score on the items of a gold; None where it declares none.

    Raises:
        InputError: The dataset cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    if evaluation.shortcuts is None:
        return None
    ids = gold.table["item_id"].to_numpy()
    with open_items(dataset, load_manifest(dataset), gold.family, ids=ids.tolist()) as db:
        rows = select_table(db, evaluation.shortcuts, f"{gold.family}: shortcuts").to_pylist()
    places = {item: place for place, item in enumerate(ids.tolist())}
    names = sorted({row["shortcut"] for row in rows})
    right = {name: np.zeros(len(ids)) for name in names}
    decided = {name: np.zeros(len(ids)) for name in names}
    for row in rows:
        right[row["shortcut"]][places[row["item_id"]]] = bool(row["is_right"])
        decided[row["shortcut"]][places[row["item_id"]]] = bool(row["is_decided"])
    return ItemShortcuts(ids, right, decided)
