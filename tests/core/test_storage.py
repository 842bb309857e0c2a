from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from everwhen.core.storage import HashedFile, to_shell_path


def test_what_is_written_is_hashed(tmp_path: Path) -> None:
    file = HashedFile(str(tmp_path / "new" / "folder"), "a.bin")
    assert [file.write(b"ab"), file.write(memoryview(b"c")), file.tell()] == [2, 1, 3]
    file.close()
    file.close()
    assert (tmp_path / "new" / "folder" / "a.bin").read_bytes() == b"abc"
    assert (file.bytes, file.closed, file.sha256) == (3, True, hashlib.sha256(b"abc").hexdigest())


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("file:///a/b%20c.json", "/a/b c.json"),
        ("file:/a/b+c%25.json", "/a/b+c%.json"),
        ("s3a://bucket/a%20b.json", "s3a://bucket/a%20b.json"),
    ],
)
def test_readable(uri, expected):
    assert to_shell_path(uri) == expected
