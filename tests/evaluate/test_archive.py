from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from everwhen.evaluate.archive import ZSTANDARD, read_entry
from zip_archives import LZ77, write_archive

ENTRIES = {"a.json": b"{}", "samples/b.json": b"1971 " * 1000, "empty": b""}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, ZSTANDARD])
def test_entries_are_read_whatever_compressed_them(tmp_path: Path, method: int) -> None:
    write_archive(tmp_path / "x.zip", ENTRIES, method)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert {info.compress_type for info in archive.infolist()} == {method}
        assert {name: read_entry(archive, name) for name in reversed(archive.namelist())} == ENTRIES


def test_what_stands_before_an_archive_is_passed_over(tmp_path: Path) -> None:
    write_archive(tmp_path / "x.zip", ENTRIES, ZSTANDARD)
    (tmp_path / "y.zip").write_bytes(b"#!/bin/sh\n" + (tmp_path / "x.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "y.zip") as archive:
        assert read_entry(archive, "samples/b.json") == ENTRIES["samples/b.json"]


@pytest.mark.parametrize(
    ("place", "message"), [(0, "no header"), (-1, "x: length or checksum is another"), (40, "x: ")]
)
def test_a_damaged_entry_is_refused(tmp_path: Path, place: int, message: str) -> None:
    write_archive(tmp_path / "x.zip", {"x": b"1971 " * 1000}, ZSTANDARD)
    data = bytearray((tmp_path / "x.zip").read_bytes())
    listed = data.index(b"PK\x01\x02")
    if place < 0:
        data[listed + 16] ^= 1  # of the checksum
    else:
        data[place] ^= 255
    (tmp_path / "x.zip").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive, pytest.raises(zipfile.BadZipFile, match=message):
        read_entry(archive, "x")


def test_another_method_is_refused(tmp_path: Path) -> None:
    write_archive(tmp_path / "x.zip", ENTRIES, LZ77)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive, pytest.raises(NotImplementedError):
        read_entry(archive, "a.json")
