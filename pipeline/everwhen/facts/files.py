"""Files as Spark reads them: where a row was read, and compressed files looked through before."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.tables.facts import REJECTS


def to_file_name(uri: Column) -> Column:
    """A local file's path without scheme and percent signs; the address of any other file unchanged."""
    decoded = F.try_url_decode(F.regexp_replace(uri, r"\+", "%2B"))
    local = F.concat(F.lit("/"), F.regexp_replace(decoded, "^file:/*", ""))
    return F.when(uri.startswith("file:"), local).otherwise(uri)


def locate_line() -> tuple[Column, Column]:
    """Locate a line of Spark's text source: columns file and place, the byte at which the line's split begins."""
    start = F.col("_metadata.file_block_start").cast("string")
    file = to_file_name(F.col("_metadata.file_path")).alias("file")
    return file, F.concat(F.lit("split at byte "), start).alias("place")


def collect_malformed(lines: DataFrame, record_type: str) -> DataFrame:
    """Collect rejected lines (file, place, reason, line) as rows of `REJECTS`."""
    sample = F.substring("line", 1, 200).alias("sample")
    return REJECTS.select(lines.select(F.lit(record_type).alias("record_type"), "file", "place", "reason", sample))


OPENERS: Mapping[str, Callable[..., Any]] = {".bz2": bz2.open, ".gz": gzip.open}
MAX_SCANNED_BYTES = 64 << 20
"""Bytes, packed. A larger file is a dump of gigabytes, and is not unpacked twice."""
PIECE = 1 << 20
"""Bytes that are unpacked at once, so that a bomb is found before it fills the memory."""
SLACK = 256 << 20
"""Bytes that any file may unpack to: they fit into memory beside all else."""
MAX_EXPANSION = 1000
"""How many times as large as its file a text may be that is larger than `SLACK`; that of a dump is 5 to 20 times."""


def require_bounded(spark: SparkSession, files: Iterable[str], longest: int, separator: bytes = b"\n") -> None:
    """Refuse .gz and .bz2 files that unpack to a line too long for memory, or to very much more than they are.

    Files that cannot be unpacked pass: their reader reports that.

    Args:
        files: The files; those that are not compressed, or larger than `MAX_SCANNED_BYTES`, are passed over.
        longest: Bytes of the longest line.
        separator: What ends a line.

    Raises:
        InputError: A file does; the message names it.
    """
    packed = [file for file in files if file.endswith(tuple(OPENERS))]
    if not packed:
        return

    def look(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch["path"].to_pylist(), batch["content"], strict=True):
                if error := find_unpacking_error(path, content.as_py(), longest, separator):
                    yield pa.RecordBatch.from_pydict({"path": [path], "error": [error]})

    contents = spark.read.format("binaryFile").load(packed).where(F.col("length") <= MAX_SCANNED_BYTES)
    found = contents.select("path", "content").mapInArrow(look, "path string, error string")
    worst = found.select(to_file_name(F.col("path")).alias("file"), "error").orderBy("file").first()
    if worst is not None:
        raise InputError(f"{worst['file']}: {worst['error']}")


def find_unpacking_error(path: str, content: bytes, longest: int, separator: bytes) -> str:
    """Find the error of a compressed file; "" where it is sound."""
    allowed = max(SLACK, MAX_EXPANSION * len(content))
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
    with suppress(EOFError, OSError, zlib.error), OPENERS[path[path.rindex(".") :]](BytesIO(content)) as stream:
        while piece := stream.read(PIECE):
            yield piece
