"""The log of a run on stderr as a JSON object a line: `--log-format json`.

All that a command prints on stderr is a line of text for people. Where programs read it, the stream itself turns each
line into an object. Whoever prints a line may add what programs look for, such as the table and its rows.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

FORMATS = ("text", "json")

FIELDS = ("stage", "table", "rows", "seconds", "exit_code", "traceback")
"""What an object may have beside `time`, `level`, `command` and `message`, in this order; unknown ones are absent."""

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x09\x0b-\x1f\x7f]")
"""Colours and what else is for terminals alone; a line feed ends a line."""


class JsonLog:
    """A stream that writes each line as a JSON object.

    Attributes:
        stage: The stage that runs, in every thread.
    """

    def __init__(self, stream: TextIO, command: str) -> None:
        """Write to a stream.

        Args:
            stream: The stream.
            command: The command whose log this is.
        """
        self.stage: str | None = None
        self.isatty = lambda: False  # no bars, no colours
        self._stream, self._command = stream, command
        self._lock, self._of_thread = threading.Lock(), threading.local()

    def write(self, text: str) -> int:
        """Write the lines that end with this text; what follows them waits for its end, apart for each thread."""
        *lines, self._of_thread.begun = (getattr(self._of_thread, "begun", "") + text).split("\n")
        for line in lines:
            if message := CONTROL.sub("", line).strip():
                self._write_object(message)
        return len(text)

    def flush(self) -> None:
        """Flush what was written; a line that has not ended waits."""
        self._stream.flush()

    @contextmanager
    def add_fields(self, fields: dict[str, Any]) -> Iterator[None]:
        """Add fields to the lines that this thread writes meanwhile."""
        before = getattr(self._of_thread, "fields", {})
        self._of_thread.fields = {**before, **fields}
        try:
            yield
        finally:
            self._of_thread.fields = before

    def _write_object(self, message: str) -> None:
        given = {"stage": self.stage, **getattr(self._of_thread, "fields", {})}
        now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        entry = {"time": now, "level": given.get("level", "info"), "command": self._command}
        entry |= {name: given[name] for name in FIELDS if given.get(name) is not None}
        line = json.dumps(entry | {"message": message})  # in ASCII, which every encoding has
        with self._lock:
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        """All else is the stream's own."""
        return getattr(self._stream, name)


@contextmanager
def log_as_json(command: str) -> Iterator[None]:
    """Turn the lines on stderr into JSON objects meanwhile."""
    stream = sys.stderr
    log = JsonLog(stream, command)
    sys.stderr = cast(TextIO, log)
    try:
        yield
    finally:
        log.write("\n")
        sys.stderr = stream


def is_json_log() -> bool:
    """Tell whether lines on stderr are written as JSON objects."""
    return isinstance(sys.stderr, JsonLog)


def enter_stage(name: str | None) -> None:
    """Name the stage in all lines that follow, also in those of an error."""
    if isinstance(sys.stderr, JsonLog):
        sys.stderr.stage = name


@contextmanager
def add_log_fields(**fields: Any) -> Iterator[None]:
    """Add fields to the lines that this thread prints on stderr meanwhile, where these are JSON objects.

    Args:
        fields: `level` (info, warning or error), or one of FIELDS.
    """
    if not isinstance(sys.stderr, JsonLog):
        yield
        return
    if "seconds" in fields:
        fields["seconds"] = round(fields["seconds"], 3)
    with sys.stderr.add_fields(fields):
        yield
