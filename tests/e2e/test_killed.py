"""A build that is killed in each stage goes on where it was, and ends as if nothing had happened."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobs import job_command
from small import Undisturbed, contents, told

pytestmark = pytest.mark.full


def begun(pattern: str, without: str) -> Callable[[Path], bool]:
    """Whether a file of the build is there, and another is not yet."""
    return lambda out: any(out.glob(pattern)) and not any(out.glob(without))


# When a stage is in its middle, and what it ends with. The stage sources leaves nothing before its end.
MIDST: dict[str, tuple[Callable[[Path], bool], str]] = {
    "facts": (begun("facts/*/rows-*", "facts/record_counts/manifest.json"), "facts/record_counts/manifest.json"),
    "world": (begun("world/names/rows-*", "world/record_counts/manifest.json"), "world/record_counts/manifest.json"),
    "complextempqa": (
        begun("complextempqa/questions/rows-*", "complextempqa/questions/manifest.json"),
        "complextempqa/record_counts/manifest.json",
    ),
    "dataset": (
        begun("dataset/small/complextempqa/questions/*.parquet", "dataset/small/manifest.json"),
        "dataset/small/manifest.json",
    ),
}


def rows(dataset: Path, table: str) -> list[dict[str, Any]]:
    """A published table, sorted by all its scalar columns."""
    found = pq.read_table(dataset / table)
    scalar = [f.name for f in found.schema if not pa.types.is_nested(f.type)]
    return found.sort_by([(name, "ascending") for name in scalar]).to_pylist()


@pytest.mark.parametrize(
    ("sent", "stage", "before", "is_job"),
    [
        (signal.SIGTERM, "complextempqa", ("raw", "facts", "world"), False),
        (signal.SIGINT, "facts", ("raw",), True),
    ],
    ids=["build-terminated", "job-interrupted"],
)
def test_what_is_interrupted_ends_at_once_and_says_so(
    undisturbed: Undisturbed,
    everwhen: str,
    tmp_path: Path,
    *,
    sent: signal.Signals,
    stage: str,
    before: tuple[str, ...],
    is_job: bool,
) -> None:
    out = tmp_path / "out"
    for folder in before:
        shutil.copytree(undisturbed.out / folder, out / folder)
    start = [sys.executable, *job_command(stage)] if is_job else [everwhen, "build", "--resume"]
    command = [*start, "--config", undisturbed.config, "--out", out]
    in_its_midst, last = MIDST[stage]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        deadline = time.monotonic() + 600
        while not in_its_midst(out):
            assert run.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        run.send_signal(sent)
        _, stderr = run.communicate()
    said = f"everwhen {stage}: interrupted" if is_job else "everwhen: interrupted; --resume goes on from here"
    assert (run.returncode, told(stderr)) == (130, said)
    assert not (out / last).exists()


def test_a_build_killed_in_each_stage_ends_as_one_that_was_not(
    undisturbed: Undisturbed, everwhen: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = [everwhen, "build", "--config", str(undisturbed.config), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as build:
        assert build.stderr
        assert any("1/5 sources" in line for line in build.stderr)
        os.kill(build.pid, signal.SIGKILL)
    assert list(out.iterdir()) == [], "sources was over before the driver was killed"
    for stage, (in_its_midst, last) in MIDST.items():
        build = subprocess.Popen([*command, "--resume"])
        deadline = time.monotonic() + 600
        while not in_its_midst(out):
            assert build.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(build.pid, signal.SIGKILL)  # the driver alone: what it has started has to notice
        build.wait()
        assert not (out / last).exists(), f"{stage} was over before the driver was killed"
    subprocess.run([*command, "--resume"], check=True)
    assert contents(out) == contents(undisturbed.out)
    dataset = out / "dataset" / "small"
    for name in ("manifest.json", "report.json", "README.md", "croissant.json"):
        assert (dataset / name).read_bytes() == (undisturbed.dataset / name).read_bytes(), name
    for table in ("complextempqa/questions", "facts/statements", "facts/entities"):
        assert rows(dataset, table) == rows(undisturbed.dataset, table) != []
