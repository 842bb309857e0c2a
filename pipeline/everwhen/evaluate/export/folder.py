"""A folder that appears complete or not at all."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path

from everwhen.core.errors import InputError
from everwhen.core.files import require_writable_parent
from everwhen.validate.manifest import MANIFEST

EXPORT = "export.json"
"""In the folder of each export, what it is of."""

DATASET_KEYS = frozenset({"content_hash", "families", "tables"})
EXPORT_KEYS = frozenset({"content_hash", "canary"})
"""Keys by which a manifest and the description of an export are recognized."""


@contextmanager
def create_folder(path: Path) -> Iterator[Path]:
    """Create a folder, which may be there if it is empty, under another name, and name it when all is written.

    Yields:
        The folder to write to.

    Raises:
        InputError: There is something already, it is within a dataset or another export, or it cannot be created.
    """
    if path.is_symlink() or (path.exists() and (not path.is_dir() or any(path.iterdir()))):
        raise InputError(f"{path}: not an empty folder; choose another, or remove it")
    _require_own_place(path)
    require_writable_parent(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}")
    part.mkdir()
    try:
        yield part
        part.replace(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _require_own_place(path: Path) -> None:
    """Refuse a folder within a dataset or an export: their files are listed, and these would be too many."""
    for folder in path.resolve().parents:
        for what, name, keys in (("a dataset", MANIFEST, DATASET_KEYS), ("an export", EXPORT, EXPORT_KEYS)):
            if _has_keys(folder / name, keys):
                raise InputError(f"{path}: within {what}, {folder}; choose a folder elsewhere")


def _has_keys(path: Path, keys: Set[str]) -> bool:
    """Whether a file is a JSON object with some keys; programs of all kinds write a manifest.json."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and keys <= found.keys()
