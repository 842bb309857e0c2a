"""The journal of a run: every answer as a line of its own, written when it comes, so that nothing is asked twice.

A line is written by one system call and never changed. A process that is killed leaves at most one line without its
end, which the next run cuts off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any

from everwhen.core.errors import InputError
from everwhen.evaluate.append_only import Append, open_append_only
from everwhen.evaluate.ask.completion import FAILED, Completion
from everwhen.evaluate.ask.endpoint import Model
from everwhen.evaluate.messages import Message

FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "key": str,
    "response": (str, type(None)),
    "finish_reason": str,
    "model": str,
    "usage": dict,
    "reasoning": str,
    "latency": (int, float),
    "date": str,
}
"""What a line contains."""

BEGIN = b'{"key": "'
"""How a line begins. What does not begin so is another file, of which nothing may be cut off."""


def hash_prompt(model: Model, messages: Sequence[Message]) -> str:
    """Return the key of a prompt: SHA-256 of the request's body, its keys sorted."""
    body = json.dumps(model.build_body(messages), sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


class Journal:
    """The answers so far, by the hash of prompt, model and parameters; threads may share it."""

    def __init__(self, write: Append, answers: dict[str, Completion], date: str = "") -> None:
        """Take what writes to the file, what it contains, and the date of new answers; `open_journal` opens one."""
        self._write = write
        self._date = date
        self._answers = answers
        self._is_closed = False
        self._lock = Lock()

    def __len__(self) -> int:
        """The number of answers."""
        return len(self._answers)

    def find(self, key: str) -> Completion | None:
        """Find the answer to a prompt."""
        return self._answers.get(key)

    def append(self, key: str, answer: Completion) -> None:
        """Write an answer; after the end of the run it is dropped.

        Raises:
            OSError: The file cannot be written.
        """
        answer = replace(answer, date=self._date)
        line = json.dumps({"key": key, **asdict(answer)}).encode() + b"\n"
        with self._lock:
            if self._is_closed:  # a thread that waited for its answer for longer than the run lasted
                return
            self._write(line)
            self._answers[key] = answer

    def close(self) -> None:
        """Take no more answers."""
        with self._lock:
            self._is_closed = True


@contextmanager
def open_journal(path: Path, date: str = "") -> Iterator[Journal]:
    """Open a journal for this process alone, made if it is not there; its new answers are of the day that is given.

    Raises:
        InputError: A line is not one of a journal; the message names it.
        NotNowError: Another process writes it.
        OSError: The file cannot be opened.
    """
    with open_append_only(path, BEGIN) as write:
        journal = Journal(write, read_journal(path), date)
        try:
            yield journal
        finally:
            journal.close()


def read_journal(path: Path) -> dict[str, Completion]:
    """Read a journal without opening it for writing; one that is not there has no answers.

    A text that an error has ended counts as none: its prompt is asked again.

    Raises:
        InputError: A line is not one of a journal; the message names it.
    """
    answers: dict[str, Completion] = {}
    *lines, _ = path.read_bytes().split(b"\n") if path.exists() else [b""]
    for number, line in enumerate(lines, start=1):
        fields = _parse_line(line)
        if fields is None:
            raise InputError(f"{path}: line {number}: not a line of a journal; name another file")
        if fields["finish_reason"] != FAILED:
            answers.setdefault(fields.pop("key"), Completion(**fields))
    return answers


def _parse_line(line: bytes) -> dict[str, Any] | None:
    """Return the fields of a line; None where it is not one of a journal."""
    try:
        fields = json.loads(line)
    except ValueError:
        return None
    # Lines of earlier versions lack the date.
    if not isinstance(fields, dict) or not FIELDS.keys() - {"date"} <= fields.keys() <= FIELDS.keys():
        return None
    return fields if all(isinstance(value, FIELDS[key]) for key, value in fields.items()) else None
