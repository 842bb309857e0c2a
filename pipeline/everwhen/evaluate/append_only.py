"""Files that only grow, a line at a time, written by one process: what a killed one has begun, the next cuts off."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from everwhen.core.errors import InputError, NotNowError

Append = Callable[[bytes], None]
"""Writes lines, all of them or none; raises OSError where the file cannot be written."""


@contextmanager
def open_append_only(path: Path, begin: bytes) -> Iterator[Append]:
    """Open a file for this process alone; it is made if it is not there. A last line without its end is cut off.

    Args:
        path: The file.
        begin: How every line begins. What does not begin so is another file, of which nothing may be cut off.

    Raises:
        InputError: The last line does not begin so.
        NotNowError: Another process writes the file.
        OSError: The file cannot be opened.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotNowError(f"{path}: another process writes this file; wait for its end") from None
        rest = b""
        end = 0
        with path.open("rb") as stream:
            for line in stream:
                rest = b"" if line.endswith(b"\n") else line
                end += len(line) - len(rest)
        if not rest.startswith(begin[: len(rest)]):
            raise InputError(f"{path}: the last line is of another kind of file; name another file")
        os.ftruncate(descriptor, end)
        yield partial(_append, descriptor)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _append(descriptor: int, lines: bytes) -> None:
    size = os.fstat(descriptor).st_size
    try:
        while lines:
            lines = lines[os.write(descriptor, lines) :]
    except OSError:
        os.ftruncate(descriptor, size)  # or the next line would begin within one of these
        raise
