"""A dataset of a few rows with splits, to be asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tiny_dataset import FAMILY, SOUND, write_dataset


def write_split_dataset(
    folder: Path, test: Iterable[int] = (), questions: Iterable[Mapping[str, Any]] = tuple(SOUND.values())
) -> Path:
    """Write a dataset of these questions: those with these ids are in test, the others in train."""
    in_test = frozenset(test)
    rows = [{**row, "split": "test" if row["question_id"] in in_test else "train"} for row in questions]
    write_dataset(folder, rows)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["families"][FAMILY]["counts"]["split"] = Counter(str(row["split"]) for row in rows)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder
