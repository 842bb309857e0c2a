"""Paths of outputs are checked before anything is computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.core.files import require_writable_files


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
