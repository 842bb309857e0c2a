"""The few-shot examples beside exported items."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.export.licences import Licences
from everwhen.evaluate.gold import open_items
from everwhen.evaluate.prompts import Prompts

SHOTS = 16
"""Examples of each type, at most."""

LEAST_HASHES = """
WITH described AS ({shots}),
hashed AS (SELECT type, item_id, md5('export' || item_id) AS hash FROM described)
SELECT unnest(arg_min(item_id, hash, {count})) AS item_id FROM hashed GROUP BY type
"""


def select_examples(
    dataset: str | Path, manifest: Mapping[str, Any], family: str, prompts: Prompts, licences: Licences
) -> list[int]:
    """Select the few-shot examples: of each type the items of train with the least hashes.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        family: Name of the family.
        prompts: Its prompts.
        licences: Tells which items may be exported.

    Returns:
        Their ids; none where there is no split train.
    """
    if "train" not in manifest["families"][family]["counts"].get("split", {}):
        return []
    ids = licences.keep_open(Selection(split="train")).selection.ids
    with open_items(dataset, manifest, family, ids=ids, split="train") as db:
        sql = LEAST_HASHES.format(shots=prompts.shots, count=SHOTS)
        return sorted(item for (item,) in db.execute(sql).fetchall())
