"""The progress of a pull."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console

from everwhen.core.progress import show_progress

T = TypeVar("T")


def track_progress(entries: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield the entries one by one, and show how far it is."""
    with show_progress(what, quiet=_is_quiet()) as report:
        for done, entry in enumerate(entries):
            report("", done, total)
            yield entry


def print_outcome(text: str) -> None:
    """Print the outcome of a pull on standard error, in one line."""
    Console(stderr=True, quiet=_is_quiet()).print(text, markup=False, highlight=False, soft_wrap=True)


def _is_quiet() -> bool:
    """Whether --quiet was given; the command has said so by the level of Python's logging."""
    return not logging.getLogger("everwhen").isEnabledFor(logging.CRITICAL)
