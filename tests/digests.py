"""Digests of a build: one a column of its questions, whatever the order of rows or their division into files.

As a script it prints those of a build's folder as JSON: `python tests/digests.py OUT VERSION`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

BITS = 64
QUESTIONS = ("complextempqa/questions", "questions")
"""Where a dataset has its questions: today, and in releases up to 0.1."""
NAMING_FILES = {"dump_rows", "entities", "rejects", "year_page_events", "evidence_items"}
"""Tables that say where in the input something stands, which follows how Spark splits it."""


def digest_build(out: Path, version: str) -> dict[str, Any]:
    """Digest the questions that a build has published, and all its tables.

    Args:
        out: Folder of the build.
        version: Name of its dataset.

    Returns:
        What `digest_questions` returns, and under "tables" what `list_tables` does.
    """
    return {**digest_questions(out / "dataset" / version), "tables": list_tables(out)}


def list_tables(out: Path) -> dict[str, str]:
    """List a build's tables and those of its dataset, but for those that name files: rows and content hash by name."""
    found = {}
    for path in sorted(out.glob("*/*/manifest.json")):
        manifest = json.loads(path.read_text())
        tables = {manifest["table"]: manifest} if "table" in manifest else manifest["tables"]
        for name, table in tables.items():
            if name.rpartition("/")[2] not in NAMING_FILES:
                found[f"{path.parent.parent.name}/{name}"] = f"{table['rows']} rows, {table['content_hash']}"
    return found


def find_questions_folder(dataset: Path) -> Path:
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
    for path in sorted(find_questions_folder(dataset).glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(batch_size=20_000):
            rows += batch.num_rows
            ids = [str(number).encode() for number in batch.column("question_id").to_pylist()]
            for name in batch.schema.names:
                values = map(_encode_value, batch.column(name).to_pylist())
                added = sum(_take_first_bits(key + b"\x1f" + value) for key, value in zip(ids, values, strict=True))
                sums[name] = (sums.get(name, 0) + added) % 2**BITS
    return {"rows": rows, "columns": {name: f"{number:016x}" for name, number in sorted(sums.items())}}


_encode = json.JSONEncoder(sort_keys=True, default=str).encode  # `json.dumps` would make an encoder for each value


def _encode_value(value: Any) -> bytes:
    """A value as JSON; dates and decimals as their text."""
    return _encode(value).encode()


def _take_first_bits(text: bytes) -> int:
    return int.from_bytes(hashlib.md5(text).digest()[: BITS // 8], "big")


if __name__ == "__main__":
    print(json.dumps(digest_build(Path(sys.argv[1]), sys.argv[2])))
