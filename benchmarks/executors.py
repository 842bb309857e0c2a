"""One executor against two: the same jobs on a standalone cluster of one worker, then of two, each with one core.

    make archive
    python benchmarks/executors.py --scale 1 --world 1 --memory 4g

The synthetic world of `configs/scale.yaml`, scaled as in `benchmarks/builds.py`, is built by the jobs of `jobs/` up to
the questions, as docs/operations/cluster.md says (what the stage dataset does, its driver does). Each worker and all
below it is kept to one core of the machine; the driver shares them. The table has the wall time, and the CPU time of
the executors with their Python workers, divided into what Java spends on compiling, on collecting garbage and on all
else, and what Python spends. Both clusters must make the same tables.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from builds import write_scaled_config
from processes import list_processes, sum_cpu_seconds

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from cluster import ARCHIVE, Cluster  # noqa: E402
from jobs import build_job_command  # noqa: E402

STAGES = ("sources", "facts", "world", "complextempqa")
SECONDS = 0.5
SETTINGS = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC -XX:-DontCompileHugeMethods",
    "spark.executor.extraJavaOptions": "-XX:+UseParallelGC -XX:-DontCompileHugeMethods",
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
}


THREADS = {"C1 Compiler": "compiling", "C2 Compiler": "compiling", "GC Thread": "collecting", "VM Thread": "collecting"}
"""What Java calls the threads that do not run its programs, by the beginning of the name."""

PARTS = ("compiling", "collecting", "java", "python")
"""What CPU time goes into: Java's compilers, its collector, all else in Java, and the Python workers."""


FIGURES = ("seconds", "cpu", *PARTS)


class Watch(threading.Thread):
    """CPU seconds of all executors of a cluster, and of what runs below them."""

    def __init__(self, cluster: Cluster) -> None:
        """Look at the cluster's executors until `finish`."""
        super().__init__(daemon=True)
        self._cluster = cluster
        self._ended = threading.Event()
        # Threads and processes end: of each the last look counts, which is up to half a second too early.
        self._threads: dict[tuple[int, int], tuple[str, float]] = {}
        self._java: dict[int, float] = {}
        self._python: dict[int, float] = {}

    def run(self) -> None:
        """Look every half second."""
        while not self._ended.wait(SECONDS):
            for worker in self._cluster.workers:
                for executor in self._cluster.list_executors(worker):
                    with suppress(psutil.NoSuchProcess, OSError):
                        self._look_at(executor)

    def _look_at(self, executor: psutil.Process) -> None:
        for thread in executor.threads():
            name = Path(f"/proc/{executor.pid}/task/{thread.id}/comm").read_text()
            part = next((part for start, part in THREADS.items() if name.startswith(start)), None)
            if part:
                self._threads[executor.pid, thread.id] = part, thread.user_time + thread.system_time
        times = executor.cpu_times()
        self._java[executor.pid] = times.user + times.system
        python = sum_cpu_seconds(list_processes(executor.pid)[1:]) + times.children_user + times.children_system
        self._python[executor.pid] = max(python, self._python.get(executor.pid, 0.0))

    def finish(self) -> dict[str, float]:
        """CPU seconds of each of PARTS."""
        self._ended.set()
        self.join()
        found = dict.fromkeys(PARTS, 0.0)
        for part, seconds in self._threads.values():
            found[part] += seconds
        found["java"] = sum(self._java.values()) - sum(found.values())
        found["python"] = sum(self._python.values())
        return found


def run_jobs(workers: int, config: Path, folder: Path, memory: str) -> dict[str, Any]:
    """Run the jobs on so many workers: seconds, CPU seconds, and what the tables hold."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found: dict[str, Any] = {"executors": workers, "stages": {}}
    with Cluster(folder, workers=workers, memory=memory, pinned=True) as cluster:
        for stage in STAGES:
            submit = cluster.submit(
                *build_job_command(stage), "--config", str(config), "--out", str(folder / "build"), settings=SETTINGS
            )
            watch = Watch(cluster)
            watch.start()
            started = time.monotonic()
            with (folder / f"{stage}.log").open("w") as out:
                code = subprocess.run(submit, env=cluster.environment, stdout=out, stderr=subprocess.STDOUT).returncode
            seconds = time.monotonic() - started
            parts = watch.finish()
            if code:
                sys.exit(f"exit code {code}; see {folder / stage}.log")
            figures = {"seconds": seconds, "cpu": sum(parts.values()), **parts}
            found["stages"][stage] = {name: round(value, 1) for name, value in figures.items()}
            cluster.clear()
    for name in FIGURES:
        found[name] = round(sum(stage[name] for stage in found["stages"].values()), 1)
    tables = {}
    for path in sorted((folder / "build").glob("*/*/manifest.json")):
        manifest = json.loads(path.read_text())
        tables[manifest["table"]] = [manifest["rows"], manifest["content_hash"]]
    found["tables"] = tables
    return found


def format_table(results: Sequence[dict[str, Any]]) -> str:
    """The figures of both, stage by stage."""
    heads = ("seconds", "CPU s", *PARTS)
    lines = [f"{'stage':<12}{'executors':>10}" + "".join(f"{head:>12}" for head in heads)]
    for result in results:
        for name, stage in [*result["stages"].items(), ("all", result)]:
            lines.append(f"{name:<12}{result['executors']:>10}" + "".join(f"{stage[each]:>12}" for each in FIGURES))
    return "\n".join(lines)


def main(scale: float, folder: Path, memory: str, world: float | None) -> None:
    """Measure one and two executors; print a table and one line of JSON."""
    if not ARCHIVE.is_file():
        sys.exit(f"no {ARCHIVE.relative_to(ROOT)}: run make archive first")
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    config = write_scaled_config(scale, folder, world)
    if not (folder / "world").is_dir():
        everwhen = Path(sys.executable).with_name("everwhen")
        subprocess.run([everwhen, "synth", "--config", config, folder / "world"], check=True, stdout=subprocess.DEVNULL)
    results = [run_jobs(workers, config, folder / f"{workers}-workers", memory) for workers in (1, 2)]
    one, two = (result.pop("tables") for result in results)
    differing = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    ratios = {name: round(results[1][name] / results[0][name], 3) for name in FIGURES}
    rows = one["questions"][0]
    print(format_table(results))
    print(f"two to one: {ratios}; {rows:,} questions; tables that differ: {differing or 'none'}")
    print(json.dumps({"rows": rows, "results": results, "two_to_one": ratios, "differing": differing}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="One executor against two.")
    parser.add_argument("--scale", type=float, default=0.1, help="size; 1 is the paper's")
    parser.add_argument("--world", type=float, help="size of the world; by default that of the rows")
    parser.add_argument("--folder", type=Path, default=Path("build/executors"), help="where world and builds lie")
    parser.add_argument("--memory", default="2g", help="heap of each executor")
    main(**vars(parser.parse_args()))
