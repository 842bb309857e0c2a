"""What the processes below one of ours take of CPU and memory."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

SECONDS = 2.0
"""Between two looks at memory and disk."""


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


def measure_command(arguments: Sequence[str], log: Path, disk: Path) -> dict[str, Any]:
    """Run a command, its output into a log.

    Args:
        arguments: The command.
        log: The file for what it prints.
        disk: A folder of the disk that is watched.

    Returns:
        seconds; peak_mb, the most memory of all its processes, peak_java_mb, what of it Java held, and peak_at_s, when
        that was; disk_mb, by how much the disk filled.
    """
    free = shutil.disk_usage(disk).free
    started = time.monotonic()
    used = 0
    peak = {"peak_mb": 0, "peak_java_mb": 0, "peak_at_s": 0}
    with log.open("w") as out:
        process = subprocess.Popen(arguments, stdout=out, stderr=subprocess.STDOUT)
        while process.poll() is None:
            each = [(sum_memory([p]) // 2**20, read_command(p)) for p in list_processes(process.pid)]
            memory = sum(size for size, _ in each)
            if memory > peak["peak_mb"]:
                java = sum(size for size, words in each if words and words[0].endswith("java"))
                peak = {"peak_mb": memory, "peak_java_mb": java, "peak_at_s": round(time.monotonic() - started)}
            used = max(used, free - shutil.disk_usage(disk).free)
            time.sleep(SECONDS)
    if process.returncode:
        sys.exit(f"{' '.join(arguments)}: exit code {process.returncode}; see {log}")
    return {
        "seconds": round(time.monotonic() - started, 1),
        **peak,
        "disk_mb": used // 2**20,
    }


def read_steps(log: Path) -> dict[str, dict[str, float]]:
    """Read the seconds of a build's stages, and of the tables and checks within them, from what it printed."""
    text = log.read_text(encoding="utf-8")
    done = re.findall(r"(\w+) done in ([\d.]+) s", text)
    steps = re.findall(r"^  (\w+): .*, ([\d.]+) s$", text, re.MULTILINE)
    return {
        "stages": {name: float(seconds) for name, seconds in done},
        "steps": {name: float(seconds) for name, seconds in steps},
    }
