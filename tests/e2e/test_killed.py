"""A build that is killed or interrupted in each stage goes on where it was, and ends as if nothing had happened."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from everwhen.cli.job import run_job
from everwhen.cli.main import main
from hostile_world import UndisturbedBuild, read_contents, read_last_line
from jobs import build_job_command

pytestmark = [pytest.mark.full, pytest.mark.spark]


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


def job_of(stage: str, *options: object) -> list[object]:
    """The command that runs the job of a stage."""
    return [sys.executable, *build_job_command(stage), *options]


def end_in_its_midst(stage: str, sent: signal.Signals, command: list[object], out: Path) -> tuple[int, str]:
    """Send a signal to the driver alone when a stage is in its middle: what it has started has to notice.

    Returns:
        The exit code, and what was written to stderr.
    """
    in_its_midst, last = MIDST[stage]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        deadline = time.monotonic() + 600
        while not in_its_midst(out):
            assert run.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        run.send_signal(sent)
        _, stderr = run.communicate()
    assert not (out / last).exists(), f"{stage} was over before the driver was ended"
    return run.returncode, stderr


@pytest.mark.usefixtures("spark")
def test_a_build_ended_in_each_stage_ends_as_one_that_was_not(
    undisturbed: UndisturbedBuild, everwhen: str, tmp_path: Path
) -> None:
    """Runs that are ended are processes of their own; those that come to their end share the tests' session."""
    out = tmp_path / "out"
    options = ("--config", str(undisturbed.config), "--out", str(out))
    with subprocess.Popen([everwhen, "build", *options], stderr=subprocess.PIPE, text=True) as build:
        assert build.stderr
        assert any("1/5 sources" in line for line in build.stderr)
        build.kill()
    assert list(out.iterdir()) == [], "sources was over before the driver was killed"
    with pytest.raises(SystemExit) as ended:
        run_job("sources", options)
    assert ended.value.code == 0
    resume = [everwhen, "build", "--resume", *options]
    code, stderr = end_in_its_midst("facts", signal.SIGINT, job_of("facts", *options), out)
    assert "log level" not in stderr  # Spark's own words at its start
    assert (code, read_last_line(stderr)) == (130, "everwhen facts: interrupted")
    code, _ = end_in_its_midst("world", signal.SIGKILL, resume, out)
    assert code == -signal.SIGKILL
    code, stderr = end_in_its_midst("complextempqa", signal.SIGTERM, resume, out)
    assert (code, read_last_line(stderr)) == (130, "everwhen: interrupted; --resume continues from here")
    code, _ = end_in_its_midst("dataset", signal.SIGKILL, resume, out)
    assert code == -signal.SIGKILL
    assert main(resume[1:]) == 0
    assert read_contents(out) == read_contents(undisturbed.out)
    manifests = [folder / "dataset" / "small" / "manifest.json" for folder in (out, undisturbed.out)]
    assert manifests[0].read_bytes() == manifests[1].read_bytes()
