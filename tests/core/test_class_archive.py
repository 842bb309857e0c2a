from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
def test_sessions_start_with_any_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "classes.jsa"
    if INSTALLED.exists():  # making it takes half a minute, which `make install` has done by the same command
        shutil.copy(INSTALLED, archive)
    else:
        subprocess.run([sys.executable, "-m", "everwhen.core.class_archive", archive], check=True)
    shares = subprocess.run(
        [f"{find_java_home()}/bin/java", "-Xshare:on", "-version"], capture_output=True, check=False
    )
    assert (archive.exists() and archive.stat().st_size > 0) == (shares.returncode == 0), (
        "Java adds to the archive of its own classes"
    )
    for content in (None, b"other"):
        if content:
            archive.unlink(missing_ok=True)
            archive.write_bytes(content)
        monkeypatch.setenv("SPARK_SUBMIT_OPTS", f"-XX:SharedArchiveFile={archive} -Xlog:disable -Xlog:all=error:stderr")
        run = subprocess.run([sys.executable, "-c", JOB], capture_output=True, text=True, check=True)
        assert run.stdout == "3\n"
        assert "cds" not in run.stderr
