"""The files of a published dataset, compared with its manifest before any row is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256
from everwhen.validate.database import open_dataset
from everwhen.validate.manifest import MANIFEST
from everwhen.validate.plan import CHECKS, SHARED

LEFT_BY_TOOLS = (".git", ".gitattributes", ".gitignore", ".cache", ".DS_Store")
"""Names of files and folders that git, the Hugging Face Hub and the Finder leave; no reader takes them for data."""

MAX_NAMED = 3
"""How many files, keys or totals a printed line names."""


@dataclass(frozen=True)
class FileComparison:
    """How the files of a dataset differ from those that the manifest lists; paths in the dataset, in order.

    Attributes:
        missing: Files that are listed, and not there.
        changed: Files with other bytes than were published.
        extra: Files that are not listed.
    """

    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    def describe(self) -> list[str]:
        """Say how many files differ in which way, and name the first: one text for each way."""
        ways = (("missing", self.missing), ("changed", self.changed), ("not in the manifest", self.extra))
        return [line for way, names in ways for line in count_and_name(names, "file", f" {way}")]


def compare_files(dataset: str | Path, manifest: Mapping[str, Any]) -> FileComparison:
    """Compare the files of a dataset with its manifest, by their sha256.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest; `files` may be missing from one that is not finished.

    Raises:
        PermissionError: A folder or a file may not be read.
    """
    folder = Path(dataset)
    listed = list_digests(manifest)
    missing = {name for name in listed if not (folder / name).is_file()}
    hashed = sorted(listed.keys() - missing)
    with ThreadPoolExecutor() as threads:  # hashing gives other threads Python's lock
        digests = threads.map(compute_sha256, map(folder.joinpath, hashed))
        changed = {name for name, digest in zip(hashed, digests, strict=True) if digest != listed[name]}
    extra = set(_walk(folder)) - {*listed, MANIFEST}
    return FileComparison(*(tuple(sorted(names)) for names in (missing, changed, extra)))


def list_digests(manifest: Mapping[str, Any]) -> dict[str, str]:
    """List the files of a dataset: by path, the sha256."""
    checks = {f"{CHECKS}/{name}": sha256 for name, sha256 in manifest["checks"].items()}
    return {**_list_table_files(manifest), **checks, **manifest.get("files", {})}


def _list_table_files(manifest: Mapping[str, Any]) -> dict[str, str]:
    """List the files of all tables: by path, the sha256."""
    tables = manifest["tables"].items()
    return {f"{table}/{file['name']}": file["sha256"] for table, entry in tables for file in entry["files"]}


def require_readable(
    dataset: str | Path, manifest: Mapping[str, Any], families: Sequence[str], found: FileComparison
) -> None:
    """Refuse a dataset if a file that the checks of some families read is missing, or changed so that none can read it.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        families: The families that are checked.
        found: How its files differ from the manifest.

    Raises:
        InputError: There is such a file; the message names it.
        MachineFailed: Memory or disk does not suffice.
    """
    folder = Path(dataset)
    if needed := [name for name in found.missing if _is_read(name, families)]:
        more = f", and {count_noun(len(needed) - 1, 'more file')}" if len(needed) > 1 else ""
        raise InputError(f"{folder / needed[0]}: missing{more}; without it nothing can be checked")
    tables = _list_table_files(manifest)
    for name in found.changed:
        if name in tables and _is_read(name, families):
            with open_dataset(f"{folder / name}: changed", {"changed": [folder / name]}) as db:
                # Every value is read: a count alone may be taken from what the end of the file says.
                db.execute("SELECT bit_xor(hash(COLUMNS(*))) FROM changed").fetchall()


def _is_read(name: str, families: Sequence[str]) -> bool:
    """Tell whether the checks of some families read a file."""
    first, _, rest = name.partition("/")
    if first == CHECKS:
        return rest in SHARED or (rest.split("/")[0] in families and rest.endswith((".sql", ".json")))
    return first == "facts" or first in families


def _walk(folder: Path) -> Iterator[str]:
    """Yield the paths of all files in a dataset, except those that tools leave."""

    def fail(error: OSError) -> None:
        raise error

    for parent, folders, files in os.walk(folder, onerror=fail):
        here = Path(parent)
        folders[:] = [name for name in folders if name not in LEFT_BY_TOOLS]
        yield from ((here / name).relative_to(folder).as_posix() for name in files if name not in LEFT_BY_TOOLS)


def count_and_name(found: Sequence[object], noun: str, where: str = "") -> list[str]:
    """Say how many were found, and name the first few; no text where there are none.

    >>> count_and_name(["a", "b", "c", "d"], "file", " missing")
    ['4 files missing: a, b, c and 1 more']
    """
    if not found:
        return []
    named = ", ".join(map(str, found[:MAX_NAMED]))
    more = f" and {len(found) - MAX_NAMED:,} more" if len(found) > MAX_NAMED else ""
    return [f"{count_noun(len(found), noun)}{where}: {named}{more}"]
