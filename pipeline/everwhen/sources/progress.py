"""The progress bar of a pull."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

T = TypeVar("T")


def track_progress(entries: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the entries one by one, and show on standard error how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=False) as progress:
        task = progress.add_task(what, total=total)
        for entry in entries:
            yield entry
            progress.advance(task)


def print_outcome(text: str) -> None:
    """Print the outcome of a pull on standard error, in one line."""
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
