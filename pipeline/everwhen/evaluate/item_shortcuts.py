"""What shortcuts score on the items that are scored, beside what models do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.intervals import Values, estimate_mean
from everwhen.evaluate.items import Gold
from everwhen.evaluate.shortcuts import find_best, open_guesses, read_scores
from everwhen.evaluate.tables import Rows, Tables, round_figure, tabulate_rows
from everwhen.validate.manifest import load_manifest


@dataclass(frozen=True)
class ItemShortcuts:
    """What shortcuts score on items.

    Attributes:
        trivial: By item what stands for a trivial reader: what the best shortcut of its template scores there, or if
            it is right on the item (`Shortcuts.counts_hits`).
        tried: The gold of the items that shortcuts were tried on, by ascending item_id.
        guesses: By shortcut, of each of these 1 where it is right, 0 where it is wrong, NaN where it has no opinion.
    """

    trivial: Mapping[int, float]
    tried: pa.Table
    guesses: Mapping[str, Values]

    def find_trivial(self, table: pa.Table) -> Values | None:
        """Find what stands for a trivial reader of each item of a table; None where no shortcut was tried."""
        if not self.trivial:
            return None
        return np.array([self.trivial[item] for item in table["item_id"].to_pylist()])

    def tabulate(self, slices: tuple[str, ...]) -> Tables:
        """Tabulate by slice and value: of each shortcut how often it is right, with its interval, and `decided`."""

        def describe(rows: Rows) -> dict[str, Any]:
            cell: dict[str, Any] = {"rows": len(rows)}
            for name, guesses in self.guesses.items():
                estimate = estimate_mean(np.nan_to_num(guesses[rows]))._asdict()
                estimate["decided"] = np.mean(~np.isnan(guesses[rows]))
                cell[name] = {key: round_figure(float(part)) for key, part in estimate.items()}
            return cell

        return tabulate_rows(self.tried, slices, describe)


def read_item_shortcuts(dataset: Path, gold: Gold, evaluation: Evaluation) -> ItemShortcuts:
    """Read what shortcuts score on the items of a gold, and on the templates of these.

    Raises:
        InputError: The dataset cannot be read.
        MachineFailed: Memory or disk does not suffice.
    """
    ids = gold.table["item_id"].to_pylist()
    with open_guesses(dataset, load_manifest(dataset), gold.family, evaluation) as db:
        db.execute("CREATE TABLE scored AS SELECT unnest($1::BIGINT[]) AS item_id", [ids])
        tried = db.execute("SELECT item_id FROM sample SEMI JOIN scored USING (item_id) ORDER BY 1").fetchall()
        found = db.execute("SELECT * FROM guesses SEMI JOIN scored USING (item_id) ORDER BY shortcut").fetchall()
        best = find_best(read_scores(db))
    places = {item: place for place, (item,) in enumerate(tried)}
    templates = dict(zip(ids, gold.table[evaluation.pool or "answer_type"].to_pylist(), strict=True))
    trivial = {item: best[name].trivial if name in best else 0.0 for item, name in templates.items()}
    if evaluation.shortcuts.counts_hits:
        trivial |= dict.fromkeys(places, 0.0)
        trivial |= {item: 1.0 for name, item, is_hit in found if is_hit and best[templates[item]].shortcut == name}
    return ItemShortcuts(trivial, gold.table.filter(pa.array([item in places for item in ids])), _spread(found, places))


def _spread(found: Sequence[tuple[str, int, bool]], places: Mapping[int, int]) -> dict[str, Values]:
    """Spread guesses over the places of items, by shortcut."""
    guesses = {name: np.full(len(places), np.nan) for name, _, _ in found}
    for name, item, is_hit in found:
        guesses[name][places[item]] = bool(is_hit)
    return guesses
