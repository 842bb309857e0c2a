"""A raw folder: what was fetched, and a manifest that accounts for it. Nothing half-written counts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from everwhen.core.errors import InputError
from everwhen.core.files import compute_sha256, write_atomically
from everwhen.core.retries import RefusedError

MANIFEST = "pull.json"
OF_ONE_REQUEST = frozenset({400, 404, 410, 414, 422})
"""Statuses that say no to one request; any other no is one to whoever asks, and would be the answer to the next too."""
Outcome = Literal["stored", "missing", "failed"]
FINISHED = "finished"
"""Key of a manifest: the parts of the source whose pull has come to its end. Nothing else may be built from."""


class Manifest:
    """What was asked for, and what came of each: stored, missing or failed.

    It is written anew after each item, so a killed pull knows what it has.
    """

    def __init__(self, folder: Path, what: dict[str, Any]) -> None:
        """Open the manifest of `folder`; a missing one is empty.

        Args:
            folder: The raw folder.
            what: What is pulled, from where; the manifest begins with it.

        Raises:
            InputError: The file there is not a manifest.
        """
        self._path = folder / MANIFEST
        self._what = what
        self.items: dict[str, dict[str, Any]] = {}
        self.before: dict[str, Any] = {}
        self._more: dict[str, Any] = {}
        if self._path.exists():
            try:
                self.before = json.loads(self._path.read_text(encoding="utf-8"))
                self.items = {entry["item"]: entry for entry in self.before.get("items", [])}
                self._more = {key: self.before[key] for key in ("redirects", FINISHED) if key in self.before}
            except (ValueError, KeyError, TypeError, AttributeError):
                raise InputError(f"{self._path}: no manifest of a pull; delete it, or take another folder") from None

    def has_stored(self, item: str, path: Path) -> bool:
        """Whether `item` was stored at `path` and is still there unchanged."""
        entry = self.items.get(item, {})
        return entry.get("outcome") == "stored" and path.exists() and entry["sha256"] == compute_sha256(path)

    def record(self, item: str, outcome: Outcome, path: Path | None = None, **more: Any) -> None:
        """Enter what came of `item`, with anything else worth knowing of it."""
        entry: dict[str, Any] = {"item": item, "outcome": outcome, **more}
        if path is not None:
            entry |= {"bytes": path.stat().st_size, "sha256": compute_sha256(path)}
        self.items[item] = entry
        self.write()

    def fail(self, item: str, error: RefusedError) -> None:
        """Enter that `item` was refused.

        Raises:
            RefusedError: `error` itself, where it is a no to everything.
        """
        if error.status is not None and error.status not in OF_ONE_REQUEST:
            raise error
        self.record(item, "failed", reason=str(error))

    def write(self, **more: Any) -> None:
        """Write the manifest, with whatever else is worth knowing, which stays in it from now on.

        The counts add up: asked = stored + missing + failed.
        """
        self._more |= more
        content = {**self._what, **self._count_outcomes(), "items": list(self.items.values())}
        write_atomically(self._path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def summarize(self) -> str:
        """Summarize the counts in one line, with the first that failed.

        Raises:
            InputError: Nothing is stored, and something failed.
        """
        counts = self._count_outcomes()
        line = ", ".join(f"{counts[name]} {name}" for name in ("asked", "stored", "missing", "failed"))
        failed = [f"{entry['item']}: {entry['reason']}" for entry in self.items.values() if "reason" in entry]
        if failed and not counts["stored"]:
            raise InputError(f"{self._path}: {line}; {failed[0]}")
        return f"{line} ({failed[0]})" if failed else line

    def _count_outcomes(self) -> dict[str, Any]:
        outcomes = [entry["outcome"] for entry in self.items.values()]
        counts = {outcome: outcomes.count(outcome) for outcome in ("stored", "missing", "failed")}
        return {"asked": len(outcomes), **counts, **self._more}


class Log:
    """Answers, stored one a line as they come, so that a killed pull resumes."""

    def __init__(self, path: Path) -> None:
        """Open the log at `path`; a last line that was cut off is forgotten.

        Raises:
            InputError: Another line is broken.
        """
        self._path = path
        self.lines: list[Any] = []
        if path.exists():
            # A character may be cut in two; and a title may hold what Python takes for the end of a line.
            complete, _, _ = path.read_bytes().rpartition(b"\n")
            try:
                self.lines = [json.loads(line) for line in complete.split(b"\n") if line]
            except ValueError:
                raise InputError(f"{path}: a line is broken; delete the file to ask again for what it has") from None
            write_atomically(path, "".join(_to_json_line(line) for line in self.lines))

    def clear(self) -> None:
        """Forget all lines."""
        self._path.unlink(missing_ok=True)
        self.lines = []

    def append(self, line: Any) -> None:
        """Add a line."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(_to_json_line(line))
        self.lines.append(line)

    def finish(self, path: Path, lines: Iterable[Any]) -> None:
        """Put `lines` in place as the result, and end the log."""
        write_atomically(path, "".join(_to_json_line(line) for line in lines))
        self._path.unlink(missing_ok=True)


def read_finished(folder: Path) -> set[str]:
    """Read which parts of its source a raw folder has; none where nothing was pulled, or no pull has ended."""
    return set(Manifest(folder, {}).before.get(FINISHED, []))


def mark_finished(folder: Path, parts: Iterable[str]) -> None:
    """Enter parts of its source into the manifest of a raw folder, beside those that it has."""
    path = folder / MANIFEST
    content = json.loads(path.read_text(encoding="utf-8"))
    items = content.pop("items", [])
    content |= {FINISHED: sorted({*content.get(FINISHED, []), *parts}), "items": items}
    write_atomically(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_lines(path: Path) -> Iterator[Any]:
    """Read the values of a JSON lines file; none where there is no file."""
    if path.exists():
        with path.open(encoding="utf-8") as stream:
            for line in stream:
                yield json.loads(line)


def _to_json_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
