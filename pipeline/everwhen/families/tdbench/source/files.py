"""The files of declared tables: which there are, what their content is, and their text."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from everwhen.core.errors import InputError
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.source import TableSource

PARQUET = (".parquet", ".parq", ".pq")

PACKED = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz"}
"""Packed files that are read: how they begin, and how their names end."""

OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}

WORKBOOK = "a workbook; save its sheet as CSV in UTF-8"

REFUSED = {
    b"PAR1": "a parquet file; let its name end in .parquet",
    b"\x28\xb5\x2f\xfd": "packed by zstd; unpack it, or pack it by gzip",
    b"\x04\x22\x4d\x18": "packed by lz4; unpack it, or pack it by gzip",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": WORKBOOK,
    b"%PDF": "a PDF file; a table in CSV or parquet is expected",
    b"SQLite format 3\x00": "a database of SQLite; export its table as CSV",
    b"\xff\xfe": "text in UTF-16; save the file as UTF-8",
    b"\xfe\xff": "text in UTF-16; save the file as UTF-8",
}
"""What is no text in UTF-8, by its first bytes, and what to do."""

WORKBOOKS = ("[Content_Types].xml", "xl/workbook.xml", "content.xml")
"""Members of a ZIP archive that make it a workbook of a spreadsheet."""

NO_TEXT = (EOFError, gzip.BadGzipFile, lzma.LZMAError)
"""What a packed file that is damaged or cut off raises, beside OSError."""


def find_file(declaration: Declaration) -> Path:
    """Find the file of a declaration's rows, or their folder of parquet files.

    Raises:
        InputError: There is no such file, or its content is of another kind than its declaration says.
    """
    source = declaration.source
    file = declaration.path.parent / str(source.file or source.database)
    if file.is_dir() and source.database is None:
        list_parquet(file)
    elif file.is_dir():
        raise InputError(f"{file}: a folder; a database of DuckDB is one file")
    elif not file.is_file():
        raise InputError(f"{file}: no such file")
    elif source.database is not None and not is_duckdb(file):
        raise InputError(f"{file}: not a database of DuckDB; name other files by file")
    elif is_csv(file, source) and is_duckdb(file):
        raise InputError(f"{file}: a database of DuckDB; name it by database, not by file")
    return file


def list_files(declaration: Declaration) -> list[Path]:
    """List the files that a declaration's rows are read from: of a folder, its parquet files.

    Raises:
        InputError: As of `find_file`.
    """
    file = find_file(declaration)
    return list_parquet(file) if file.is_dir() else [file]


def list_parquet(folder: Path) -> list[Path]:
    """List the parquet files of a folder and those below it, by name; writers hide others behind `_` or a full stop.

    Raises:
        InputError: There is none.
    """
    found = (file for file in sorted(folder.rglob("*")) if file.suffix.lower() in PARQUET and file.is_file())
    files = [file for file in found if not any(part[0] in "_." for part in file.relative_to(folder).parts)]
    if not files:
        raise InputError(f"{folder}: a folder without parquet files; name a file, or a folder of parquet files")
    return files


def is_duckdb(file: Path) -> bool:
    """Whether a file is a database of DuckDB, by the four letters after its checksum."""
    with file.open("rb") as opened:
        return opened.read(12)[8:] == b"DUCK"


def is_csv(file: Path, source: TableSource) -> bool:
    """Tell whether rows are read from a CSV file: every file but parquet and databases."""
    return source.database is None and not file.is_dir() and file.suffix.lower() not in PARQUET


def find_delimiter(file: Path, source: TableSource) -> str:
    """Find what separates the values of a CSV file: a tab where its name ends in `.tsv`, packed or not."""
    endings = [suffix.lower() for suffix in file.suffixes]
    if endings and endings[-1] in PACKED.values():
        endings.pop()
    return source.delimiter or ("\t" if endings[-1:] == [".tsv"] else ",")


@contextmanager
def open_text(file: Path) -> Iterator[TextIO]:
    """Open a text file, packed or not; bytes that are no UTF-8 become U+FFFD.

    Raises:
        InputError: It is no text in UTF-8, and what it is instead; it is damaged, or cannot be read.
    """
    try:
        with file.open("rb") as raw:
            stream = next((OPENERS[PACKED[begin]](raw) for begin in PACKED if _read_first(raw).startswith(begin)), raw)
            if problem := _find_problem(_read_first(stream), raw):
                raise InputError(f"{file}: {'' if stream is raw else 'packed, and '}{problem}")
            with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="") as text:
                yield text
    except NO_TEXT as error:
        raise InputError(f"{file}: packed, and damaged or cut off: {error}") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from None


def _read_first(stream: BinaryIO) -> bytes:
    """Read the first bytes of a stream, and return to its begin."""
    first = stream.read(16)
    stream.seek(0)
    return first


def _find_problem(first: bytes, raw: BinaryIO) -> str | None:
    """Find why content is no text in UTF-8, by its first bytes; None where it may be."""
    if first.startswith(b"PK\x03\x04"):
        # A workbook of a spreadsheet, or another archive.
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(raw) as archive:
            if not set(WORKBOOKS).isdisjoint(archive.namelist()):
                return WORKBOOK
        return "a ZIP archive; unpack it"
    return next((problem for begin, problem in REFUSED.items() if first.startswith(begin)), None)
