"""The progress of a pull."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from everwhen.core.progress import SECONDS_BETWEEN_LINES

T = TypeVar("T")


def track_progress(entries: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the entries one by one, and show on standard error how far it is: a bar, or a line now and then."""
    if not sys.stderr.isatty():
        yield from _print_at_intervals(entries, total, what)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_open_console(), transient=False) as progress:
        task = progress.add_task(what, total=total)
        for entry in entries:
            yield entry
            progress.advance(task)


def _print_at_intervals(entries: Iterable[T], total: int, what: str) -> Iterator[T]:
    printed = time.monotonic()
    for done, entry in enumerate(entries):
        if time.monotonic() - printed >= SECONDS_BETWEEN_LINES:
            print_outcome(f"  {what}: {done:,} of {total:,}")
            printed = time.monotonic()
        yield entry


def print_outcome(text: str) -> None:
    """Print the outcome of a pull on standard error, in one line."""
    _open_console().print(text, markup=False, highlight=False, soft_wrap=True)


def _open_console() -> Console:
    """Open standard error for what --quiet leaves out; the command has said so by the level of Python's logging."""
    return Console(stderr=True, quiet=not logging.getLogger("everwhen").isEnabledFor(logging.CRITICAL))
