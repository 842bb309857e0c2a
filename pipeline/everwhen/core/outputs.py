"""Files that a command will write, checked before it works: a run of hours must not fail at its end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from everwhen.core.errors import InputError


def require_writable_files(outputs: Mapping[str, Path | None], read: Iterable[Path] = ()) -> None:
    """Require outputs that can be written, each a file of its own. Their missing folders may be created later.

    A device or a pipe is accepted: it is written to, and nothing is replaced.

    Args:
        outputs: The path that each option names, None where it names none.
        read: The files that the command reads.

    Raises:
        InputError: A path is a folder, cannot be written, or is read or written by the same command.
    """
    sources = {path.resolve() for path in read}
    taken: set[Path] = set()
    for option, path in outputs.items():
        if path is None or (path.exists() and not path.is_file() and not path.is_dir()):
            continue
        if path.is_dir():
            raise InputError(f"{option} {path}: a folder; the name of a file is expected")
        target = path.resolve()
        if target in sources or any(
            target == other or target in other.parents or other in target.parents for other in taken
        ):
            raise InputError(f"{option} {path}: is read or written by the same command; name another file")
        require_writable_parent(path)
        taken.add(target)


def require_writable_parent(path: Path) -> None:
    """Require that a file or a folder can be created at a path.

    Raises:
        InputError: A part of the path is a file, or the folder is closed to us.
    """
    folder = next(folder for folder in path.resolve().parents if folder.exists())
    if not folder.is_dir():
        raise InputError(f"{path}: {folder} is a file and no folder; name another path")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path}: {folder} cannot be written; name another path")
