from __future__ import annotations

import pytest

from everwhen.core.storage import to_shell_path


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
