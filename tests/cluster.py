"""A standalone Spark cluster on loopback, run by the Spark that pip has installed.

Master and workers are started with an environment of their own: they see neither the project's packages nor its
Python, as the machines of a cluster do not.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pyspark

from everwhen.core.java import find_java_home
from jobs import list_options

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT / "dist" / "everwhen-environment.tar.gz"
SPARK = Path(pyspark.__file__).parent
LOCAL = {"SPARK_LOCAL_IP": "127.0.0.1"}

MASTER_AT = re.compile(r"Starting Spark master at (spark://\S+)")
REGISTERED = re.compile(r"Successfully registered with master")


class Cluster:
    """A master and workers of one core each; a context that ends them all."""

    def __init__(self, folder: Path, *, workers: int, memory: str = "1g", pinned: bool = False) -> None:
        """Start a cluster whose logs and work lie in `folder`.

        Args:
            folder: An empty folder.
            workers: How many workers.
            memory: What each worker has for its executor.
            pinned: Keep each worker and all below it to one core of the machine, the first to the first.
        """
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._memory = memory
        self._pinned = pinned
        self._started = 0
        self._master, match = self._start("master", "master.Master", [], MASTER_AT, os.sched_getaffinity(0))
        self.url = match.group(1)
        try:
            for _ in range(workers):
                self.start_worker()
        except BaseException:
            self.stop()
            raise

    def start_worker(self) -> subprocess.Popen[bytes]:
        """One worker more."""
        options = ["--cores", "1", "--memory", self._memory, "--work-dir", str(self.folder / "work"), self.url]
        cores = {self._started % (os.cpu_count() or 1)} if self._pinned else os.sched_getaffinity(0)
        worker, _ = self._start(f"worker-{self._started}", "worker.Worker", options, REGISTERED, cores)
        self._started += 1
        self.workers.append(worker)
        return worker

    def _start(
        self, name: str, program: str, options: list[str], sign: re.Pattern[str], cores: set[int]
    ) -> tuple[subprocess.Popen[bytes], re.Match[str]]:
        """Start a daemon; wait for what it says when it is ready."""
        log = self.folder / f"{name}.log"
        plain = {"PATH": "/usr/bin:/bin", "JAVA_HOME": find_java_home(), "SPARK_HOME": str(SPARK), **LOCAL}
        at = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        with log.open("wb") as out:
            process = subprocess.Popen(
                [SPARK / "bin" / "spark-class", f"org.apache.spark.deploy.{program}", *at, *options],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**plain, "SPARK_DAEMON_MEMORY": "256m"},
                cwd=self.folder,
                start_new_session=True,
                preexec_fn=partial(os.sched_setaffinity, 0, cores),
            )
        deadline = time.monotonic() + 120
        while not (match := sign.search(log.read_text(errors="replace"))):
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                raise RuntimeError(f"the {name} did not come up:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        return process, match

    def submit(self, *job: str, settings: Mapping[str, str] | None = None) -> list[str]:
        """The command that runs a script with its arguments here, with what executors need in an archive."""
        named = {"spark.executor.memory": self._memory, **(settings or {})}
        return [
            *(str(Path(sys.executable).parent / "spark-submit"), "--master", self.url),
            *("--archives", f"{ARCHIVE}#environment", *list_options(named)),
            *job,
        ]

    @property
    def environment(self) -> dict[str, str]:
        """The variables that the command of `submit` is run with."""
        python = {"PYSPARK_PYTHON": "./environment/bin/python", "PYSPARK_DRIVER_PYTHON": sys.executable}
        return {**os.environ, **LOCAL, "JAVA_HOME": find_java_home(), **python}

    def list_executors(self, worker: subprocess.Popen[bytes]) -> list[psutil.Process]:
        """The executors' processes of a worker."""
        found = []
        for process in psutil.Process(worker.pid).children():
            with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
                if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in process.cmdline():
                    found.append(process)
        return found

    def clear(self) -> None:
        """Delete what finished jobs have left with the workers, the unpacked archives above all."""
        shutil.rmtree(self.folder / "work", ignore_errors=True)

    def stop(self) -> None:
        """End everything: workers end their executors, and what does not end is killed."""
        for process in (*self.workers, self._master):
            if process.poll() is None:
                process.terminate()
        for process in (*self.workers, self._master):
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def __enter__(self) -> Cluster:
        """The cluster runs already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.stop()
