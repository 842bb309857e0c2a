"""One build of the small world by the command, not disturbed but by two others that want its folder."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from small import FillOnce, Undisturbed, write_small_world

ROOT = Path(__file__).resolve().parents[2]
EVERWHEN = str(Path(sys.executable).parent / "everwhen")


@pytest.fixture(scope="session")
def everwhen() -> str:
    """The installed command."""
    return EVERWHEN


@pytest.fixture(scope="session")
def small_config(folder_filled_once: FillOnce) -> Path:
    """The small world's files, and a configuration that names them."""
    return folder_filled_once("small-config", write_small_world) / "small.yaml"


@pytest.fixture(scope="session")
def undisturbed(small_config: Path, folder_filled_once: FillOnce) -> Undisturbed:
    """The small world through `everwhen build`."""
    folder = folder_filled_once("undisturbed", lambda folder: _build_undisturbed(small_config, folder))
    others = json.loads((folder / "others.json").read_text())
    return Undisturbed(small_config, folder / "out", tuple(subprocess.CompletedProcess(**run) for run in others))


def _build_undisturbed(config: Path, folder: Path) -> None:
    out = folder / "out"
    arguments = ["--config", str(config), "--out", str(out)]
    build = subprocess.Popen([EVERWHEN, "build", *arguments])
    while not (out / "raw" / "sources.json").exists():
        assert build.poll() is None
        time.sleep(0.1)
    others = [
        subprocess.run(command, capture_output=True, text=True, check=False)
        for command in (
            [EVERWHEN, "build", *arguments, "--resume"],
            [EVERWHEN, "build", *arguments],
            [sys.executable, str(ROOT / "jobs" / "facts.py"), *arguments],
        )
    ]
    assert build.wait() == 0
    (folder / "others.json").write_text(json.dumps([vars(run) for run in others]))
