from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from everwhen.core.errors import InputError, NotNowError
from everwhen.core.files import lock_output

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sys, time
from everwhen.core.files import lock_output
with lock_output(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_folder_is_locked_until_its_builder_ends_however_it_ends(tmp_path: Path) -> None:
    out = tmp_path / "below" / "out"
    builder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(out)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "pipeline")},
    )
    with builder:
        assert builder.stdout
        assert builder.stdout.readline() == b"held\n"
        for path in (str(out), f"file://{out}"):
            with pytest.raises(NotNowError, match="out: another build is at work here"), lock_output(path):
                pytest.fail("held twice")
        with lock_output(str(tmp_path / "other")):
            builder.send_signal(signal.SIGKILL)
            builder.wait()
    with lock_output(str(out)):
        pass
    with lock_output(str(out)):  # let go at the end
        pass
    assert list(out.iterdir()) == []


def test_a_folder_in_which_nothing_was_written_does_not_stay(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a damaged file"), lock_output(str(tmp_path / "out")):
        raise InputError("a damaged file")
    assert not (tmp_path / "out").exists()
    with lock_output(str(tmp_path / "out")):
        (tmp_path / "out" / "raw").mkdir()
    assert (tmp_path / "out" / "raw").is_dir()


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match=f"{path}: cannot be used as output folder: "), lock_output(str(path)):
            pytest.fail("held")


def test_other_file_systems_are_not_locked() -> None:
    with lock_output("s3a://bucket/build"), lock_output("s3a://bucket/build"):
        pass
