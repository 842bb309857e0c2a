"""`everwhen tdbench answer`: what it writes, and that nothing is written of bad lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from everwhen.cli.main import main
from everwhen.families.tdbench.declaration.model import Declaration

CSV = "Key,Value,Start,End\na,u,1990,1995\na,v,1995,\n"
GOOD = '{"id": 7, "given": {"Key": "a"}, "asked": ["Value"], "conditions": {"start": {"after": "1990"}}}\n'


@pytest.fixture
def declared(declare: Callable[..., Declaration]) -> str:
    return str(declare(CSV, "start: Start, end: End, as_of: 2025-01-02").path)


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_it_writes_a_line_for_each_request(declared: str, tmp_path: Path) -> None:
    requests, out = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    requests.write_text(GOOD)
    assert main(["tdbench", "answer", declared, str(requests), "--out", str(out)]) == 0
    (found,) = map(json.loads, out.read_text().splitlines())
    assert (found["id"], found["answer"]) == (7, ["v"])
    assert found["references"] == [{"answer": "v", "role": "start", "date": "1995", "is_stated": False}]
    assert found["sql"].startswith("SELECT DISTINCT r.fields['Value'] AS answer FROM rows r WHERE")


def test_bad_lines_write_nothing(declared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    requests, out = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    requests.write_text(GOOD + GOOD.replace("Key", "Kez"))
    assert main(["tdbench", "answer", declared, str(requests), "--out", str(out)]) == 2
    assert capsys.readouterr().err == f"everwhen: {requests}:2: given: the table has no column Kez; did you mean Key?\n"
    assert not out.exists()
