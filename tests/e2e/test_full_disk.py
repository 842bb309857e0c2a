"""A disk that is full in each stage: one clear line, no half table, and the next run goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from small import Undisturbed, contents, told

from pipeline.run import STAGES

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]


class SmallDisk:
    """A file system in memory, which can be filled up but for a little."""

    said = "No space left on device"
    left = {"sources": 0, "facts": 60_000, "world": 20_000, "questions": 20_000, "dataset": 10_000}

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, stage: str, config: Path) -> subprocess.CompletedProcess[str]:
        """Run a stage; Spark's temporary files lie on the same disk."""
        command = [sys.executable, ROOT / "jobs" / f"{stage}.py", "--config", config, "--out", self.folder / "out"]
        env = {**os.environ, "SPARK_LOCAL_DIRS": str(self.folder / "scratch")}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=env)

    def run_starved(self, stage: str, config: Path) -> subprocess.CompletedProcess[str]:
        """The same while there is no room."""
        disk = os.statvfs(self.folder)
        filler = self.folder / "filler"
        filler.write_bytes(bytes(disk.f_bavail * disk.f_bsize - self.left[stage]))
        run = self.run(stage, config)
        filler.unlink()
        return run


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    mount = ["mount", "-t", "tmpfs", "-o", "size=96m", "none", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    yield SmallDisk(tmp_path)
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_full_disk_in_each_stage(undisturbed: Undisturbed, disk: SmallDisk) -> None:
    out = disk.folder / "out"
    for stage in STAGES:
        before = contents(out)
        starved = disk.run_starved(stage, undisturbed.config)
        assert (starved.returncode, starved.stdout) == (3, ""), starved.stderr
        reason = told(starved.stderr)
        assert reason.startswith(f"everwhen {stage}: {out}")
        assert disk.said in reason
        assert str(disk.folder / "scratch") in reason
        whole = contents(out)
        assert before.items() <= whole.items() < contents(undisturbed.out).items(), "a half table is visible"
        assert not (out / "dataset" / "small" / "manifest.json").exists()
        again = disk.run(stage, undisturbed.config)
        assert again.returncode == 0, again.stderr
    assert contents(out) == contents(undisturbed.out)
    ours, theirs = (pq.read_table(folder / "dataset/small/questions") for folder in (out, undisturbed.out))
    assert ours.num_rows > 0
    assert ours.sort_by("question_id").equals(theirs.sort_by("question_id"))
