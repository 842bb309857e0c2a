"""The few-shot examples beside exported items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from everwhen.evaluate.ask.selection import Selection
from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.export.licences import Licences
from everwhen.evaluate.export.rows import iter_rows
from everwhen.evaluate.gold import open_items, read_gold

SHOTS = 16
"""Examples of each type, at most."""

LEAST_HASHES = """
WITH described AS ({shots}),
hashed AS (SELECT type, item_id, md5('export' || item_id) AS hash FROM described)
SELECT unnest(arg_min(item_id, hash, {count})) AS item_id FROM hashed GROUP BY type
"""


def read_examples(
    dataset: str | Path, manifest: Mapping[str, Any], family: str, evaluation: Evaluation, licences: Licences
) -> Iterator[dict[str, Any]]:
    """Read the few-shot examples as rows: of each type the items of train with the least hashes.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        family: Name of the family.
        evaluation: What the family declares.
        licences: Tells which items may be exported.

    Returns:
        Rows of `iter_rows`; none where there is no split train.
    """
    if evaluation.prompts is None or "train" not in manifest["families"][family]["counts"].get("split", {}):
        return iter(())
    ids = licences.keep_open(Selection(split="train")).selection.ids
    with open_items(dataset, manifest, family, ids=ids, split="train") as db:
        sql = LEAST_HASHES.format(shots=evaluation.prompts.shots, count=SHOTS)
        ids = [item for (item,) in db.execute(sql).fetchall()]
    return iter_rows(read_gold(dataset, family, evaluation, ids=ids))
