"""Files that a build reads: which they are, and a fingerprint of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import SparkSession

from everwhen.core.config import Sources
from everwhen.core.errors import InputError
from everwhen.core.paths import find_input_files, to_shell_path
from everwhen.sources.local_files import ENDS, find_damaged_end

EDGE = 1 << 20
"""Bytes at each end of a file that go into its fingerprint."""


def register(spark: SparkSession, sources: Sources) -> dict[str, str]:
    """Register the fingerprints of all files that `sources` names, by path.

    Raises:
        InputError: A path has no file, or a file is not compressed as its name says or not to its end; the message
            names its key.
    """
    fingerprints = {}
    for key, paths in sources.list_paths().items():
        if not paths:
            continue
        try:
            files = find_input_files(spark, paths, key.replace("_", " ").removesuffix("s"))
        except InputError as error:
            raise InputError(f"sources.{key}: {error}") from None
        for file in files:
            address = file.replace("\\", "")
            mark, first, last = _read(spark, address)
            if reason := find_damaged_end(address, first, last):
                raise InputError(f"sources.{key}: {to_shell_path(address)}: {reason}; fetch it again")
            fingerprints[to_shell_path(address)] = mark
    return fingerprints


def register_others(spark: SparkSession, files: Sequence[str]) -> dict[str, str]:
    """Register the fingerprints of files that are no sources, by path.

    Raises:
        InputError: A path has no file.
    """
    found = {file.replace("\\", "") for path in files for file in find_input_files(spark, [path], "file")}
    return {to_shell_path(file): compute_fingerprint(spark, file) for file in sorted(found)}


def compute_fingerprint(spark: SparkSession, path: str) -> str:
    """Compute sixteen hex digits of a file's size, its first and its last MiB.

    A dump of a hundred gigabytes would take minutes to hash whole; a dump cut off, or another dump, differs in these.
    """
    return _read(spark, path)[0]


def _read(spark: SparkSession, path: str) -> tuple[str, bytes, bytes]:
    """A file's fingerprint, and its first and its last bytes."""
    jvm: Any = spark.sparkContext._jvm
    at = jvm.org.apache.hadoop.fs.Path(path)
    system = at.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    size = int(system.getFileStatus(at).getLen())
    digest = jvm.java.security.MessageDigest.getInstance("SHA-256")
    digest.update(bytearray(f"{size}\n".encode()))
    stream = system.open(at)

    def read_part(start: int, length: int) -> Any:
        stream.seek(start)
        return jvm.org.apache.commons.io.input.BoundedInputStream(stream, length)

    try:
        # Hashed where they are read: two MiB of each file through the gateway took 20 s for 143 files.
        for start in (0, max(0, size - EDGE)):
            jvm.org.apache.commons.codec.digest.DigestUtils.updateDigest(digest, read_part(start, min(size, EDGE)))
        read = jvm.org.apache.commons.io.IOUtils.toByteArray
        first, last = (bytes(read(read_part(start, ENDS))) for start in (0, max(0, size - ENDS)))
    finally:
        stream.close()
    return bytes(digest.digest()).hex()[:16], first, last
