"""The progress bar of a pull."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

T = TypeVar("T")


def track_progress(entries: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The things, one after the other, with a bar on standard error that says how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=False) as progress:
        task = progress.add_task(what, total=total)
        for entry in entries:
            yield entry
            progress.advance(task)


def print_outcome(text: str) -> None:
    """Say in one line on standard error what came of a pull."""
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
