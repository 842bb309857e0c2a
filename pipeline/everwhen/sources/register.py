"""Files that a build reads: which they are, and a fingerprint of each."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from everwhen.core.config import Sources
from everwhen.core.errors import InputError
from everwhen.core.paths import input_files, readable
from everwhen.sources.local_files import BZIP2, GZIP

EDGE = 1 << 20
"""Bytes at each end of a file that go into its fingerprint."""

ENDS = 16
"""Bytes at each end that tell whether a file is compressed as its name says."""

END_OF_BZIP2 = 0x177245385090
"""How the last stream of a bzip2 file ends."""


def register(spark: SparkSession, sources: Sources) -> dict[str, str]:
    """The fingerprints of all files that `sources` names, by path.

    Raises:
        InputError: A path has no file, or a file is not compressed as its name says or not to its end; the message
            names its key.
    """
    fingerprints = {}
    for key, paths in sources.model_dump(exclude={"sample"}).items():
        if not paths:
            continue
        try:
            files = input_files(spark, paths, key.replace("_", " ").removesuffix("s"))
        except InputError as error:
            raise InputError(f"sources.{key}: {error}") from None
        for file in files:
            address = file.replace("\\", "")
            mark, first, last = _read(spark, address)
            if reason := _not_whole(address, first, last):
                raise InputError(f"sources.{key}: {readable(address)}: {reason}; fetch it again")
            fingerprints[readable(address)] = mark
    return fingerprints


def fingerprint(spark: SparkSession, path: str) -> str:
    """Sixteen hex digits of a file's size, its first and its last MiB.

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

    def part(start: int, length: int) -> Any:
        stream.seek(start)
        return jvm.org.apache.commons.io.input.BoundedInputStream(stream, length)

    try:
        # Hashed where they are read: two MiB of each file through the gateway took 20 s for 143 files.
        for start in (0, max(0, size - EDGE)):
            jvm.org.apache.commons.codec.digest.DigestUtils.updateDigest(digest, part(start, min(size, EDGE)))
        read = jvm.org.apache.commons.io.IOUtils.toByteArray
        first, last = (bytes(read(part(start, ENDS))) for start in (0, max(0, size - ENDS)))
    finally:
        stream.close()
    return bytes(digest.digest()).hex()[:16], first, last


def _not_whole(path: str, first: bytes, last: bytes) -> str:
    """Why a compressed file cannot be read to its end, as far as its edges tell; empty where it can.

    Hadoop looks for blocks in a .bz2 file and reads those that it finds: of a file that is none it reads nothing, and
    does not notice that one ends after a block. A .gz file that is cut off it notices when it comes there.
    """
    if path.endswith(".gz") and first[:2] != GZIP:
        return "not a gzip file"
    if path.endswith(".bz2"):
        if not BZIP2.match(first):
            return "not a bzip2 file"
        # The end of a stream (48 bits), a checksum (32) and up to 7 bits that fill the last byte.
        bits = int.from_bytes(last[-11:], "big") >> 32
        if all((bits >> fill) % (1 << 48) != END_OF_BZIP2 for fill in range(8)):
            return "does not end as a bzip2 file does: cut off, or followed by something else"
    return ""
