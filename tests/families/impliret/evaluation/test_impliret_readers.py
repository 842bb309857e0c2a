"""Readers without a model: the parser is right at any number of documents, the first document one time in K."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from everwhen.cli.main import main


@pytest.fixture(autouse=True)
def rouge() -> None:
    pytest.importorskip("rouge_score")


def read(dataset: Path, tmp_path: Path, reader: str, *counts: str) -> list[dict[str, Any]]:
    out = tmp_path / f"{reader}.jsonl"
    assert main(["impliret", "read", str(dataset), "--reader", reader, "--k", *counts, "--out", str(out)]) == 0
    return [json.loads(line) for line in out.read_text().splitlines()]


def evaluate(dataset: Path, tmp_path: Path, reader: str) -> dict[str, Any]:
    out = tmp_path / "out.json"
    assert main(["evaluate", str(dataset), str(tmp_path / f"{reader}.jsonl"), "--json", str(out)]) == 0
    found: dict[str, Any] = json.loads(out.read_text())["families"]["impliret"]["runs"]
    return {name: run["tables"] for name, run in found.items()}


def test_the_parser_is_always_right(dataset: Path, tmp_path: Path) -> None:
    rows = read(dataset, tmp_path, "parser", "1", "2")
    assert (len(rows), rows[-1]["settings"]) == (24, {"context": "oracle", "passages": 2})
    found = evaluate(dataset, tmp_path, "parser")
    assert len(found) == 2
    assert {tables["all"]["all"]["exact_match"]["value"] for tables in found.values()} == {1}
    assert {tables["all"]["all"]["rouge1_recall"]["value"] for tables in found.values()} == {1}


def test_the_parser_is_always_right_in_pools_that_are_composed(composed: Path, tmp_path: Path) -> None:
    read(composed, tmp_path, "parser", "30")
    (tables,) = evaluate(composed, tmp_path, "parser").values()
    assert tables["all"]["all"]["exact_match"]["value"] == 1


def test_the_first_of_one_document_is_right(dataset: Path, tmp_path: Path) -> None:
    read(dataset, tmp_path, "first", "1")
    (tables,) = evaluate(dataset, tmp_path, "first").values()
    assert tables["all"]["all"]["exact_match"]["value"] == 1


def test_the_first_of_two_documents_is_right_or_gives_the_answer_of_the_other(dataset: Path, tmp_path: Path) -> None:
    read(dataset, tmp_path, "first", "2")
    (tables,) = evaluate(dataset, tmp_path, "first").values()
    cell = tables["all"]["all"]
    assert 0 < cell["exact_match"]["value"] < 1
    assert cell["exact_match"]["value"] + cell["other_document"]["value"] == 1


def test_more_documents_than_a_set_has_are_refused(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["impliret", "read", str(dataset), "--reader", "first", "--k", "1", "3", "--out", str(out)]) == 2
    assert "--k 3: a set has 2 documents; a number from 1 to 2 is expected" in capsys.readouterr().err
    assert not out.exists()


def test_a_dataset_that_is_not_there_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["impliret", "read", str(tmp_path / "none"), "--reader", "first", "--out", str(out)]) == 2
    assert not out.exists()
