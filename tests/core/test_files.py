"""Paths of outputs are checked before anything is computed."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from everwhen.core.errors import InputError, NotNowError
from everwhen.core.files import compute_sha256, create_atomically, lock_output, require_writable_files, write_atomically

WRITE = """
import resource, sys
from pathlib import Path
from everwhen.core import files
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
getattr(files, sys.argv[1])(Path(sys.argv[2]), "x" * 1001)
"""


def write_too_much(function: str, path: Path) -> str:
    """Write a file that does not fit, in a process of its own, and return the errors."""
    run = subprocess.run([sys.executable, "-c", WRITE, function, path], capture_output=True, text=True, check=False)
    return run.stderr


def test_a_created_file_that_does_not_fit_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    assert "File too large" in write_too_much("create_atomically", path)
    assert list(tmp_path.iterdir()) == []
    assert create_atomically(path, "x")
    assert not create_atomically(path, "y")
    assert path.read_text() == "x"


def test_a_file_stays_as_it_was_where_the_new_one_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "pull.json"
    path.write_text("x")
    assert "File too large" in write_too_much("write_atomically", path)
    assert [file.name for file in tmp_path.iterdir()] == ["pull.json"]
    assert path.read_text() == "x"


@pytest.mark.parametrize(("content", "stored"), [("é\r\n", b"\xc3\xa9\r\n"), (b"\x00\xff", b"\x00\xff"), ("", b"")])
def test_what_is_written_is_stored_as_it_is(tmp_path: Path, content: str | bytes, stored: bytes) -> None:
    path = tmp_path / "new" / "file"
    for _ in range(2):
        write_atomically(path, content)
        assert path.read_bytes() == stored
    assert os.listdir(path.parent) == ["file"]
    assert compute_sha256(path) == hashlib.sha256(stored).hexdigest()


def test_of_many_writers_one_wins(tmp_path: Path) -> None:
    texts = [str(number) * 10_000 for number in range(8)]
    for attempt in range(20):
        path = tmp_path / str(attempt)
        with ThreadPoolExecutor(len(texts)) as pool:
            won = list(pool.map(lambda text, path=path: create_atomically(path, text), texts))
        assert won.count(True) == 1
        assert path.read_text() == texts[won.index(True)]
    assert len(list(tmp_path.iterdir())) == 20


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(path, "x")
    assert path.is_fifo()
    assert os.read(reader, 10) == b"x"
    os.close(reader)


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for content in ("x", "y"):
        write_atomically(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text() == content


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as raised:
        write_atomically(tmp_path, "x")
    assert raised.value.filename == str(tmp_path)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("folder", "b", "--first folder: a folder; the name of a file is expected"),
        ("a", "file/b", "file/b: .*/file is a file and no folder"),
        ("a", "file/b/c", "file/b/c: .*/file is a file and no folder"),
        ("a", "./folder/../a", "--second .*: is read or written by the same command; name another file"),
        ("a", "a/b", "--second a/b: is read or written by the same command"),
        ("a/b", "a", "--second a: is read or written by the same command"),
        ("a", "read", "--second read: is read or written by the same command"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused(here: Path, first: str, second: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        require_writable_files({"--first": Path(first), "--second": Path(second)}, [Path("read")])
    assert sorted(path.name for path in here.rglob("*")) == ["file", "folder"]


def test_files_new_folders_and_devices_are_accepted(here: Path) -> None:
    null = Path("/dev/null")
    require_writable_files({"--a": Path("file"), "--b": Path("new/x/y"), "--c": null, "--d": null, "--e": None})
    assert not (here / "new").exists()


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
