"""A file that a task writes itself, on a disk or in a store: hashed on its way there."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from pyarrow import fs


class HashedFile:
    """A file that is being written, for encoders that take a stream (`pyarrow.PythonFile`).

    Attributes:
        bytes: How many bytes it has so far.
        closed: Whether it is complete.
    """

    def __init__(self, folder: str, name: str) -> None:
        """Create a file.

        Args:
            folder: Path on a local disk, or address in a store; it is created if it is missing.
            name: Its name, which no other file there may have.
        """
        # Hadoop's name for Amazon's store is s3a, Arrow's is s3.
        uri = re.sub("^s3[an]://", "s3://", folder)
        system, path = fs.FileSystem.from_uri(uri) if ":/" in uri else (fs.LocalFileSystem(), uri)
        system.create_dir(path, recursive=True)
        self.bytes, self.closed = 0, False
        self._hash = hashlib.sha256()
        self._stream = system.open_output_stream(f"{path}/{name}")

    @property
    def sha256(self) -> str:
        """The sha256 of what was written, in hexadecimal digits."""
        return self._hash.hexdigest()

    def write(self, data: Any) -> int:
        """Write bytes."""
        self._hash.update(data)
        self._stream.write(data)
        self.bytes += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: no byte is kept back here."""

    def tell(self) -> int:
        """Return how many bytes there are."""
        return self.bytes

    def close(self) -> None:
        """Complete the file."""
        if not self.closed:
            self._stream.close()
            self.closed = True
