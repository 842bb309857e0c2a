"""Progress of long commands on stderr, with rate and time left: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, int, int], None]
"""Called with the stage, which may be empty, how many steps are done, and of how many."""

SECONDS_BETWEEN_LINES = 15.0
"""How often progress is printed where stderr is no terminal: the sample takes seconds, 100 million rows minutes."""


@contextmanager
def show_progress(command: str, *, quiet: bool) -> Iterator[Progress]:
    """Show how far a command is; what the first report of a total says was done before, and counts for no rate."""
    if quiet:
        yield report_nothing
    elif not sys.stderr.isatty():
        yield _print_at_intervals(command, SECONDS_BETWEEN_LINES)
    else:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}"))
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task, clock = bar.add_task(command, total=None, text=""), _Clock()
            yield lambda stage, done, of: bar.update(
                task, description=_name(command, stage), completed=done, total=of, text=clock.describe(done, of)
            )


def report_nothing(stage: str, done: int, of: int) -> None:
    """Ignore how far a command is."""


def _print_at_intervals(command: str, seconds: float) -> Progress:
    """Print a line at a report, if the last line was printed so many seconds ago."""
    printed, clock = time.monotonic(), _Clock()

    def report(stage: str, done: int, of: int) -> None:
        nonlocal printed
        text = clock.describe(done, of)
        if time.monotonic() - printed >= seconds and done < of:
            print(f"  {_name(command, stage)}: {text}", file=sys.stderr, flush=True)
            printed = time.monotonic()

    return report


def _name(command: str, stage: str) -> str:
    return f"{command}, {stage}" if stage else command


class _Clock:
    """Knows how fast the steps of a total are done; another total starts it again."""

    def __init__(self) -> None:
        self._began, self._before, self._total = 0.0, 0, -1

    def describe(self, done: int, of: int) -> str:
        """Describe how far a command is."""
        now = time.monotonic()
        if of != self._total:
            self._began, self._before, self._total = now, done, of
        return describe_rate(done, of, done - self._before, now - self._began)


def describe_rate(done: int, of: int, new: int, seconds: float) -> str:
    """Describe how far a command is.

    >>> describe_rate(300, 1000, 200, 40.0)
    '300 of 1,000, 5.0 a second, about 2 minutes left'

    Args:
        done: Steps that are done.
        of: All steps.
        new: Those that this run has done.
        seconds: How long they took.
    """
    text = f"{done:,} of {of:,}"
    if new <= 0 or seconds <= 0:
        return text
    return f"{text}, {new / seconds:.1f} a second, about {_describe_time((of - done) * seconds / new)} left"


def _describe_time(seconds: float) -> str:
    for length, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= length:
            number = round(seconds / length)
            return f"{number} {unit}{'s' if number != 1 else ''}"
    return f"{seconds:.0f} seconds"
