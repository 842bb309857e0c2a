"""A table of which nothing can be asked becomes a dataset all the same: every command says that it has no items."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import datasets
import pytest
from pyspark.sql import SparkSession

from everwhen import stages
from everwhen.cli.main import build_parser, main
from everwhen.families.tdbench.commands.build import configure
from everwhen.families.tdbench.source.times import NO_DIGIT
from everwhen.validate.verify import verify
from hostile_world import FillOnce

pytestmark = [pytest.mark.spark, pytest.mark.full]

DECLARATION = """table: early
from: {file: early.csv}
time: {start: Start, end: End, since: 2025-01-01, as_of: 2025-01-02, ask: [year]}
tfds: [{given: [Key], determines: [Value]}]
licence: CC0-1.0
"""
ROWS = "Key,Value,Start,End\nk,a,2001,2003\nk,b,2003,2005\nm,c,2001,2004\nm,d,soon,2004\n"
"""All of them ended before the table is complete."""

WHY = (
    f"no items; candidate: none; question: none; row: 4 read, 1 rejected (unreadable date soon in Start: {NO_DIGIT}: 1)"
)


@pytest.fixture(scope="module")
def folder(spark: SparkSession, folder_filled_once: FillOnce) -> Path:
    def write(folder: Path) -> None:
        (folder / "early.yaml").write_text(DECLARATION)
        (folder / "early.csv").write_text(ROWS)
        command = ["tdbench", "build", str(folder / "early.yaml"), "--out", str(folder / "out")]
        with contextlib.redirect_stderr(io.StringIO()) as screen:
            stages.run(configure(build_parser().parse_args(command)), str(folder / "out"))
        (folder / "screen.txt").write_text(screen.getvalue())

    return folder_filled_once("early", write)


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Path:
    return folder / "out" / "dataset" / "early"


def test_the_last_screen_says_why_and_shows_no_table(folder: Path) -> None:
    screen = (folder / "screen.txt").read_text()
    last = screen[screen.index("\nTDBench") :]
    assert last.splitlines()[1] == f"TDBench: {WHY}"
    assert "Checks:" in last.splitlines()[2]
    assert [line.split()[1] for line in last[last.index("Try next:") :].splitlines()[1:]] == ["verify"]


def test_it_is_verified(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = verify(dataset)
    assert (found.passed, found.rows, found.wrong) == (True, 0, 0)
    assert main(["verify", str(dataset)]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 0


def test_card_and_reports_say_why(dataset: Path) -> None:
    assert f"\n## TDBench\n\nTDBench has {WHY}.\n" in (dataset / "README.md").read_text()
    assert f"\n## TDBench\n\nTDBench has {WHY}.\n\n## Record counts\n" in (dataset / "report.md").read_text()
    assert f"<h3>TDBench</h3>\n<p>TDBench has {WHY}.</p>\n" in (dataset / "report" / "index.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "{dataset}", "1"), "no item 1; tdbench has no items, and report.md says why"),
        (("evaluate", "{dataset}", "{predictions}"), "tdbench has no items; report.md says why"),
        (("evaluate", "{dataset}", "{predictions}", "--family", "tdbench"), "tdbench has no items; report.md says why"),
        (("export", "jsonl", "{dataset}", "{out}"), "tdbench has no items; report.md says why"),
        (
            ("ask", "{dataset}", "--base-url", "http://localhost:9/v1", "--model", "m", "--out", "{out}"),
            "tdbench has no items; report.md says why",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_commands_that_need_items_end_in_one_line(
    dataset: Path, tmp_path: Path, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "predictions.jsonl").write_text('{"item_id": 1, "response": "a"}\n')
    places = {"dataset": dataset, "predictions": tmp_path / "predictions.jsonl", "out": tmp_path / "out"}
    assert main([argument.format(**places) for argument in arguments]) == 2
    assert capsys.readouterr().err == f"everwhen: {dataset}: {message}\n"
    assert not (tmp_path / "out").exists()


def test_its_other_tables_are_read_by_their_names(dataset: Path, tmp_path: Path) -> None:
    assert datasets.get_dataset_config_names(str(dataset)) == ["tdbench-declarations"]
    declared = datasets.load_dataset(str(dataset), "tdbench-declarations", split="train", cache_dir=str(tmp_path))
    assert declared["declaration"][:] == ["early"]
