"""The report of a run scored by typed outcomes: the same bytes whatever scorers families bring."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from everwhen.cli.main import main
from scored_dataset import write_scored_dataset

SAID = ("{}", "Answer: {}", "I do not know", "1990", None, "nobody")
"""Responses with what is right in them; the next one for each question."""


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scored_dataset(tmp_path_factory.mktemp("scored") / "dataset")


def write_predictions(path: Path, rows: list[dict[str, Any]], shift: int) -> str:
    lines = []
    for row in rows:
        text = SAID[(row["question_id"] * 7 + shift) % len(SAID)]
        response = None if text is None else text.format("; ".join(row["answer"]))
        lines.append(json.dumps({"item_id": row["question_id"], "response": response, "model": "m"}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_the_report_of_typed_outcomes_keeps_its_bytes(dataset: Path, tmp_path: Path) -> None:
    rows = pq.read_table(dataset / "complextempqa/questions").sort_by("question_id").to_pylist()
    runs = [write_predictions(tmp_path / f"{name}.jsonl", rows, shift) for shift, name in enumerate("ab")]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(["evaluate", str(dataset), *runs, "--json", str(tmp_path / "r.json")])
    found = json.loads((tmp_path / "r.json").read_bytes())
    figures = found["families"]["complextempqa"]
    texts = (printed.getvalue(), json.dumps(figures))
    assert [hashlib.sha256(text.encode()).hexdigest() for text in texts] == [
        "ce9e57b32ecb3ba52ac1f05c9e5676df196a9d9ad544392167e4b21477c841d4",
        "f4376b6b46a9c3082cd1793e2729416ad97c84606a39a006658561aea2f8766e",
    ]
