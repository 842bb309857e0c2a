"""Each stage as a spark-submit job."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import STAGES, SUBMIT_SETTINGS, job_command, list_options
from small import Undisturbed, contents

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "configs" / "demo.yaml"
BIN = Path(sys.executable).parent

pytestmark = pytest.mark.full


def test_the_jobs_make_what_the_command_makes(undisturbed: Undisturbed, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for stage in STAGES:
        subprocess.run(
            [
                *(BIN / "spark-submit", "--master", "local[2]", *list_options(SUBMIT_SETTINGS)),
                *(*job_command(stage), "--config", undisturbed.config, "--out", out),
            ],
            check=True,
            cwd=tmp_path,
            env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        )
    assert contents(out) == contents(undisturbed.out)


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
