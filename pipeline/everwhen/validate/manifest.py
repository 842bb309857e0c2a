"""The manifest of a published dataset, as its readers need it."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from everwhen.core.errors import InputError

MANIFEST = "manifest.json"

FAMILY_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Names that a family may have: a family's name is a folder."""

TABLE_NAME = re.compile(rf"{FAMILY_NAME.pattern}/{FAMILY_NAME.pattern}")
"""Names that a table may have: its folder, in that of its family or in `facts`."""

FILE_NAME = re.compile(r"\w[\w.-]*\.parquet", flags=re.ASCII)
"""Names that a file of a table may have."""

FILE_KEYS = {"name": str, "bytes": int, "rows": int, "sha256": str}
"""Keys of each file of a table in a manifest, with their types."""


def load_manifest(dataset: str | Path) -> dict[str, Any]:
    """Load the manifest of a dataset.

    Raises:
        InputError: There is no such folder, it has no manifest and so is no finished dataset, or the manifest is
            damaged; the message names the file.
    """
    folder = Path(dataset)
    path = folder / MANIFEST
    if not folder.is_dir():
        reason = f"a file; give its folder, {folder.parent}" if folder.exists() else "no such folder"
        raise InputError(f"{folder}: {reason}")
    try:
        manifest = read_json(path)
    except FileNotFoundError:
        below = sorted(p.parent.name for p in folder.glob(f"*/{MANIFEST}"))
        hint = f"; there is one in {folder / below[0]}" if below else ""
        raise InputError(f"{folder}: no {MANIFEST}, so this is no finished dataset{hint}") from None
    require_shape(manifest, path)
    return dict(manifest)


def read_json(path: Path) -> Any:
    """Read a JSON file of a dataset.

    Raises:
        FileNotFoundError: It is missing.
        InputError: It cannot be read, or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: damaged: {' '.join(str(error).split())}") from None


def require_shape(manifest: Any, path: str | Path) -> None:
    """Refuse a manifest that lacks what its readers need.

    Raises:
        InputError: A key is missing or has the wrong type; the message names it.
    """
    if not isinstance(manifest, Mapping):
        raise InputError(f"{path}: damaged: not a JSON object")
    for key in ("tables", "families", "checks", "files", "window"):
        if not isinstance(manifest.get(key), Mapping):
            raise InputError(f"{path}: damaged: no {key}")
    for key in ("tables", "families"):
        if not manifest[key]:
            raise InputError(f"{path}: damaged: {key} is empty")
    for name, table in manifest["tables"].items():
        _require_files(name, table, path)
    _require_names(manifest, path)
    if not isinstance(manifest.get("lists", []), list):
        raise InputError(f"{path}: damaged: lists is no list")
    read_window(manifest, path)


def _require_names(manifest: Mapping[str, Any], path: str | Path) -> None:
    """Refuse families and files whose names lead out of the dataset."""
    for name, family in manifest["families"].items():
        if not FAMILY_NAME.fullmatch(name) or not isinstance(family, Mapping):
            raise InputError(f"{path}: damaged: families.{name} is no family")
    for name in (*manifest["checks"], *manifest["files"]):
        if not all(part.strip(".") for part in name.split("/")):
            raise InputError(f"{path}: damaged: {name} is no path in the dataset")


def _require_files(name: str, table: Any, path: str | Path) -> None:
    """Refuse what a manifest says of a table if its files cannot be found by it."""
    files = table.get("files") if isinstance(table, Mapping) else None
    if not isinstance(files, list) or not files:
        raise InputError(f"{path}: damaged: tables.{name} lists no files")
    if not TABLE_NAME.fullmatch(name):
        raise InputError(f"{path}: damaged: tables.{name} is no table")
    for file in files:
        _require_file(file, f"{path}: damaged: tables.{name}")
    if len({file["name"] for file in files}) < len(files):
        raise InputError(f"{path}: damaged: tables.{name} lists a file twice")


def _require_file(file: Any, source: str) -> None:
    """Refuse what a manifest says of a file if it lacks a key, or its name is none of a table's files."""
    for key, expected_type in FILE_KEYS.items():
        if not isinstance(file, Mapping) or type(file.get(key)) is not expected_type:
            raise InputError(f"{source}: a file without {key}")
    if not FILE_NAME.fullmatch(file["name"]):
        raise InputError(f"{source}: {file['name']} is no file of a table")


def read_window(manifest: Mapping[str, Any], path: str | Path = MANIFEST) -> tuple[dt.date, dt.date]:
    """Read the first and the last day of the window of a dataset.

    Raises:
        InputError: The manifest has no such days.
    """
    try:
        days = manifest["window"]
        return dt.date.fromisoformat(days["start"]), dt.date.fromisoformat(days["end"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: damaged: window.start and window.end are dates") from None


def sum_files(files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum up what a manifest says of the files of a table.

    Args:
        files: Of each file name, bytes, rows and sha256.

    Returns:
        rows, bytes, and content_hash: what `sha256sum *.parquet | sha256sum` prints in the table's folder.
    """
    sums: dict[str, Any] = {key: sum(file[key] for file in files) for key in ("rows", "bytes")}
    return {**sums, "content_hash": _hash_lines({file["name"]: file["sha256"] for file in files})}


def hash_tables(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Compute the content hash of a dataset: that of lines with the content hash and the name of each table.

    Args:
        tables: By name, what the manifest says of each table.
    """
    return _hash_lines({name: str(table.get("content_hash")) for name, table in tables.items()})


def _hash_lines(digests: Mapping[str, str]) -> str:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()
