"""A folder that appears complete or not at all."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from everwhen.core.errors import InputError


@contextmanager
def create_folder(path: Path) -> Iterator[Path]:
    """Create a folder under a name of its own, and give it its name when all is written.

    Args:
        path: The folder; it may be there if it is empty.

    Yields:
        The folder to write to.

    Raises:
        InputError: There is something already.
    """
    if path.is_symlink() or (path.exists() and (not path.is_dir() or any(path.iterdir()))):
        raise InputError(f"{path}: not an empty folder; choose another, or remove it")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}")
    part.mkdir()
    try:
        yield part
        part.replace(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
