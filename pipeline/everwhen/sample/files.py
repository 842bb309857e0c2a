"""Files of the sample."""

from __future__ import annotations

import bz2
from pathlib import Path


def write_file(path: Path, text: str) -> str:
    """Write a file, compressed where its name says so; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(bz2.compress(data) if path.suffix == ".bz2" else data)
    return str(path)
