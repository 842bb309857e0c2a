"""Dump files for the tests of this folder."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WRITERS: dict[str, Callable[[bytes], bytes]] = {".json": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}


@pytest.fixture
def dump(tmp_path: Path) -> Callable[..., str]:
    """Write lines (entities, redirects or bytes) as a dump file, compressed by its name; gives its path."""

    def write(*lines: dict[str, Any] | bytes, name: str = "dump.json") -> str:
        path = tmp_path / name
        text = b"".join((x if isinstance(x, bytes) else json.dumps(x).encode()) + b"\n" for x in lines)
        path.write_bytes(WRITERS[path.suffix](text))
        return str(path)

    return write
