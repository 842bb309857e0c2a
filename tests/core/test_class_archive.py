from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from everwhen.core.class_archive import QUIET
from everwhen.core.java import find_java_home

INSTALLED = Path(sys.prefix) / "spark-classes.jsa"
"""Where `make install` puts the archive; empty for a Java that makes none."""

JOB = """
from everwhen.core.config import Spark
from everwhen.core.session import start_session
spark = start_session("archived", Spark(master="local[1]"))
print(spark.range(3).count())
"""


@pytest.mark.full
def test_a_session_starts_with_an_archive_that_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one that fits, all sessions of a run start, and test_session.py looks at what Java says of it."""
    archive = tmp_path / "classes.jsa"
    archive.write_bytes(b"other")
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", f"-XX:SharedArchiveFile={archive} {QUIET}")
    run = subprocess.run([sys.executable, "-c", JOB], capture_output=True, text=True, check=True)
    assert run.stdout == "3\n"
    assert "cds" not in run.stderr


@pytest.mark.full
def test_java_with_an_archive_of_its_own_classes_adds_to_it(tmp_path: Path) -> None:
    archive = INSTALLED
    if not archive.exists():  # making it takes half a minute, which `make install` has done by the same command
        archive = tmp_path / "classes.jsa"
        subprocess.run([sys.executable, "-m", "everwhen.core.class_archive", archive], check=True)
    shares = subprocess.run(
        [f"{find_java_home()}/bin/java", "-Xshare:on", "-version"], capture_output=True, check=False
    )
    assert (archive.exists() and archive.stat().st_size > 0) == (shares.returncode == 0)
