"""Lines and JSON objects of text files, plain, .gz or .bz2, each with the file and number that messages name."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from everwhen.core.answers import parse_json, to_one_line
from everwhen.core.errors import InputError

OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open}
MAX_LINE_BYTES = 100 << 20
"""Bytes. A small compressed file may unpack to a line that memory cannot hold."""


def read_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Read the lines of a file that are not blank, each with its place (`file:line`).

    Raises:
        InputError: The file is truncated or not compressed as its name says, a line is not UTF-8 or too long.
    """
    number = 0
    try:
        with OPENERS.get(path.suffix, open)(path, "rb") as stream:
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                place = f"{path}:{number}"
                if len(line) > MAX_LINE_BYTES:
                    raise InputError(f"{place}: a line of more than {MAX_LINE_BYTES >> 20} MiB")
                text = line.decode("utf-8").removeprefix("\ufeff" if number == 1 else "").strip("\r\n")
                if text.strip():
                    yield place, text
    except UnicodeDecodeError as error:
        raise InputError(f"{path}:{number}: not UTF-8 at byte {error.start}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: cannot be unpacked after line {number}: {error}") from None
    except OSError as error:
        if error.errno is None:  # bz2 raises it bare
            raise InputError(f"{path}: cannot be unpacked after line {number}: {error}") from None
        raise


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read a JSONL file: one JSON object a line, each with its place (`file:line`).

    Raises:
        InputError: A line is not a JSON object, or as for `read_lines`.
    """
    for place, line in read_lines(path):
        try:
            row = parse_json(line.encode())
        except orjson.JSONDecodeError as error:
            raise InputError(f"{place}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise InputError(f"{place}: a JSON object is expected")
        yield place, row


def require_text(row: Mapping[str, Any], field: str, place: str) -> str:
    """Return a field that is a text.

    Raises:
        InputError: The field is missing or no text.
    """
    value = _require(row, field, place)
    if not isinstance(value, str):
        raise InputError(f"{place}: {field}: a text is expected, not {type(value).__name__}")
    return value


def require_id(row: Mapping[str, Any], field: str, place: str) -> str:
    """Return a field that is an id: an integer, or a text without white space and NUL, which end ids elsewhere.

    Raises:
        InputError: The field is missing or no id.
    """
    value = _require(row, field, place)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise InputError(f"{place}: {field}: a text or an integer is expected, not {type(value).__name__}")
    if value.split() != [value] or "\0" in value:
        raise InputError(f"{place}: {field}: an id without white space or NUL is expected, not {value[:40]!r}")
    return value


def require_new_id(row: Mapping[str, Any], field: str, place: str, earlier: Mapping[str, object]) -> str:
    """Return a field that is an id which no earlier line has.

    Raises:
        InputError: The field is missing, no id, or one of an earlier line.
    """
    found = require_id(row, field, place)
    if found in earlier:
        raise InputError(f"{place}: {field} {found}: an earlier line has the same id")
    return found


def _require(row: Mapping[str, Any], field: str, place: str) -> Any:
    if field not in row:
        raise InputError(f"{place}: no field {field}; there are {to_one_line(', '.join(row)) or 'none'}")
    return row[field]
