"""A dataset of some dozens of questions, to be exported and scored: each template's question in many copies.

The copies differ in id and text, and are no questions that verify would find right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from asked import write_split_dataset
from tiny_dataset import FLIGHT, SOUND, WAR, build_question, build_timeframe

COPIES = 8
"""Of each question; the first half is in test, the second in train."""

EARLIER = build_question(
    7,
    "before_after",
    "Did Lauda Air Flight 004 happen before the Gulf War?",
    "no",
    [FLIGHT, WAR],
    type="2ac",
    polarity="earlier",
    timeframe=build_timeframe("1990-08-02", "1991-05-26"),
)


def write_scored_dataset(folder: Path) -> Path:
    """Write the dataset; its manifest says what exports repeat."""
    sound: list[dict[str, Any]] = [*SOUND.values(), EARLIER]
    rows = [
        {**row, "question_id": 100 * row["question_id"] + copy, "question": f"{row['question'][:-1]}{' again' * copy}?"}
        for row in sound
        for copy in range(COPIES)
    ]
    tested = [row["question_id"] for row in rows if row["question_id"] % 100 < COPIES // 2]
    write_split_dataset(folder, tested, rows)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest |= {"version": "scored", "snapshot": "2026-11-01", "templates_hash": "0123456789abcdef"}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder
