"""A dump that is damaged within: the build stops and names it, and goes on with a sound one in another folder."""

from __future__ import annotations

import bz2
import subprocess
from pathlib import Path

import pytest
import yaml

from everwhen.cli.main import main
from hostile_world import read_contents, read_last_line

pytestmark = [pytest.mark.full, pytest.mark.spark]


@pytest.mark.usefixtures("spark")
def test_a_dump_that_is_damaged_within_stops_the_build(
    small_config: Path, everwhen: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first run is a process of its own, which shows what Java writes; the others share the tests' session."""
    config = yaml.safe_load(small_config.read_text())
    (sound,) = config["sources"]["dump"]
    dump, out = tmp_path / "damaged.json.bz2", tmp_path / "out"
    complete = bz2.decompress(Path(sound).read_bytes())
    lines = complete.splitlines(keepends=True)
    first, second = (bytearray(bz2.compress(b"".join(part))) for part in (lines[:100], lines[100:]))
    second[len(second) // 2 : len(second) // 2 + 8] = bytes(8)
    dump.write_bytes(first + second)  # both ends are as they should be
    arguments = ["build", "--config", str(small_config), "--out", str(out), "--dump", str(dump)]
    unreadable = f"everwhen: {dump}: cannot be read to its end: "
    run = subprocess.run([everwhen, *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 2, run.stderr
    assert read_last_line(run.stderr).startswith(unreadable)
    assert "facts/dump_rows" not in read_contents(out)
    assert main([*arguments, "--resume"]) == 2
    assert read_last_line(capsys.readouterr().err).startswith(unreadable)
    assert "facts/dump_rows" not in read_contents(out)
    dump.write_bytes(Path(sound).read_bytes())
    assert main([*arguments, "--resume"]) == 2
    assert (
        read_last_line(capsys.readouterr().err)
        == f"everwhen: {out}/raw: {dump.name} has changed since this build began; take a new output folder"
    )
