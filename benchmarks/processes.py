"""What the processes below one of ours take of CPU and memory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import psutil


def list_processes(pid: int) -> list[psutil.Process]:
    """A process and all below it."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def read_command(process: psutil.Process) -> list[str]:
    """The words of a process's command line; none where it has ended."""
    with suppress(psutil.NoSuchProcess):
        return process.cmdline()
    return []


def sum_cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """CPU time of processes, and of their children that have ended."""
    total = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def sum_memory(processes: Iterable[psutil.Process]) -> int:
    """Bytes of memory that processes hold; of what several share, each its part."""
    total = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            total += process.memory_full_info().pss
    return total
