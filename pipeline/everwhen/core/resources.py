"""Data that the package brings along: where `templates/` is, and its hash."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


def find_templates() -> Path:
    """Find the folder `templates/`: inside the installed package, or at the root of a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_templates"
    return installed if installed.exists() else package.parents[1] / "templates"


@cache
def hash_templates() -> str:
    """Hash all files of `templates/` to sixteen hex digits: other templates make another table."""
    digest = hashlib.sha256()
    folder = find_templates()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
