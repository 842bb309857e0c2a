"""One executor against two: the same jobs on a standalone cluster of one worker, then of two, each with one core.

    make archive
    python benchmarks/executors.py --scale 0.3 --world 1 --memory 4g

The synthetic world of `configs/scale.yaml`, scaled as in `benchmarks/builds.py`, is built by the jobs of `jobs/` up to
the questions, as docs/cluster.md says (what the stage dataset does, its driver does). Told are the wall time, and the
CPU time of the executors with the Python workers below them: all of it, and that of Spark's tasks by its event log
(`executorCpuTime`, the JVM's own threads for compiling and collecting left out) with the Python workers'. Both clusters
must make the same tables. Driver and executors share the machine's cores.
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
from builds import scaled
from processes import below, cpu_seconds

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from cluster import ARCHIVE, Cluster  # noqa: E402

STAGES = ("sources", "facts", "world", "questions")
SECONDS = 0.5
SETTINGS = {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC -XX:-DontCompileHugeMethods",
    "spark.executor.extraJavaOptions": "-XX:+UseParallelGC -XX:-DontCompileHugeMethods",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
}


class Watch(threading.Thread):
    """CPU seconds of all executors of a cluster, and of what runs below them."""

    def __init__(self, cluster: Cluster) -> None:
        """Look at the cluster's executors until `finish`."""
        super().__init__(daemon=True)
        self._cluster = cluster
        self._ended = threading.Event()
        self._all: dict[int, float] = {}
        self._python: dict[int, float] = {}

    def run(self) -> None:
        """Look every half second; of each executor the last look counts, which is up to that much too early."""
        while not self._ended.wait(SECONDS):
            for worker in self._cluster.workers:
                for executor in self._cluster.executors(worker):
                    with suppress(psutil.NoSuchProcess):
                        processes = below(executor.pid)
                        python = cpu_seconds(processes[1:])
                        self._python[executor.pid] = max(python, self._python.get(executor.pid, 0.0))
                        self._all[executor.pid] = max(cpu_seconds(processes), self._all.get(executor.pid, 0.0))

    def finish(self) -> tuple[float, float]:
        """CPU seconds of everything, and of the Python workers."""
        self._ended.set()
        self.join()
        return sum(self._all.values()), sum(self._python.values())


def in_tasks(logs: Path) -> float:
    """CPU seconds that the threads of Spark's tasks took, by the event logs of a folder."""
    nanoseconds = 0
    for log in logs.rglob("events_*"):
        for line in log.read_text().splitlines():
            if line.startswith('{"Event":"SparkListenerTaskEnd"'):
                nanoseconds += json.loads(line).get("Task Metrics", {}).get("Executor CPU Time", 0)
    return nanoseconds / 1e9


def built(workers: int, config: Path, folder: Path, memory: str) -> dict[str, Any]:
    """Run the jobs on so many workers: seconds, CPU seconds, and what the tables hold."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found: dict[str, Any] = {"executors": workers, "stages": {}}
    with Cluster(folder, workers=workers, memory=memory) as cluster:
        for stage in STAGES:
            logs = folder / "events" / stage
            logs.mkdir(parents=True)
            settings = SETTINGS | {"spark.eventLog.dir": logs.as_uri()}
            submit = cluster.submit(stage, "--config", config, "--out", folder / "build", settings=settings)
            watch = Watch(cluster)
            watch.start()
            started = time.monotonic()
            with (folder / f"{stage}.log").open("w") as out:
                code = subprocess.run(submit, env=cluster.environment, stdout=out, stderr=subprocess.STDOUT).returncode
            seconds = time.monotonic() - started
            everything, python = watch.finish()
            if code:
                sys.exit(f"exit code {code}; see {folder / stage}.log")
            found["stages"][stage] = {
                "seconds": round(seconds, 1),
                "executor_cpu": round(everything, 1),
                "task_cpu": round(in_tasks(logs) + python, 1),
            }
            cluster.clear()
    for name in ("seconds", "executor_cpu", "task_cpu"):
        found[name] = round(sum(stage[name] for stage in found["stages"].values()), 1)
    tables = {}
    for path in sorted((folder / "build").glob("*/*/manifest.json")):
        manifest = json.loads(path.read_text())
        tables[manifest["table"]] = [manifest["rows"], manifest["content_hash"]]
    found["tables"] = tables
    return found


def table(results: Sequence[dict[str, Any]]) -> str:
    """The figures of both, stage by stage."""
    lines = [f"{'stage':<12}{'executors':>10}{'seconds':>9}{'executor CPU s':>16}{'tasks and Python CPU s':>24}"]
    for result in results:
        for name, stage in [*result["stages"].items(), ("all", result)]:
            figures = f"{stage['seconds']:>9}{stage['executor_cpu']:>16}{stage['task_cpu']:>24}"
            lines.append(f"{name:<12}{result['executors']:>10}{figures}")
    return "\n".join(lines)


def main(scale: float, folder: Path, memory: str, world: float | None) -> None:
    """Measure one and two executors; print a table and one line of JSON."""
    if not ARCHIVE.is_file():
        sys.exit(f"no {ARCHIVE.relative_to(ROOT)}: run make archive first")
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    config = scaled(scale, folder, world)
    if not (folder / "world").is_dir():
        everwhen = Path(sys.executable).with_name("everwhen")
        subprocess.run([everwhen, "synth", "--config", config, folder / "world"], check=True, stdout=subprocess.DEVNULL)
    results = [built(workers, config, folder / f"{workers}-workers", memory) for workers in (1, 2)]
    one, two = (result.pop("tables") for result in results)
    differing = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    ratios = {name: round(results[1][name] / results[0][name], 3) for name in ("seconds", "executor_cpu", "task_cpu")}
    rows = one["questions"][0]
    print(table(results))
    print(f"two to one: {ratios}; {rows:,} questions; tables that differ: {differing or 'none'}")
    print(json.dumps({"rows": rows, "results": results, "two_to_one": ratios, "differing": differing}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="One executor against two.")
    parser.add_argument("--scale", type=float, default=0.1, help="size; 1 is the paper's")
    parser.add_argument("--world", type=float, help="size of the world; by default that of the rows")
    parser.add_argument("--folder", type=Path, default=Path("build/executors"), help="where world and builds lie")
    parser.add_argument("--memory", default="2g", help="heap of each executor")
    main(**vars(parser.parse_args()))
