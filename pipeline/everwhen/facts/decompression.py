"""Compressed files, looked through before Spark reads them.

Spark holds a whole line in memory, however long it is; a file of a few kilobytes may unpack to a line of gigabytes.
"""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.facts.locations import to_file_name

OPEN: Mapping[str, Callable[..., Any]] = {".bz2": bz2.open, ".gz": gzip.open}
LARGEST_LOOKED_THROUGH = 64 << 20
"""Bytes, packed. A larger file is a dump of gigabytes, and is not unpacked twice."""
PIECE = 1 << 20
SLACK = 256 << 20
MOST_TIMES = 1000
"""How many times as large as its file a text may be that is larger than `SLACK`; that of a dump is 5 to 20 times."""


def require_bounded(spark: SparkSession, files: Iterable[str], longest: int, separator: bytes = b"\n") -> None:
    """Refuse .gz and .bz2 files that unpack to a line too long for memory, or to very much more than they are.

    Files that cannot be unpacked pass: their reader reports that.

    Args:
        spark: The session.
        files: The files; those that are not compressed, or larger than `LARGEST_LOOKED_THROUGH`, are passed over.
        longest: Bytes of the longest line.
        separator: What ends a line.

    Raises:
        InputError: A file does; the message names it.
    """
    packed = [file for file in files if file.endswith(tuple(OPEN))]
    if not packed:
        return

    def look(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                error = find_unpacking_error(path, content.as_py(), longest, separator)
                if error:
                    yield pa.RecordBatch.from_pydict({"path": [path], "error": [error]})

    contents = spark.read.format("binaryFile").load(packed).where(F.col("length") <= LARGEST_LOOKED_THROUGH)
    found = contents.select("path", "content").mapInArrow(look, "path string, error string")
    worst = found.select(to_file_name(F.col("path")).alias("file"), "error").orderBy("file").first()
    if worst is not None:
        raise InputError(f"{worst['file']}: {worst['error']}")


def find_unpacking_error(path: str, content: bytes, longest: int, separator: bytes) -> str:
    """Find the error of a compressed file; "" where it is sound."""
    allowed = max(SLACK, MOST_TIMES * len(content))
    total = line = 0
    end = b""
    for piece in _unpack_pieces(path, content):
        total += len(piece)
        text = end + piece
        first = text.find(separator)
        line += len(piece) if first < 0 else first - len(end)
        if line > longest:
            return f"unpacks to a line of more than {longest >> 20} MiB, which begins at byte {total - line:,}"
        if total > allowed:
            return f"unpacks to more than {allowed:,} bytes, {total // len(content):,} times as many as it has"
        if first >= 0:
            line = len(text) - text.rfind(separator) - len(separator)
        end = text[len(text) - len(separator) + 1 :]
    return ""


def _unpack_pieces(path: str, content: bytes) -> Iterator[bytes]:
    """Unpack a file piece by piece, as far as it can be unpacked."""
    with suppress(EOFError, OSError, zlib.error), OPEN[path[path.rindex(".") :]](BytesIO(content)) as stream:
        while piece := stream.read(PIECE):
            yield piece
