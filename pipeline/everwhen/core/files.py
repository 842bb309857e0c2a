"""Files and folders of this machine: written whole or not at all, checked before, locked, hashed."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from everwhen.core.errors import InputError, NotNowError


def require_writable_files(outputs: Mapping[str, Path | None], read: Iterable[Path] = ()) -> None:
    """Require outputs that can be written, each a file of its own or a device; missing folders may be created later.

    Args:
        outputs: The path that each option names, None where it names none.
        read: The files that the command reads.

    Raises:
        InputError: A path is a folder, cannot be written, or is read or written by the same command.
    """
    sources = {path.resolve() for path in read}
    taken: list[Path] = []
    for option, path in outputs.items():
        if path is None or _is_device(path):
            continue
        if path.is_dir():
            raise InputError(f"{option} {path}: a folder; the name of a file is expected")
        target = path.resolve()
        if target in sources or any(target.is_relative_to(other) or other.is_relative_to(target) for other in taken):
            raise InputError(f"{option} {path}: is read or written by the same command; name another file")
        require_writable_parent(path)
        taken.append(target)


def _is_device(path: Path) -> bool:
    """Tell whether there is a device or a pipe at a path: it is written to, and nothing is replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


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


@contextmanager
def lock_output(root: str) -> Iterator[None]:
    """Lock a build's folder; it is made if it is missing, and removed if it stays empty.

    The lock is the operating system's, on the folder itself: it ends with the process that holds it, however that ends,
    and leaves no file. An address with a scheme (`s3a://…`) is not locked, nor is a disk that knows no locks: there the
    manifests decide, each written only if absent, and no two builders should be sent (docs/operations/failures.md, "Two
    builds at once").

    Args:
        root: Folder of the build.

    Raises:
        NotNowError: Another process builds there.
        InputError: The folder cannot be made.
    """
    path = Path(root.removeprefix("file://"))
    if "://" in root.removeprefix("file://"):
        yield
        return
    made = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise InputError(f"{root}: cannot be used as output folder: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        raise NotNowError(f"{root}: another build is at work here; wait for its end, or take another folder") from None
    except OSError:  # a network disk that knows no locks
        made = False
    try:
        yield
    finally:
        if made:  # where nothing was written, the same command must find no folder that exists already
            with suppress(OSError):
                path.rmdir()
        os.close(folder)


PIECE = 1 << 20
"""Bytes of a file that are hashed at once."""


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file that is there whole or as it was before; its folder is made.

    One writer at a time: what a killed one has left behind, the next overwrites. A link stays, and its file is
    written. A device or a pipe cannot be replaced; it is written to.

    Args:
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
