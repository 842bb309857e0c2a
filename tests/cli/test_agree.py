"""The command agree, on a dataset of a few rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from everwhen.cli.main import main
from tiny_dataset import SOUND, write_dataset


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """The dataset, a sheet and predictions."""
    dataset = write_dataset(tmp_path / "tiny")
    rows = [{"item_id": row["question_id"], "response": row["answer"][0]} for row in SOUND.values()]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "s.csv").write_text("item_id,judgement\n1,right\n2,wrong\n3,\n", encoding="utf-8")
    return [str(dataset), str(tmp_path / "s.csv"), str(tmp_path / "p.jsonl")]


def test_agreement_is_printed_and_written(paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", *paths, "--json", str(tmp_path / "a.json")]) == 0
    printed = capsys.readouterr().out
    assert "2 responses judged by people, 1 left open" in printed
    found = json.loads((tmp_path / "a.json").read_bytes())
    assert found["methods"]["typed outcome"]["classes"]["right"]["precision"] == 0.5


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("item_id,judgement\n1,fine\n", "s.csv:2: judgement: fine: no such class; there are right, coarse"),
        ("item_id,judgement\n99,right\n", "s.csv:2: item 99 has no prediction in p.jsonl"),
    ],
)
def test_a_sheet_that_cannot_be_used_is_one_line_and_exit_code_2(
    paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], sheet: str, message: str
) -> None:
    Path(paths[1]).write_text(sheet, encoding="utf-8")
    assert main(["agree", *paths, "--json", str(tmp_path / "a.json")]) == 2
    given = capsys.readouterr()
    assert message in given.err
    assert (given.err.count("\n"), (tmp_path / "a.json").exists()) == (1, False)
