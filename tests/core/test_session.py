"""The session: what a setting of the command line, of a configuration and of this tool means."""

from __future__ import annotations

import os
import subprocess
import sys
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
    submit = Path(sys.executable).parent / "spark-submit"
    run = subprocess.run(
        [submit, "--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=7", job],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "pipeline"),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_SUBMIT_OPTS": f"-XX:SharedArchiveFile={Path(sys.prefix) / 'spark-classes.jsa'} {QUIET}",
        },
    )
    assert "seen 7 UTC local[2]" in run.stdout
    assert "cds" not in run.stderr
