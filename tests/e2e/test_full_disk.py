"""A full disk, or files that may not grow, in each stage: one clear line, no half table, and the next run goes on."""

from __future__ import annotations

import io
import os
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest
from pyspark.sql import SparkSession

from everwhen.cli.job import run_job
from everwhen.core.build import Build
from everwhen.preflight import read_config
from everwhen.sources.stage import load_sources
from everwhen.stages import list_stages
from hostile_world import UndisturbedBuild, read_contents, read_last_line
from jobs import build_job_command

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]


class Disk:
    """A folder in which jobs can be starved of room."""

    message: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, stage: str, config: Path, limit: int | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a stage, its files no larger than so many bytes; Spark's temporary files lie on the same disk."""

        def limited() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        command = [sys.executable, *build_job_command(stage), "--config", config, "--out", self.folder / "out"]
        env = {**os.environ, "SPARK_LOCAL_DIRS": str(self.folder / "scratch"), **more}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=env, preexec_fn=limited)

    def run_starved(self, stage: str, config: Path) -> subprocess.CompletedProcess[str]:
        """The same while there is no room."""
        raise NotImplementedError


class SmallDisk(Disk):
    """A file system in memory, which can be filled up but for a little."""

    message = "No space left on device"
    left = {"sources": 0, "facts": 60_000, "world": 20_000, "complextempqa": 20_000, "dataset": 10_000}
    without_scratch = ("sources", "dataset")
    """Stages in which Spark exchanges hardly any data: they run in the session of the tests."""

    def run_starved(self, stage: str, config: Path) -> subprocess.CompletedProcess[str]:
        """The same while there is no room."""
        disk = os.statvfs(self.folder)
        filler = self.folder / "filler"
        filler.write_bytes(bytes(disk.f_bavail * disk.f_bsize - self.left[stage]))
        run = self.run_in_session(stage, config) if stage in self.without_scratch else self.run(stage, config)
        filler.unlink()
        return run

    def run_in_session(self, stage: str, config: Path) -> subprocess.CompletedProcess[str]:
        """Run a stage in the session of the tests."""
        out, err = io.StringIO(), io.StringIO()
        arguments = ["--config", str(config), "--out", str(self.folder / "out")]
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setenv("SPARK_LOCAL_DIRS", str(self.folder / "scratch"))
            with pytest.raises(SystemExit) as ended:
                run_job(stage, arguments)
        assert isinstance(ended.value.code, int)
        return subprocess.CompletedProcess(arguments, ended.value.code, out.getvalue(), err.getvalue())


class SmallFiles(Disk):
    """A folder in which no file may grow beyond some bytes."""

    message = "File too large"

    def run_starved(self, stage: str, config: Path) -> subprocess.CompletedProcess[str]:
        """The same with files of 100 bytes, or 2,000 where there are tables."""
        library = self.folder / "zstd.so"  # Java would unpack it first: a file too large
        if not library.exists():
            (jar,) = (Path(pyspark.__file__).parent / "jars").glob("zstd-jni-*.jar")
            with zipfile.ZipFile(jar) as packed:
                (name,) = (n for n in packed.namelist() if n.startswith(f"linux/{MACHINE}/") and n.endswith(".so"))
                library.write_bytes(packed.read(name))
        given = os.environ.get("SPARK_SUBMIT_OPTS", "")
        options = f"{given} -XX:-UsePerfData -DZstdNativePath={library}"
        return self.run(stage, config, limit=100 if stage == "sources" else 2000, SPARK_SUBMIT_OPTS=options)


MACHINE = {"x86_64": "amd64"}.get(os.uname().machine, os.uname().machine)
"""What Java calls this machine."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small disk; where mounting is not allowed, a folder of small files."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=96m", "none", str(tmp_path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        yield SmallFiles(tmp_path)
        return
    yield SmallDisk(tmp_path)
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def require_one_clear_line(disk: Disk, stage: str, undisturbed: UndisturbedBuild) -> None:
    """Run a stage that has no room: it says why it stops, and leaves no half table."""
    out = disk.folder / "out"
    before = read_contents(out)
    starved = disk.run_starved(stage, undisturbed.config)
    assert (starved.returncode, starved.stdout) == (3, ""), starved.stderr
    reason = read_last_line(starved.stderr)
    assert reason.startswith(f"everwhen {stage}: {out}")
    assert disk.message in reason
    assert str(disk.folder / "scratch") in reason
    complete = read_contents(out)
    assert before.items() <= complete.items() < read_contents(undisturbed.out).items(), "a half table is visible"
    assert not (out / "dataset" / "small" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("stage", "before"),
    [("facts", ["raw"]), ("dataset", ["raw", "facts", "world", "complextempqa", "evidence"])],
)
def test_files_that_may_not_grow(undisturbed: UndisturbedBuild, tmp_path: Path, stage: str, before: list[str]) -> None:
    """Where rows are written by Spark, and where by tasks in Python; the other stages write as one of these."""
    for folder in before:
        shutil.copytree(undisturbed.out / folder, tmp_path / "out" / folder)
    require_one_clear_line(SmallFiles(tmp_path), stage, undisturbed)


def test_a_full_disk_in_each_stage(spark: SparkSession, undisturbed: UndisturbedBuild, disk: Disk) -> None:
    out = disk.folder / "out"
    build = Build(spark, read_config(undisturbed.config), str(out))
    stages = list_stages(build.config)
    for stage in stages:
        require_one_clear_line(disk, stage, undisturbed)
        if stage != "sources":
            load_sources(build)
        stages[stage](build)
    assert read_contents(out) == read_contents(undisturbed.out)
    ours, theirs = (
        pq.read_table(folder / "dataset/small/complextempqa/questions") for folder in (out, undisturbed.out)
    )
    assert ours.num_rows > 0
    assert ours.sort_by("question_id").equals(theirs.sort_by("question_id"))
