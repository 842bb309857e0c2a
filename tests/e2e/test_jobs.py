"""Jobs that cannot do their stage say why. `tests/dags` builds the sample by jobs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "configs" / "demo.yaml"

pytestmark = pytest.mark.full


def test_a_job_whose_stage_before_is_missing_says_so(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "jobs" / "world.py", "--config", CONFIG, "--out", tmp_path / "out"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert run.returncode == 2
    assert "run the stage sources first" in run.stderr


def test_a_job_that_breaks_off_may_be_tried_again(tmp_path: Path) -> None:
    """Its exit code is not that of a check that failed, as Python's own would be."""
    (tmp_path / "out" / "raw").mkdir(parents=True)
    (tmp_path / "out" / "raw" / "sources.json").write_text("{")
    run = subprocess.run(
        [sys.executable, ROOT / "jobs" / "facts.py", "--config", CONFIG, "--out", tmp_path / "out"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert run.returncode == 70
    assert "JSONDecodeError" in run.stderr
