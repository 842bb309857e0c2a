"""The session: what a setting of the command line, of a configuration and of this tool means."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from everwhen.core.class_archive import QUIET

ROOT = Path(__file__).resolve().parents[2]
JOB = """
from everwhen.core.config import Spark
from everwhen.core.session import start_session
spark = start_session("settings", Spark(master="local[1]", shuffle_partitions=5))
print("seen", spark.conf.get("spark.sql.shuffle.partitions"), spark.conf.get("spark.sql.session.timeZone"),
      spark.sparkContext.master)
"""


@pytest.mark.full
def test_settings_of_spark_submit_win(tmp_path: Path) -> None:
    """Java starts with the archive of classes that is installed, and says nothing of it."""
    job = tmp_path / "job.py"
    job.write_text(JOB)
    run = submit(job, tmp_path, "--conf", "spark.sql.shuffle.partitions=7")
    assert run.returncode == 0, run.stderr
    assert "seen 7 UTC local[2]" in run.stdout
    assert "cds" not in run.stderr


@pytest.mark.full
def test_spark_submit_needs_a_locale_for_accents(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(JOB)
    run = submit(job, tmp_path, after=["--out", "josé"], LC_ALL="C")
    assert run.returncode != 0
    assert "josé: Java reads names of files as ANSI_X3.4-1968; set LC_ALL=C.UTF-8 before spark-submit" in run.stderr
    assert "seen" not in run.stdout


def submit(
    job: Path, folder: Path, *before: str, after: Sequence[str] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    """Submit a job with options before it and arguments after it."""
    program = Path(sys.executable).parent / "spark-submit"
    return subprocess.run(
        [program, "--master", "local[2]", *before, job, *after],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "pipeline"),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_SUBMIT_OPTS": f"-XX:SharedArchiveFile={Path(sys.prefix) / 'spark-classes.jsa'} {QUIET}",
            **variables,
        },
    )
