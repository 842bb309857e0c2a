"""Digests of a dataset's questions: one a column, whatever the order of the rows or their division into files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

BITS = 64
QUESTIONS = ("complextempqa/questions", "questions")
"""Where a dataset has its questions: today, and in releases up to 0.1."""


def questions_folder(dataset: Path) -> Path:
    """Find the folder of a dataset's questions."""
    return next(dataset / name for name in QUESTIONS if (dataset / name).is_dir())


def digest_questions(dataset: Path) -> dict[str, Any]:
    """Digest the questions of a dataset.

    A column's digest is the sum over its rows of the first 64 bits of md5(question_id, value as JSON), modulo 2^64.

    Args:
        dataset: Folder of a published dataset.

    Returns:
        rows: their number. columns: by name, sixteen hex digits.
    """
    rows = 0
    sums: dict[str, int] = {}
    for path in sorted(questions_folder(dataset).glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(batch_size=20_000):
            rows += batch.num_rows
            ids = [str(number).encode() for number in batch.column("question_id").to_pylist()]
            for name in batch.schema.names:
                values = map(_canonical, batch.column(name).to_pylist())
                added = sum(_first_bits(key + b"\x1f" + value) for key, value in zip(ids, values, strict=True))
                sums[name] = (sums.get(name, 0) + added) % 2**BITS
    return {"rows": rows, "columns": {name: f"{number:016x}" for name, number in sorted(sums.items())}}


_encode = json.JSONEncoder(sort_keys=True, default=str).encode  # `json.dumps` would make an encoder for each value


def _canonical(value: Any) -> bytes:
    """A value as JSON; dates and decimals as their text."""
    return _encode(value).encode()


def _first_bits(text: bytes) -> int:
    return int.from_bytes(hashlib.md5(text).digest()[: BITS // 8], "big")
