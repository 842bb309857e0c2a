"""Some questions of a dataset, to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

SHOWN = 5


def to_read(questions: Path) -> list[dict[str, Any]]:
    """Five questions of different types; where there are fewer types, several of one type.

    Args:
        questions: The folder of the table, on a local disk.

    Returns:
        question_id, type, question and answer, by type. Ids are hashes: the least of them are chosen.
    """
    with duckdb.connect() as db:
        table = db.read_parquet(str(questions / "*.parquet"))
        least = table.aggregate(f"type, min(question_id, {SHOWN}) AS ids").fetchall()
        turns = sorted((turn, number) for _, ids in least for turn, number in enumerate(ids))
        chosen = [number for _, number in turns[:SHOWN]]
        found = table.filter(duckdb.ColumnExpression("question_id").isin(*map(duckdb.ConstantExpression, chosen)))
        rows = found.project("question_id, type, question, answer").order("type, question_id")
        return [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]
