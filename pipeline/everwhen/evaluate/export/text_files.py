"""Exports as text files: JSON Lines, CSV, and what a family declares as the layout of a release."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Rows = Iterable[Mapping[str, Any]]


def write_json_lines(rows: Rows, path: Path) -> int:
    """Write rows as JSON Lines, in UTF-8; return their number."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        return sum(1 for row in rows if stream.write(json.dumps(row, ensure_ascii=False) + "\n"))


def write_csv(rows: Rows, path: Path) -> int:
    """Write rows as CSV (RFC 4180, but for newlines, which are LF) and return their number.

    Lists and booleans are JSON, null is empty.
    """
    count = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        for row in rows:
            if count == 0:
                writer.writerow(row)
            writer.writerow([_as_cell(value) for value in row.values()])
            count += 1
    return count


def _as_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | bool | dict) else value


WRITERS: Mapping[str, tuple[str, Callable[[Rows, Path], int]]] = {
    "jsonl": ("items.jsonl", write_json_lines),
    "csv": ("items.csv", write_csv),
}
"""By format, the name of the file, and what writes it."""
