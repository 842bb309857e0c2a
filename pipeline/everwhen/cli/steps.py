"""The progress of many equal steps with rate and time left: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS_BETWEEN_LINES = 15.0

Report = Callable[[int, int], None]
"""Called with how many steps are done, and how many have failed."""


@contextmanager
def show_steps(name: str, total: int, *, quiet: bool) -> Iterator[Report]:
    """Show on stderr how far a command is.

    The first report says what was done before; rate and time left are those of the steps since.

    Args:
        name: The command.
        total: How many steps there are.
        quiet: Show nothing.
    """
    if quiet:
        yield lambda done, failed: None
    elif not sys.stderr.isatty():
        yield print_at_intervals(name, total, SECONDS_BETWEEN_LINES)
    else:
        with _show_bar(name, total) as report:
            yield report


def print_at_intervals(name: str, total: int, seconds: float) -> Report:
    """Print a line at a report, if the last line was printed so many seconds ago."""
    began = printed = time.monotonic()
    before: int | None = None

    def report(done: int, failed: int) -> None:
        nonlocal printed, before
        now = time.monotonic()
        before = done if before is None else before
        if now - printed >= seconds and done < total:
            print(f"  {name}: {describe_rate(done, failed, total, before, now - began)}", file=sys.stderr, flush=True)
            printed = now

    return report


def describe_rate(done: int, failed: int, total: int, before: int, seconds: float) -> str:
    """Describe how far a command is.

    >>> describe_rate(300, 2, 1000, 100, 40.0)
    '300 of 1,000, 2 failed, 5.0 a second, about 2 minutes left'

    Args:
        done: Steps that are done.
        failed: Steps that have failed.
        total: All steps.
        before: Steps that were done before.
        seconds: How long the others took.
    """
    rate = (done + failed - before) / seconds if seconds > 0 else 0.0
    left = total - done - failed
    parts = [f"{done:,} of {total:,}", *([f"{failed:,} failed"] if failed else []), f"{rate:.1f} a second"]
    return ", ".join(parts + ([f"about {_describe_time(left / rate)} left"] if rate else []))


def _describe_time(seconds: float) -> str:
    for length, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= length:
            number = round(seconds / length)
            return f"{number} {unit}{'s' if number != 1 else ''}"
    return f"{seconds:.0f} seconds"


@contextmanager
def _show_bar(name: str, total: int) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=total, rate="", start=False)
        began, before = time.monotonic(), None

        def report(done: int, failed: int) -> None:
            nonlocal before
            if before is None:
                before = done
                bar.update(task, completed=done)
                bar.start_task(task)
            seconds = time.monotonic() - began
            rate = f"{(done + failed - before) / seconds:.1f}/s" if seconds > 0 else ""
            bar.update(task, completed=done + failed, rate=f"{rate} {failed} failed" if failed else rate)

        yield report
