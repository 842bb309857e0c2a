"""Values of arguments, read as argparse's `type`."""

from __future__ import annotations

import argparse

MOST_THREADS = 64
"""DuckDB takes memory for each thread: 256 ran out of what it has by default."""


def read_count(text: str) -> int:
    """Read a number from one, as argparse's `type`."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is expected, not {text}")
    return int(text)


def read_threads(text: str) -> int:
    """Read a number of threads."""
    count = read_count(text)
    if count > MOST_THREADS:
        raise argparse.ArgumentTypeError(f"1 to {MOST_THREADS} threads are expected, not {text}")
    return count
