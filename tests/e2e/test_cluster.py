"""A build on a standalone cluster: the rows of a local one, whatever is killed in the middle.

All stages are one application where a worker is lost, and the stage that loses an executor is a job of its own
(`jobs/family.py`): an application unpacks the archive on each machine.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import yaml
from pyspark.sql import SparkSession

from cluster import ARCHIVE, ROOT, SPARK, Cluster
from digests import list_tables
from everwhen.core.build import Build
from everwhen.preflight import read_config
from everwhen.sources.stage import load_sources
from everwhen.stages import list_stages
from hostile_world import UndisturbedBuild
from jobs import SUBMIT_SETTINGS, build_job_command

pytestmark = pytest.mark.full

CHANGED = {
    "version": "cluster",
    # Pairs, near pairs, triples and whole bindings, in dozens of small files: there is a middle to kill something in.
    "families": {
        "complextempqa": {
            "templates": ["attribute.event.date", "comparison.entity.first", "comparison.entity.first_of_three"],
            "compare_alike": False,
            "budgets": [
                {
                    "templates": ["comparison.entity.first", "comparison.entity.first_of_three"],
                    "rows": 12_000,
                    "unnamed": 2_000,
                }
            ],
            "rows_per_file": 1000,
        }
    },
}
"""What the configuration says otherwise than that of the small world."""
COMMAND = "import sys; from everwhen.cli.main import main; sys.exit(main())"
"""The command as a script, which spark-submit takes."""
TABLE = Path("complextempqa") / "questions" / "manifest.json"


@pytest.fixture(scope="module")
def config(small_config: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration as a file: the small world, and other questions about it."""
    path = tmp_path_factory.mktemp("config") / "cluster.yaml"
    path.write_text(yaml.safe_dump(yaml.safe_load(small_config.read_text()) | CHANGED))
    return path


@pytest.fixture(scope="module")
def archive() -> Path:
    """What jobs bring along to a cluster."""
    subprocess.run(["make", "archive", f"PYTHON={sys.executable}"], cwd=ROOT, check=True)
    return ARCHIVE


@pytest.fixture(scope="module")
def local(
    spark: SparkSession, config: Path, undisturbed: UndisturbedBuild, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of what this machine alone builds: facts and world are those of the small world."""
    out = tmp_path_factory.mktemp("local") / "out"
    for stage in ("raw", "facts", "world"):
        shutil.copytree(undisturbed.out / stage, out / stage)
    build = Build(spark, read_config(config), str(out))
    load_sources(build)
    stages = list_stages(build.config)
    for stage in ("complextempqa", "dataset"):
        stages[stage](build)
    return out


@pytest.fixture(scope="module")
def cluster(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers."""
    with Cluster(tmp_path_factory.mktemp("cluster"), workers=2) as found:
        yield found


@pytest.fixture(scope="module")
def clustered(
    archive: Path, cluster: Cluster, config: Path, local: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of what `everwhen build` makes on the cluster, which loses a worker meanwhile.

    The driver runs with the archive's Python: drivers, too, find in it all they need.
    """
    folder = tmp_path_factory.mktemp("clustered")
    (folder / "environment").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", folder / "environment"], check=True)
    (folder / "everwhen_command.py").write_text(COMMAND)
    build = ["everwhen_command.py", "build", "--config", str(config), "--out", "out"]
    submit = cluster.submit(*build, settings=SUBMIT_SETTINGS)
    environment = {**cluster.environment, "SPARK_HOME": str(SPARK), "PYSPARK_DRIVER_PYTHON": "environment/bin/python"}
    running = subprocess.Popen(submit, cwd=folder, env=environment)
    worker, _ = wait_for_the_middle(cluster, running, folder / "out")
    worker.kill()
    worker.wait()
    cluster.workers.remove(worker)
    require_half_written(folder / "out", local)
    failed = running.wait(timeout=600) != 0
    cluster.start_worker()
    if failed:  # what was held by the killed one is lost: the next run goes on
        assert not (folder / "out" / "complextempqa" / "record_counts" / "manifest.json").exists()
        subprocess.run([*submit, "--resume"], check=True, cwd=folder, env=environment)
    cluster.clear()
    return folder / "out"


def test_a_cluster_that_loses_a_worker_builds_the_same_rows(clustered: Path, local: Path) -> None:
    made = list_tables(clustered)
    assert made == list_tables(local)
    assert {"complextempqa/questions", "dataset/complextempqa/questions", "dataset/facts/statements"} <= made.keys()
    assert len(made) >= 25
    require_one_attempt(clustered)


def test_a_job_with_checkpoints_survives_a_lost_executor(
    cluster: Cluster, config: Path, local: Path, clustered: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for stage in ("raw", "facts", "world"):
        shutil.copytree(clustered / stage, out / stage)
    job = [*build_job_command("complextempqa"), "--config", str(config), "--out", "out"]
    reliable = {**SUBMIT_SETTINGS, "spark.checkpoint.dir": str(tmp_path / "checkpoints")}
    running = subprocess.Popen(cluster.submit(*job, settings=reliable), cwd=tmp_path, env=cluster.environment)
    _, executor = wait_for_the_middle(cluster, running, out)
    executor.kill()
    require_half_written(out, local)
    assert running.wait(timeout=600) == 0
    assert list((tmp_path / "checkpoints").rglob("part-*"))
    cluster.clear()
    stage = {name: made for name, made in list_tables(local).items() if name.startswith("complextempqa/")}
    made = list_tables(out)
    assert {name: made[name] for name in stage} == stage
    require_one_attempt(out)


def wait_for_the_middle(
    cluster: Cluster, running: subprocess.Popen[bytes], out: Path
) -> tuple[subprocess.Popen[bytes], psutil.Process]:
    """Wait until some of the questions are written; a worker, and its executor.

    The executor's Python has mapped what the archive brought along, and nothing of this Python.
    """
    table = out / TABLE.parent
    deadline = time.monotonic() + 600
    worker = cluster.workers[-1]
    mapped: list[str] = []
    while not (mapped and list(table.glob("rows-*/*-triples-*.parquet"))):
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
        if not mapped and list(table.glob("rows-*")):  # looking at what is mapped takes a while
            mapped = [path for executor in cluster.list_executors(worker) for path in mapped_below(executor)]
    (executor,) = cluster.list_executors(worker)
    assert all("/environment/lib/" in path for path in mapped if "libarrow" in path)
    assert not any(str(Path(sys.prefix) / "lib" / "python") in path for path in mapped)
    return worker, executor


def require_half_written(out: Path, complete: Path) -> None:
    """Some files of the questions are there, not all that a whole build has."""
    written = list((out / TABLE.parent).glob("rows-*/*.parquet"))
    assert 0 < len(written) < len(json.loads((complete / TABLE).read_text())["files"])
    assert not (out / TABLE).exists()


def require_one_attempt(out: Path) -> None:
    """The questions' files are those of the manifest, and of one attempt."""
    table, named = out / TABLE.parent, json.loads((out / TABLE).read_text())["files"]
    assert sorted(str(path.relative_to(table)) for path in table.rglob("*.parquet")) == named
    assert [path.name for path in table.iterdir() if path.is_dir()] == [named[0].partition("/")[0]]


def mapped_below(executor: psutil.Process) -> list[str]:
    """The files that an executor's Python workers have mapped into their memory, once Arrow is among them."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in executor.children(recursive=True):
            paths = [each.path for each in process.memory_maps()]
            if any("libarrow" in path for path in paths):
                found += paths
    return found
