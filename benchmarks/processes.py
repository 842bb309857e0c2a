"""The processes below one of ours, and what they take of CPU and memory (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def below(pid: int) -> list[int]:
    """A process and all below it."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            fields = _fields(int(folder.name))
            if fields:
                parents[int(folder.name)] = int(fields[1])
    own = {pid}
    while more := {child for child, parent in parents.items() if parent in own} - own:
        own |= more
    return sorted(own)


def command(pid: int) -> bytes:
    """The command line of a process, its words ended by NUL; empty where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def cpu_seconds(pids: Iterable[int]) -> float:
    """CPU time of processes, and of their children that have ended."""
    return sum(sum(map(int, _fields(pid)[11:15])) for pid in pids) / TICKS


def held(pids: Iterable[int]) -> int:
    """Bytes of memory that processes hold; of what several share, each its part."""
    kilobytes = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        kilobytes += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return kilobytes << 10


def _fields(pid: int) -> list[str]:
    """What the kernel tells of a process, from its state on; empty where it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []
