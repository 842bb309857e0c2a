"""A raw folder: what was fetched, and a manifest that accounts for it. Nothing half-written counts."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

MANIFEST = "pull.json"
Outcome = Literal["stored", "missing", "failed"]


def write_file(path: Path, text: str) -> None:
    """Write a file under another name and put it in place when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(path)


class Manifest:
    """What was asked for, and what came of each: stored, missing or failed.

    It is written anew after each item, so a killed pull knows what it has.
    """

    def __init__(self, folder: Path, what: dict[str, Any]) -> None:
        """Open the manifest of `folder`, empty where there is none.

        Args:
            folder: The raw folder.
            what: What is pulled, from where; stands at the manifest's head.
        """
        self._path = folder / MANIFEST
        self._what = what
        self.items: dict[str, dict[str, Any]] = {}
        self.before: dict[str, Any] = {}
        if self._path.exists():
            self.before = json.loads(self._path.read_text(encoding="utf-8"))
            self.items = {entry["item"]: entry for entry in self.before.get("items", [])}

    def holds(self, item: str, path: Path) -> bool:
        """Whether `item` was stored at `path` and still lies there as it was."""
        entry = self.items.get(item, {})
        return entry.get("outcome") == "stored" and path.exists() and entry["sha256"] == _digest(path)

    def record(self, item: str, outcome: Outcome, path: Path | None = None, **more: Any) -> None:
        """Enter what came of `item`, with anything else worth knowing of it."""
        entry: dict[str, Any] = {"item": item, "outcome": outcome, **more}
        if path is not None:
            entry |= {"bytes": path.stat().st_size, "sha256": _digest(path)}
        self.items[item] = entry
        self.write()

    def write(self, **more: Any) -> None:
        """Write the manifest: the counts add up, asked = stored + missing + failed."""
        outcomes = [entry["outcome"] for entry in self.items.values()]
        counts = {outcome: outcomes.count(outcome) for outcome in ("stored", "missing", "failed")}
        content = {**self._what, "asked": len(outcomes), **counts, **more, "items": list(self.items.values())}
        write_file(self._path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


class Log:
    """Answers kept one a line as they come, so that a killed pull goes on where it was."""

    def __init__(self, path: Path) -> None:
        """Open the log at `path`; a last line that was cut off is forgotten."""
        self._path = path
        self.lines: list[Any] = []
        if path.exists():
            whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
            self.lines = [json.loads(line) for line in whole.splitlines()]
            write_file(path, "".join(_line(line) for line in self.lines))

    def append(self, line: Any) -> None:
        """Add a line."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(_line(line))
        self.lines.append(line)

    def finish(self, path: Path, lines: Iterable[Any]) -> None:
        """Put `lines` in place as the result, and end the log."""
        write_file(path, "".join(_line(line) for line in lines))
        self._path.unlink(missing_ok=True)


def read_lines(path: Path) -> Iterator[Any]:
    """The values of a JSON lines file; none where there is no file."""
    if path.exists():
        with path.open(encoding="utf-8") as stream:
            for line in stream:
                yield json.loads(line)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
