from __future__ import annotations

import os
from pathlib import Path

import pytest

from everwhen.core.errors import InputError, NotNowError
from everwhen.evaluate.append_only import open_append_only


def append(path: Path, lines: bytes) -> None:
    with open_append_only(path, b"{") as write:
        write(lines)


def test_lines_are_added_at_the_end(tmp_path: Path) -> None:
    append(tmp_path / "made" / "file", b"{1}\n")
    append(tmp_path / "made" / "file", b"{2}\n{3}\n")
    assert (tmp_path / "made" / "file").read_bytes() == b"{1}\n{2}\n{3}\n"


@pytest.mark.parametrize("rest", [b"{", b"{2", b""])
def test_a_line_without_its_end_is_cut_off(tmp_path: Path, rest: bytes) -> None:
    (tmp_path / "file").write_bytes(b"{1}\n" + rest)
    append(tmp_path / "file", b"{3}\n")
    assert (tmp_path / "file").read_bytes() == b"{1}\n{3}\n"


def test_nothing_is_cut_off_another_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a letter\nwithout end")
    with pytest.raises(InputError, match="file: the last line is of another kind of file"):
        append(tmp_path / "file", b"{1}\n")
    assert (tmp_path / "file").read_bytes() == b"a letter\nwithout end"


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    refused = pytest.raises(NotNowError, match="file: another process writes this file")
    with open_append_only(tmp_path / "file", b"{"), refused:
        append(tmp_path / "file", b"{1}\n")
    append(tmp_path / "file", b"{1}\n")
    assert (tmp_path / "file").read_bytes() == b"{1}\n"


def test_a_line_that_the_disk_does_not_take_is_not_there_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(tmp_path / "file", b"{1}\n")
    write = os.write

    def write_two_bytes(descriptor: int, content: bytes) -> int:
        if not content.startswith(b"{"):
            raise OSError(28, "No space left on device")
        return write(descriptor, content[:2])

    with open_append_only(tmp_path / "file", b"{") as write_line, monkeypatch.context() as patch:
        patch.setattr(os, "write", write_two_bytes)
        with pytest.raises(OSError, match="No space left"):
            write_line(b"{2}\n")
    assert (tmp_path / "file").read_bytes() == b"{1}\n"
