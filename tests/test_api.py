"""The examples of docs/how-to/api.md run as they are printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import everwhen
from everwhen.core.build import Build
from everwhen.core.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "how-to" / "api.md"


@pytest.mark.full
@pytest.mark.spark
def test_the_examples_run_on_the_demo(sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "demo").symlink_to(sample_build.root)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len(examples) == 4
    script = tmp_path / "examples.py"
    script.write_text("\n".join(examples), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
    assert "('complextempqa', 'impliret', 'tdbench', 'time_benchmark')\nsample\n" in ended.stdout


@pytest.mark.full
@pytest.mark.spark
def test_a_split_that_there_is_not_is_refused(sample_build: Build) -> None:
    dataset = everwhen.load(Path(sample_build.root) / "dataset" / sample_build.config.version)
    counts = [
        dataset.items("complextempqa", split=split).aggregate("count(*)").fetchall()[0][0] for split in ("test", None)
    ]
    assert 500 < counts[0] < counts[1] / 2
    with pytest.raises(InputError, match="complextempqa has no split dev; it has "):
        dataset.items("complextempqa", split="dev")


def test_all_public_names_are_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in everwhen.__all__ if not name.startswith("_") and f"`everwhen.{name}`" not in page] == []
