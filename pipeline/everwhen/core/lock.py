"""One builder at a time in an output folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from everwhen.core.errors import InputError, NotNowError


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
    path = root.removeprefix("file://")
    if "://" in path:
        yield
        return
    made = not Path(path).exists()
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise InputError(f"{root}: cannot be used as output folder: {error.strerror}") from None
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            made = False
            raise NotNowError(
                f"{root}: another build is at work here; wait for its end, or take another folder"
            ) from None
        except OSError:  # a network disk that knows no locks
            made = False
        yield
    finally:
        if made:  # where nothing was written, the same command must find no folder that exists already
            with suppress(OSError):
                Path(path).rmdir()
        os.close(folder)
