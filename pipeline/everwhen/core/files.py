"""Small files on a disk: written whole or not at all, and their checksums."""

from __future__ import annotations

import errno
import hashlib
import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PIECE = 1 << 20
"""Bytes of a file that are hashed at once."""


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file that is there whole or as it was before; its folder is made.

    One writer at a time: what a killed one has left behind, the next overwrites. A link stays, and its file is
    written. A device or a pipe cannot be replaced; it is written to.

    Args:
        path: The file.
        content: Its bytes, or its text, which is stored as UTF-8.

    Raises:
        OSError: The file cannot be written.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(_encode(content))
        return
    target = path.resolve()
    with _write_beside(target, f".{target.name}.part", content) as part:
        part.replace(target)


def create_atomically(path: Path, content: str | bytes) -> bool:
    """Write a file completely unless it exists, and return whether this call did.

    Args:
        path: The file.
        content: Its bytes, or its text, which is stored as UTF-8.

    Raises:
        NotImplementedError: The file system has no links.
        OSError: The file cannot be written.
    """
    with _write_beside(path, f".{path.name}.{uuid.uuid4().hex[:12]}", content) as part:
        try:
            os.link(part, path)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
                raise NotImplementedError from None
            raise
    return True


def compute_sha256(path: Path) -> str:
    """Return the SHA-256 of a file of any size, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def compute_digests(path: Path, algorithms: Sequence[str]) -> dict[str, str]:
    """Return digests of a file of any size in hexadecimal digits, by algorithm; it is read once.

    Args:
        path: The file.
        algorithms: Names as hashlib has them, such as sha256.
    """
    digests = {name: hashlib.new(name, usedforsecurity=False) for name in algorithms}
    with path.open("rb") as stream:
        while piece := stream.read(PIECE):
            for digest in digests.values():
                digest.update(piece)
    return {name: digest.hexdigest() for name, digest in digests.items()}


@contextmanager
def _write_beside(path: Path, name: str, content: str | bytes) -> Iterator[Path]:
    """Write a file called `name` beside `path`, flushed to the disk, and delete it afterwards if it still exists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(name)
    try:
        with part.open("wb") as stream:
            stream.write(_encode(content))
            stream.flush()
            os.fsync(stream.fileno())
        yield part
    finally:
        part.unlink(missing_ok=True)


def _encode(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
