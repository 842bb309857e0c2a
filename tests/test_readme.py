"""README's commands and the readers' blocks run as they are pasted, on the sample's build."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from errors_in_files import ERRORS
from everwhen.cli.main import build_parser
from everwhen.core.build import Build
from everwhen.publish.summary import print_summary

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
READING = (ROOT / "docs" / "how-to" / "read.md").read_text(encoding="utf-8")
DEMO = "build/demo/dataset/demo"
NOT_RUN = ("make", "source")
"""What `.ci/run` has done before."""
ONLY_PARSED = ("everwhen build", "everwhen pull", "everwhen ask", "everwhen evaluate", "everwhen retrieve")
"""A build takes minutes, a pull asks Wikimedia, a model needs an endpoint: only the arguments are parsed."""


def find_blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def find_commands(text: str) -> list[str]:
    """The commands of the blocks for the shell, without comments."""
    lines = [re.sub(r"\s+# .*", "", line) for block in find_blocks(text, "sh") for line in block.splitlines()]
    return [line for line in lines if not line.startswith(NOT_RUN)]


@pytest.fixture
def checkout(sample_build: Build, tmp_path: Path) -> Path:
    """A folder like a checkout in which `make demo` ran."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "demo").symlink_to(sample_build.root)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    return tmp_path


def run(command: list[str], folder: Path) -> str:
    """Run a command in a folder; its output, that on stderr at the end."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HF_HOME": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 0, f"{command}: {ended.stderr}"
    return ended.stdout + ended.stderr


@pytest.mark.full
@pytest.mark.spark
def test_the_commands_of_the_readme_run_and_print_what_it_shows(sample_build: Build, checkout: Path) -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=120)
    print_summary(replace(sample_build, console=console), seconds=60)
    printed = screen.getvalue().replace(str(sample_build.root), "build/demo")
    for command in find_commands(README):
        parsed = re.sub(r"^snapshot=\$\((.*)\)$", r"\1", command)
        if parsed.startswith(ONLY_PARSED) and "--dry-run" not in parsed:
            build_parser().parse_args(parsed.split()[1:])
        else:
            printed += run(["bash", "-c", command], checkout)
    shown = [line for block in find_blocks(README, "text") for line in block.splitlines()]
    assert len(shown) > 10
    assert [line for line in shown if line not in printed] == []


@pytest.mark.full
@pytest.mark.spark
def test_the_blocks_for_readers_run_without_spark(checkout: Path) -> None:
    blocks = [block for block in find_blocks(README + READING, "python") if "SparkSession" not in block]
    assert len(blocks) == 7
    (checkout / "blocks.py").write_text("\n".join(blocks), encoding="utf-8")
    printed = run([sys.executable, "blocks.py"], checkout)
    assert printed.count("question") > 5


@pytest.mark.full
@pytest.mark.spark
def test_the_blocks_for_spark_run(
    spark: SparkSession, sample_dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = [block for block in find_blocks(README + READING, "python") if "SparkSession" in block]
    assert len(blocks) == 1
    for block in blocks:
        exec(block.replace(DEMO, str(sample_dataset)), {})
        assert re.search(r"^\|(question|type)\b|^\| *type\|", capsys.readouterr().out, re.M)


@pytest.mark.full
@pytest.mark.spark
def test_the_sql_of_the_concepts_runs(sample_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample_dataset)
    blocks = [
        block
        for page in sorted((ROOT / "docs" / "concepts").glob("*.md"))
        for block in find_blocks(page.read_text(encoding="utf-8"), "sql")
    ]
    assert blocks
    assert all(duckdb.sql(block).fetchall() for block in blocks)


@pytest.mark.full
@pytest.mark.spark
def test_the_rows_that_documents_show_are_of_the_sample(sample_dataset: Path) -> None:
    questions = duckdb.read_parquet(f"{sample_dataset}/complextempqa/questions/*.parquet")
    known = dict(questions.project("question, array_to_string(answer, ' | ')").fetchall())
    shown = [
        (page.name, question, answer.replace("\\", ""))
        for page in [ROOT / "README.md", *sorted((ROOT / "docs" / "concepts").glob("*.md"))]
        for question, answer in re.findall(
            r"^\| ([^|]+\?) \| ((?:[^|]|\\\|)+) \|", page.read_text(encoding="utf-8"), re.M
        )
    ]
    assert len(shown) > 10
    assert [row for row in shown if known.get(row[1]) != row[2]] == []


def test_the_readme_counts_the_errors_that_are_planted() -> None:
    assert f"| {len(ERRORS)} of {len(ERRORS)} |" in README
