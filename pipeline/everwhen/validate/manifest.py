"""The manifest of a published dataset, as its readers need it."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256

MANIFEST = "manifest.json"

FAMILY_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""What a family may be called: its name is a folder."""


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
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        below = sorted(p.parent.name for p in folder.glob(f"*/{MANIFEST}"))
        hint = f"; there is one in {folder / below[0]}" if below else ""
        raise InputError(f"{folder}: no {MANIFEST}, so this is no finished dataset{hint}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: damaged: {' '.join(str(error).split())}") from None
    require_shape(manifest, path)
    return dict(manifest)


def require_shape(manifest: Any, path: str | Path) -> None:
    """Refuse a manifest that lacks what its readers need.

    Raises:
        InputError: A key is missing or has the wrong type; the message names it.
    """
    if not isinstance(manifest, Mapping):
        raise InputError(f"{path}: damaged: not a JSON object")
    for key in ("tables", "families", "checks", "window"):
        if not isinstance(manifest.get(key), Mapping):
            raise InputError(f"{path}: damaged: no {key}")
    for name, table in manifest["tables"].items():
        files = table.get("files") if isinstance(table, Mapping) else None
        if not isinstance(files, list) or not all(isinstance(f, Mapping) and "name" in f for f in files):
            raise InputError(f"{path}: damaged: tables.{name} lists no files")
    for name, family in manifest["families"].items():
        if not FAMILY_NAME.fullmatch(name) or not isinstance(family, Mapping):
            raise InputError(f"{path}: damaged: families.{name} is no family")
    if not isinstance(manifest.get("lists", []), list):
        raise InputError(f"{path}: damaged: lists is no list")
    window_of(manifest, path)


def window_of(manifest: Mapping[str, Any], path: str | Path = MANIFEST) -> tuple[dt.date, dt.date]:
    """The first and the last day that a dataset is about.

    Raises:
        InputError: The manifest does not say.
    """
    try:
        days = manifest["window"]
        return dt.date.fromisoformat(days["start"]), dt.date.fromisoformat(days["end"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: damaged: window.start and window.end are dates") from None


def find_changed_files(dataset: str | Path, manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """Find the files that are missing, differ from those that were published, or lie beside them.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest: `tables` lists files, those of items with their sha256; `checks` gives the sha256 of
            each file.

    Returns:
        Their paths in the dataset, in order.
    """
    digests = {
        f"{table}/{file['name']}": str(file["sha256"])
        for table, entry in manifest["tables"].items()
        for file in entry["files"]
        if "sha256" in file
    }
    digests |= {f"checks/{name}": str(sha256) for name, sha256 in manifest["checks"].items()}
    folder = Path(dataset)
    listed = {f"{table}/{file['name']}" for table, entry in manifest["tables"].items() for file in entry["files"]}
    present = {f"{table}/{path.name}" for table in manifest["tables"] for path in (folder / table).glob("*.parquet")}
    missing = {name for name in listed | digests.keys() if not (folder / name).is_file()}
    changed = {name for name in digests.keys() - missing if compute_sha256(folder / name) != digests[name]}
    return tuple(sorted((present - listed) | missing | changed))
