"""One build of the small world by the command, not disturbed but by two others that want its folder."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from small import Undisturbed, written

ROOT = Path(__file__).resolve().parents[2]
EVERWHEN = str(Path(sys.executable).parent / "everwhen")


@pytest.fixture(scope="session")
def everwhen() -> str:
    """The installed command."""
    return EVERWHEN


@pytest.fixture(scope="session")
def small_config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small world's files, and a configuration that names them."""
    return written(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def undisturbed(small_config: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The small world through `everwhen build`."""
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    arguments = ["--config", str(small_config), "--out", str(out)]
    build = subprocess.Popen([EVERWHEN, "build", *arguments])
    while not (out / "raw" / "sources.json").exists():
        assert build.poll() is None
        time.sleep(0.1)
    others = tuple(
        subprocess.run(command, capture_output=True, text=True, check=False)
        for command in (
            [EVERWHEN, "build", *arguments, "--resume"],
            [EVERWHEN, "build", *arguments],
            [sys.executable, str(ROOT / "jobs" / "facts.py"), *arguments],
        )
    )
    assert build.wait() == 0
    return Undisturbed(small_config, out, others)
