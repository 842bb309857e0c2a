"""A build on a standalone cluster: the rows of a local one, whatever is killed in the middle.

All stages are one application here, and the stage whose executors are killed a job of its own (`jobs/family.py`): an
application unpacks the archive on each machine. `test_jobs.py` holds that the jobs do what the command does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from cluster import ARCHIVE, LOCAL, ROOT, SPARK, Cluster
from everwhen.core.java import java_home
from everwhen.core.session import SHORT_RUN
from everwhen.sample.writers import SamplePaths
from jobs import SUBMIT_SETTINGS, job_command, list_options

pytestmark = pytest.mark.full

CONFIG = {
    "version": "cluster",
    "snapshot": "sample",
    "world": {"lists": ["aviation_accidents", "films", "persons"]},
    # Pairs, near pairs, triples and whole bindings, in dozens of small files: there is a middle to kill something in.
    "families": {
        "complextempqa": {
            "templates": ["attribute.event.date", "comparison.entity.first", "comparison.entity.first_of_three"],
            "budgets": [
                {
                    "templates": ["comparison.entity.first", "comparison.entity.first_of_three"],
                    "rows": 30_000,
                    "unnamed": 5_000,
                }
            ],
            "rows_per_file": 1000,
        }
    },
    "spark": {"shuffle_partitions": 2, "settings": SHORT_RUN},
}
COMMAND = "import sys; from everwhen.cli.main import main; sys.exit(main())"
"""The command as a script, which spark-submit takes."""
NAMING_FILES = {"dump_rows", "entities", "rejects", "year_page_events", "evidence_items"}
"""Tables that say where in the input something stands, which follows how Spark splits it."""


def manifests(folder: Path) -> dict[str, tuple[int, str]]:
    """Rows and content hash of every table of a build, and of those in its dataset."""
    found = {}
    for path in sorted(folder.glob("*/*/manifest.json")):
        manifest = json.loads(path.read_text())
        tables = {manifest["table"]: manifest} if "table" in manifest else manifest["tables"]
        for name, table in tables.items():
            if name.rpartition("/")[2] not in NAMING_FILES | {"entities"}:
                found[f"{path.parent.parent.name}/{name}"] = (table["rows"], table["content_hash"])
    return found


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration as a file; JSON is YAML."""
    path = tmp_path_factory.mktemp("config") / "cluster.yaml"
    path.write_text(json.dumps(CONFIG))
    return path


@pytest.fixture(scope="module")
def sources(sample_paths: SamplePaths) -> list[str]:
    """The arguments that name the sample's files."""
    pages = Path(sample_paths.year_pages[0]).parent
    views = Path(sample_paths.pageviews[0]).parent
    return ["--dump", *sample_paths.dump, "--year-pages", f"{pages}/*.wikitext", "--pageviews", f"{views}/*.bz2"]


@pytest.fixture(scope="module")
def archive() -> Path:
    """What jobs bring along to a cluster."""
    subprocess.run(["make", "archive", f"PYTHON={sys.executable}"], cwd=ROOT, check=True)
    return ARCHIVE


@pytest.fixture(scope="module")
def build_command(config: Path, sources: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What spark-submit runs: `everwhen build` into the folder `out`, a relative path."""
    script = tmp_path_factory.mktemp("command") / "everwhen_command.py"
    script.write_text(COMMAND)
    return [str(script), "build", "--config", str(config), "--out", "out", *sources]


@pytest.fixture(scope="module")
def local(
    archive: Path, build_command: list[str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[int, str]]:
    """What this machine alone builds, with the archive's Python: drivers, too, find in it all they need."""
    folder = tmp_path_factory.mktemp("local")
    (folder / "environment").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", folder / "environment"], check=True)
    python = {"PYSPARK_PYTHON": "environment/bin/python"}
    subprocess.run(
        [
            *(Path(sys.executable).parent / "spark-submit", "--master", "local[*]"),
            *list_options(SUBMIT_SETTINGS),
            *build_command,
        ],
        check=True,
        cwd=folder,
        env={**os.environ, **LOCAL, "JAVA_HOME": java_home(), "SPARK_HOME": str(SPARK), **python},
    )
    return manifests(folder / "out")


@pytest.fixture(scope="module")
def cluster(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers."""
    with Cluster(tmp_path_factory.mktemp("cluster"), workers=2) as found:
        yield found


@pytest.fixture(scope="module")
def clustered(cluster: Cluster, build_command: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the same command builds on the cluster."""
    folder = tmp_path_factory.mktemp("clustered")
    submit = cluster.submit(*build_command, settings=SUBMIT_SETTINGS)
    subprocess.run(submit, check=True, cwd=folder, env=cluster.environment)
    cluster.clear()
    return folder / "out"


def test_a_cluster_builds_the_same_rows(local: Mapping[str, tuple[int, str]], clustered: Path) -> None:
    made = manifests(clustered)
    assert made == local
    assert {"complextempqa/questions", "dataset/complextempqa/questions", "dataset/facts/statements"} <= made.keys()
    assert len(made) >= 25


@pytest.mark.parametrize(
    ("victim", "reliable"), [("executor", True), ("worker", False)], ids=["executor-with-checkpoints", "worker"]
)
def test_what_is_killed_in_the_middle_of_the_questions_changes_no_row(
    cluster: Cluster, config: Path, clustered: Path, tmp_path: Path, *, victim: str, reliable: bool
) -> None:
    out = tmp_path / "out"
    for stage in ("raw", "facts", "world"):
        shutil.copytree(clustered / stage, out / stage)
    more = {"spark.checkpoint.dir": str(tmp_path / "checkpoints")} if reliable else {}
    job = [*job_command("complextempqa"), "--config", str(config), "--out", "out"]
    submit = cluster.submit(*job, settings={**SUBMIT_SETTINGS, **more})
    running = subprocess.Popen(submit, cwd=tmp_path, env=cluster.environment)
    table, whole = out / "complextempqa" / "questions", json.loads((clustered / TABLE).read_text())["files"]
    deadline = time.monotonic() + 300
    worker = cluster.workers[-1]
    mapped: list[str] = []
    while not list(table.glob("rows-*/*-triples-*.parquet")) or not mapped:
        assert running.poll() is None
        assert time.monotonic() < deadline
        mapped = [path for executor in cluster.executors(worker) for path in mapped_below(executor)]
        time.sleep(0.02)
    (executor,) = cluster.executors(worker)
    if victim == "executor":
        executor.kill()
    else:
        worker.kill()
        worker.wait()
        cluster.workers.remove(worker)
    written = list(table.glob("rows-*/*.parquet"))
    assert 0 < len(written) < len(whole)
    assert not (table / "manifest.json").exists()
    # Its Python worker ran in what came along, and knew nothing of this one.
    assert all("/environment/lib/" in path for path in mapped if "libarrow" in path)
    assert not any(str(Path(sys.prefix) / "lib" / "python") in path for path in mapped)

    failed = running.wait(timeout=600) != 0
    if victim == "worker":
        cluster.start_worker()
    assert not (reliable and failed)
    assert bool(list((tmp_path / "checkpoints").rglob("part-*"))) == reliable
    if failed:  # what was held by the killed one is lost: the next run goes on
        assert not (out / "complextempqa" / "record_counts" / "manifest.json").exists()
        subprocess.run(submit, check=True, cwd=tmp_path, env=cluster.environment)
    cluster.clear()
    stage = {name: made for name, made in manifests(clustered).items() if name.startswith("complextempqa/")}
    assert manifests(out).items() >= stage.items()
    named = json.loads((table / "manifest.json").read_text())["files"]
    assert sorted(str(path.relative_to(table)) for path in table.rglob("*.parquet")) == named
    assert [path.name for path in table.iterdir() if path.is_dir()] == [named[0].partition("/")[0]]


TABLE = Path("complextempqa") / "questions" / "manifest.json"


def mapped_below(executor: psutil.Process) -> list[str]:
    """The files that an executor's Python workers have mapped into their memory, once Arrow is among them."""
    found = []
    with suppress(psutil.NoSuchProcess):
        for process in executor.children(recursive=True):
            paths = [each.path for each in process.memory_maps()]
            if any("libarrow" in path for path in paths):
                found += paths
    return found
