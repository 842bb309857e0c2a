"""Statements that answers rest on, from a dataset of a few rows."""

from __future__ import annotations

from pathlib import Path

from everwhen.evaluate.evidence import read_evidence
from tiny_dataset import FAMILY, write_dataset


def test_statements_are_sentences_in_the_order_of_their_ids(tmp_path: Path) -> None:
    found = read_evidence(write_dataset(tmp_path / "tiny"), FAMILY, [2, 5]).to_pylist()
    assert [(row["item_id"], row["position"], row["sentence"]) for row in found] == [
        (2, 1, "Robert Zemeckis, position held: mayor (start time 1993-01-20, end time 2001-01)."),
        (5, 1, "Lauda Air Flight 004, country: Thailand."),
        (5, 2, "Doi Inthanon, elevation above sea level: 2565."),
    ]
