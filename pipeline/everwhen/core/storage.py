"""Files on any file system that Hadoop knows, by what object stores and disks can both do; and how they are named."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from py4j.protocol import Py4JJavaError
from pyarrow import fs
from pyspark.sql import SparkSession

from everwhen.core.errors import InputError
from everwhen.core.files import create_atomically

_GLOB = str.maketrans({character: f"\\{character}" for character in "\\{}[]*?"})


def find_input_files(spark: SparkSession, paths: Iterable[str], what: str) -> list[str]:
    """List the files that `paths` name, each once, sorted, escaped so that Spark takes them literally.

    A path that exists is taken as it is written: a file, or a folder (its files, not those of folders below it). Any
    other is a glob. Both may be on any file system that Hadoop knows. Files whose names begin with "_" or "." are no
    input, as everywhere in Spark.

    Args:
        paths: Paths or globs.
        what: What the files are, for the message: "dump".

    Raises:
        InputError: No path is given, or one has no file.
    """
    found: set[str] = set()
    for path in paths:
        files = _list_files(spark, path)
        if not files:
            raise InputError(f"{path}: no such {what} file")
        found.update(files)
    if not found:
        raise InputError(f"no {what} file is named")
    return [escape_glob(file) for file in sorted(found)]


def escape_glob(path: str) -> str:
    r"""Escape a path so that Spark takes it literally, and not for a glob.

    >>> escape_glob("build[a]/part-0.parquet")
    'build\\[a\\]/part-0.parquet'
    """
    return path.translate(_GLOB)


def _list_files(spark: SparkSession, path: str) -> list[str]:
    jvm: Any = spark.sparkContext._jvm
    at = jvm.org.apache.hadoop.fs.Path(path)
    system = at.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    statuses = [system.getFileStatus(at)] if system.exists(at) else list(system.globStatus(at) or [])
    files = []
    for status in statuses:
        below = list(system.listStatus(status.getPath())) if status.isDirectory() else [status]
        files += [s.getPath() for s in below if s.isFile()]
    return [file.toString() for file in files if file.getName()[:1] not in ("_", ".")]


def to_shell_path(uri: str) -> str:
    """A local file's path as the shell knows it; the address of any other file unchanged."""
    if not uri.startswith("file:"):
        return uri
    return "/" + unquote(uri.removeprefix("file:")).lstrip("/")


TAKEN = ("FileAlreadyExists", "RemoteFileChanged")
"""What Hadoop says where a file is there already; S3A, which creates it when it is closed, says the second."""


class Folder:
    """A folder on a Hadoop file system (local disk, HDFS, S3A, …).

    Nothing here relies on a rename being atomic: the one step that decides, `write_if_absent`, creates a file
    that must not be there yet.
    """

    def __init__(self, spark: SparkSession, path: str) -> None:
        """Take the folder at `path`, which need not exist."""
        self._spark = spark
        self._root = path.rstrip("/")
        jvm: Any = spark.sparkContext._jvm
        self._jvm = jvm
        self._path = jvm.org.apache.hadoop.fs.Path(self._root)
        conf = spark.sparkContext._jsc.hadoopConfiguration()
        self._fs = self._path.getFileSystem(conf)
        self._fs.setWriteChecksum(False)  # on a local disk Hadoop would put a hidden file beside each

    def __str__(self) -> str:
        """The folder's path."""
        return self._root

    @property
    def address(self) -> str:
        """The folder as processes elsewhere know it: a complete path on a local disk, else with scheme and host.

        A relative path, or one that leaves the file system to Hadoop's settings, means another place to a
        Python worker.
        """
        qualified = self._fs.makeQualified(self._path)
        return str(qualified.toUri().getPath() if self._fs.getScheme() == "file" else qualified.toString())

    def open_child(self, *names: str) -> Folder:
        """Open the folder below this one."""
        return Folder(self._spark, self.join_path(*names))

    def join_path(self, *names: str) -> str:
        """Join a name to the path of this folder."""
        return "/".join([self._root, *names])

    def _to_path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self.join_path(name))

    def exists(self, name: str = "") -> bool:
        """Whether the folder, or `name` in it, exists."""
        return bool(self._fs.exists(self._to_path(name) if name else self._path))

    def list_files(self) -> list[dict[str, Any]]:
        """List the files and folders in this one: name, bytes, folder (bool)."""
        if not self.exists():
            return []
        return [
            {"name": s.getPath().getName(), "bytes": s.getLen(), "folder": s.isDirectory()}
            for s in self._fs.listStatus(self._path)
        ]

    def read(self, name: str) -> str | None:
        """Read a small file; None where it is missing, or empty because its writer was killed."""
        if not self.exists(name):
            return None
        stream = self._fs.open(self._to_path(name))
        try:
            return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")) or None
        finally:
            stream.close()

    def write_if_absent(self, name: str, text: str) -> bool:
        """Create a small file with `text`; say whether this call created it.

        It is there whole or not at all: on a local disk it is linked to its name when it is complete, and an object
        store shows a file when it is closed. Elsewhere a writer that is killed may leave an empty file, which counts as
        absent.
        """
        if self.exists(name) and self.read(name) is None:
            self.delete(name)
        if self._fs.getScheme() == "file":
            with suppress(NotImplementedError):
                return create_atomically(Path(self._to_local(self.join_path(name))), text)
        stream = None
        try:
            stream = self._fs.create(self._to_path(name), False)
            stream.write(bytearray(text.encode()))
            stream.close()
        except Py4JJavaError as error:
            if any(sign in str(error.java_exception) for sign in TAKEN):
                return False
            if stream is not None:
                self.delete(name)
            raise
        return True

    def copy_from(self, source: str, name: str) -> None:
        """Put the file at `source` (same file system) here as `name`: a file that exists is never changed.

        On a local disk it is linked, which takes neither time nor room.
        """
        if self._fs.getScheme() == "file":
            here, there = (Path(self._to_local(path)) for path in (source, self.join_path(name)))
            there.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # another device, or a file system without links
                os.link(here, there)
                return
        conf = self._spark.sparkContext._jsc.hadoopConfiguration()
        path = self._jvm.org.apache.hadoop.fs.Path(source)
        self._jvm.org.apache.hadoop.fs.FileUtil.copy(self._fs, path, self._fs, self._to_path(name), False, True, conf)

    def copy_local(self, source: Path, name: str) -> None:
        """Put a folder of this machine's disk here as `name`, unless it is that already."""
        if self._fs.getScheme() == "file" and Path(self._to_local(self.join_path(name))) == source.resolve():
            return
        self._fs.copyFromLocalFile(
            False, True, self._jvm.org.apache.hadoop.fs.Path(source.as_uri()), self._to_path(name)
        )

    def _to_local(self, path: str) -> str:
        return str(self._fs.makeQualified(self._jvm.org.apache.hadoop.fs.Path(path)).toUri().getPath())

    def delete(self, name: str = "") -> None:
        """Delete `name` and what is below it, if there."""
        self._fs.delete(self._to_path(name) if name else self._path, True)


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
