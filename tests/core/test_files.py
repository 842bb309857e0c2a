from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from everwhen.core.files import compute_sha256, create_atomically, write_atomically

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
