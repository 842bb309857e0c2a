"""Progress of long commands on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, int, int], None]
"""Called with the next step, how many steps are done, and of how many."""

SECONDS_BETWEEN_LINES = 15.0
"""How often progress is printed where stderr is no terminal: the sample takes seconds, 100 million rows minutes."""


@contextmanager
def show_progress(command: str, *, quiet: bool) -> Iterator[Progress | None]:
    """Show a bar on stderr where that is a terminal, and elsewhere a line now and then, for the logs of schedulers."""
    if quiet:
        yield None
    elif not sys.stderr.isatty():
        yield _print_at_intervals(command, SECONDS_BETWEEN_LINES)
    else:
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)
            yield lambda step, done, of: bar.update(task, description=step, completed=done, total=of)


def _print_at_intervals(command: str, seconds: float) -> Progress:
    """Print the next step as a line, if the last line was printed so many seconds ago."""
    printed = time.monotonic()

    def report(step: str, done: int, of: int) -> None:
        nonlocal printed
        if time.monotonic() - printed >= seconds and done < of:
            print(f"  {command}: {done * 100 // of} % of the steps done, next: {step}", file=sys.stderr, flush=True)
            printed = time.monotonic()

    return report
