"""ZIP archives whose entries are compressed by methods that Python's zipfile does not write."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from everwhen.evaluate.archive import ZSTANDARD

LZ77 = 19
"""A method that nothing here reads."""


def write_archive(path: Path, entries: Mapping[str, bytes], method: int) -> None:
    """Write an archive; by Zstandard in two frames, as large entries are written."""
    known = method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(path, "w", method if known else zipfile.ZIP_STORED) as archive:
        for name, content in entries.items():
            archive.writestr(name, _compress(content) if method == ZSTANDARD else content)
        listed = archive.infolist()
    if known:
        return
    data = bytearray(path.read_bytes())
    place = data.index(b"PK\x01\x02")  # the list of the entries, one after another
    for entry in listed:
        content = entries[entry.filename]
        for start in (entry.header_offset + 8, place + 10):  # method, time and date, checksum, two lengths
            struct.pack_into("<H", data, start, method)
            struct.pack_into("<I", data, start + 6, zlib.crc32(content))
            struct.pack_into("<I", data, start + 14, len(content))
        place += 46 + len(entry.filename)
    path.write_bytes(data)


def _compress(content: bytes) -> bytes:
    codec, half = pa.Codec("zstd"), len(content) // 2
    frames: bytes = b"".join(codec.compress(part, asbytes=True) for part in (content[:half], content[half:]))
    return frames
