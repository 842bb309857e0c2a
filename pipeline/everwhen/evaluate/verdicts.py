"""The verdict on each response, as a table to read: what was read as the answer, what became of it, and why."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.core.errors import InputError
from everwhen.evaluate.runs import Run
from everwhen.evaluate.tables import Scored

COLUMNS = ("item_id", "question", "answer")
"""The columns of the gold that a verdict repeats; the slices follow what was read."""
SUFFIXES = (".parquet", ".jsonl")


def require_suffix(path: Path | None) -> None:
    """Refuse a file of verdicts whose name does not say its format.

    Raises:
        InputError: The message names the formats.
    """
    if path is not None and path.suffix not in SUFFIXES:
        raise InputError(f"--verdicts {path}: a name that ends in {' or '.join(SUFFIXES)} is expected")


def list_verdicts(scored: Scored, family: str, run: Run) -> pa.Table:
    """List the verdicts of a run on a family.

    Returns:
        One row an item: family, run, item_id, question, answer, `final_answer` (what was read as the answer),
        `outcome`, `why` (not null of what is not right), `response` and `model` (null where the predictions have none),
        and the slices.
    """
    count = len(scored.ids)
    predictions = run.by_family[family].rows
    predicted = [predictions.get(item) for item in scored.ids.tolist()]
    slices = [name for name in (*scored.scheme.slices, *scored.slices) if name not in COLUMNS]
    return pa.table(
        {"family": pa.repeat(family, count), "run": pa.repeat(run.name, count)}
        | {name: scored.table[name] for name in COLUMNS}
        | {name: _list_texts(scored.verdicts, name) for name in ("final_answer", "outcome", "why")}
        | {name: _list_texts(predicted, name) for name in ("response", "model")}
        | {name: scored.table[name] for name in slices}
    )


def _list_texts(rows: Sequence[object], name: str) -> pa.Array:
    """List an attribute of rows, some of which may be None."""
    return pa.array([getattr(row, name, None) for row in rows], pa.string())


def encode_verdicts(verdicts: pa.Table, suffix: str) -> bytes:
    """Encode verdicts as a file of parquet or JSON Lines."""
    if suffix == ".jsonl":
        return b"".join(orjson.dumps(row, default=str) + b"\n" for row in verdicts.to_pylist())
    file = io.BytesIO()
    pq.write_table(verdicts, file, compression="zstd")
    return file.getvalue()
