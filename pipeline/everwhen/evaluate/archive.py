"""Entries of ZIP archives, those that are compressed by Zstandard among them, as inspect_ai writes its logs."""

from __future__ import annotations

import struct
import zlib
from zipfile import BadZipFile, ZipFile, ZipInfo

import pyarrow as pa

ZSTANDARD = 93
"""The number of the method (APPNOTE.TXT, 4.4.5). Python's zipfile knows it from 3.14 on."""

LOCAL_HEADER = struct.Struct("<4s22xHH")
"""Signature, lengths of the name and of what follows it (APPNOTE.TXT, 4.3.7)."""

SIGNATURE = b"PK\x03\x04"
ENCRYPTED = 0x1


def read_entry(archive: ZipFile, name: str) -> bytes:
    """Read an entry of an archive.

    Raises:
        BadZipFile: The entry is damaged.
        NotImplementedError: It is compressed by a method that is not known.
        RuntimeError: It is encrypted.
    """
    entry = archive.getinfo(name)
    if entry.compress_type != ZSTANDARD:
        return archive.read(name)
    if entry.flag_bits & ENCRYPTED:
        raise RuntimeError(f"{name} is encrypted")
    try:
        with pa.CompressedInputStream(pa.BufferReader(_read_compressed(archive, entry)), "zstd") as stream:
            content: bytes = stream.read(entry.file_size + 1)
    except (pa.ArrowException, OSError) as error:
        raise BadZipFile(f"{name}: {error}") from None
    if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
        raise BadZipFile(f"{name}: length or checksum is another")
    return content


def _read_compressed(archive: ZipFile, entry: ZipInfo) -> bytes:
    """Read the bytes of an entry as they are in the archive, behind its own header, whose length only it says."""
    file = archive.fp
    assert file is not None
    file.seek(entry.header_offset)
    header = file.read(LOCAL_HEADER.size)
    if len(header) < LOCAL_HEADER.size or not header.startswith(SIGNATURE):
        raise BadZipFile(f"{entry.filename}: no header")
    _, name_length, extra_length = LOCAL_HEADER.unpack(header)
    file.seek(name_length + extra_length, 1)
    return file.read(entry.compress_size)
