"""`airflow dags test` of the embedded sample: a month that fails and is run again, the next one, no wrong row."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from conftest import BUILD, ROOT, of_build

Run = Callable[..., subprocess.CompletedProcess[str]]

DATE, NEXT = "2026-11-01", "2026-12-01"
PULLS = ("pull_year_pages", "pull_entity_lists", "pull_pageviews", "pull_dump")
FAMILIES = ("family_complextempqa", "family_tdbench", "family_time_benchmark", "family_impliret")
TASKS = ("sources", "facts", "world", *FAMILIES, "dataset")
FAILING = ("sources", "family_complextempqa")
"""The tasks that fail once: one that all others need, and one beside which others go on.

What a stage refuses is tested in tests/e2e/test_build.py, and here a run whose last task fails.
"""
REPEATED = ("sources", "family_tdbench")
"""Tasks that have been done before a failure, and are run anew."""
DATASET = Path(DATE) / "dataset" / "demo"

PLANT = """
import sys
import pyarrow as pa, pyarrow.parquet as pq
questions = pq.read_table(sys.argv[1])
row = questions["template_id"].to_pylist().index("attribute.event.date")
answers = questions["answer"].to_pylist()
answers[row] = ["1066-10-14"]
place = questions.schema.get_field_index("answer")
field = questions.schema.field(place)
wrong = questions.set_column(place, field, pa.array(answers, field.type))
pq.write_table(wrong, sys.argv[1])
"""
"""Writes one wrong answer into a file of questions."""


SPARK = """
spark.ui.enabled false
spark.log.level ERROR
spark.python.sql.dataFrameDebugging.enabled false
spark.driver.extraJavaOptions -XX:+UseParallelGC -Xms1g -XX:NewRatio=1 -XX:MetaspaceSize=256m \
 -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m
"""
"""What configs/demo.yaml says for a short run, as far as spark-submit must know it before it starts."""

PARTITIONS = {"shuffle_partitions": 5, "settings": {"spark.sql.adaptive.enabled": "true"}}
"""What this build has otherwise than that of tests/golden, whose rows it has to have."""
ON_RECORD = ROOT / "tests" / "golden" / "rows.json"


@pytest.fixture(scope="module")
def run(airflow: Any, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs the DAG on the sample, with quick settings, other partitions and adaptive plans."""
    folder = tmp_path_factory.mktemp("settings")
    properties, config = folder / "spark.properties", folder / "demo.yaml"
    properties.write_text(SPARK)
    demo = yaml.safe_load((ROOT / "configs" / "demo.yaml").read_text())
    settings = {**demo["spark"]["settings"], **PARTITIONS["settings"]}
    demo["spark"] |= {**PARTITIONS, "settings": settings}
    config.write_text(yaml.safe_dump(demo))
    return partial(airflow.test, properties_file=str(properties), config=str(config))


INPUTS = """
import json, sys
from everwhen.core.build import describe_inputs
from everwhen.preflight import read_config
print(json.dumps(describe_inputs(read_config(sys.argv[1], sys.argv[2]))))
"""
"""Prints what a manifest of a build says of its inputs, but for the files."""


def plant_leftovers(out: Path, config: Path) -> dict[str, Path]:
    """Write what a build of other files would have left, by the task that refuses it: one that makes the same."""
    inputs = json.loads(of_build("-c", INPUTS, str(config), DATE)) | {"sources": {"other.json.bz2": "1"}}
    contents = {
        "raw/sources.json": {"sources": {}, "fingerprints": {"other.json.bz2": "1"}},
        "complextempqa/questions/manifest.json": {"rows": 1, "inputs": inputs},
    }
    for name, content in contents.items():
        (out / name).parent.mkdir(parents=True)
        (out / name).write_text(json.dumps(content))
    return {task: out / name for task, name in zip(FAILING, contents, strict=True)}


@dataclass(frozen=True)
class Month:
    """A month whose run failed at some tasks, and was run again once the leftover there was deleted.

    Attributes:
        root: The output root.
        logs: What each run has logged.
        states: After each run the tasks that failed and those that were not run any more.
        failures: What the DAG has reported of each run.
        before: The files before the last run.
    """

    root: Path
    logs: list[str] = field(default_factory=list)
    states: list[tuple[set[str], set[str]]] = field(default_factory=list)
    failures: list[dict[str, str]] = field(default_factory=list)
    before: dict[str, tuple[int, int]] = field(default_factory=dict)


@pytest.fixture(scope="module")
def month(airflow: Any, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Month:
    """The sample as the DAG builds it; tasks that were done before a failure are not run anew, but for some."""
    month = Month(tmp_path_factory.mktemp("everwhen"))
    leftovers = plant_leftovers(month.root / DATE, run.keywords["config"])
    done: list[str] = []
    for task in (*FAILING, None):
        before = len(airflow.failures())
        ran = run(DATE, done="|".join(done), root=str(month.root), snapshot=DATE)
        assert (ran.returncode == 0) == (task is None), ran.stdout[-5000:]
        found = airflow.tasks(DATE)
        month.logs.append(ran.stdout)
        month.failures.extend(airflow.failures()[before:])
        month.states.append(tuple({t for t in found if found[t][0] == s} for s in ("failed", "upstream_failed")))
        if task is not None:
            leftovers[task].unlink()
            done = ["snapshot", "pull_.*", *(t for t in TASKS if found[t][0] == "success" and t not in REPEATED)]
            month.before.clear()
            month.before.update(files(month.root))
    return month


@pytest.fixture(scope="module")
def published(month: Month) -> tuple[Path, str]:
    """The sample as the DAG has published it: the output root, and what was logged."""
    return month.root, "".join(month.logs)


def files(root: Path) -> dict[str, tuple[int, int]]:
    """All files with their size and the time of their last change."""
    return {
        str(path.relative_to(root)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_a_month_fails_and_is_built_in_the_end(month: Month) -> None:
    later = [set(TASKS[1:]), {"dataset"}]  # the other families need nothing of the one that fails
    assert month.states == [*(({task}, rest) for task, rest in zip(FAILING, later, strict=True)), (set(), set())]
    for task, log in zip(FAILING, month.logs, strict=False):
        name = task.removeprefix("family_")
        refused = rf"everwhen {name}: .*: made with different sources; take a new output folder"
        assert re.search(refused, log), log[-3000:]


def test_each_failure_is_reported(month: Month) -> None:
    assert [failure["reason"] for failure in month.failures] == ["task_failure"] * len(FAILING)


def test_the_sample_is_published(airflow: Any, month: Month) -> None:
    for what in ("year-pages", "entity-lists", "pageviews", "dump"):
        assert f"everwhen pull {what}: skipped: sources.sample: the embedded sample is built" in month.logs[0]
    manifest = json.loads((month.root / DATASET / "manifest.json").read_text())
    assert manifest["snapshot"] == DATE
    report = json.loads((month.root / DATASET / "report.json").read_text())
    assert report["verification"]["checked"] == report["rows"] == manifest["rows"] > 1_500
    assert report["verification"]["wrong"] == 0
    out = str(month.root / DATE)
    made = [outlet for outlet in airflow.outlets() if outlet[2] == out]
    assert sorted(set(made)) == [
        ("dataset", "everwhen_dataset", out),
        ("family_complextempqa", "everwhen_complextempqa", out),
        ("family_impliret", "everwhen_impliret", out),
        ("family_tdbench", "everwhen_tdbench", out),
        ("family_time_benchmark", "everwhen_time_benchmark", out),
    ]


def test_spark_says_in_a_log_what_it_is_and_warns(month: Month) -> None:
    """A job that reads nothing else than leftovers says the same as others before its settings are read."""
    for log in month.logs:
        spoken = re.findall(r"\d\d:\d\d:\d\d INFO (\w+): (.*)", log)
        assert {text.split()[0] for source, text in spoken if source == "SparkContext"} <= {"Running", "OS", "Java"}
        assert {source for source, _ in spoken} <= {"SparkContext"}


def test_the_next_month_is_a_build_of_its_own(
    airflow: Any, run: Run, month: Month, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It asks less, to be quick; a family that is not in its configuration is skipped, and makes no asset."""
    before = files(month.root)
    config = yaml.safe_load(Path(run.keywords["config"]).read_text())
    config["families"] = {"complextempqa": {"templates": ["attribute.event.date"]}}
    path = tmp_path_factory.mktemp("next") / "less.yaml"
    path.write_text(yaml.safe_dump(config))
    ran = run(NEXT, config=str(path), root=str(month.root))
    assert ran.returncode == 0, ran.stdout[-5000:]
    skipped = {*PULLS, *FAMILIES[1:]}
    assert airflow.tasks(NEXT) == {
        name: ("skipped" if name in skipped else "success", 1) for name in ("snapshot", *PULLS, *TASKS)
    }
    out = month.root / NEXT
    assert json.loads((out / "dataset" / "demo" / "manifest.json").read_text())["snapshot"] == NEXT
    assert [(task, name) for task, name, folder in airflow.outlets() if folder == str(out)] == [
        ("family_complextempqa", "everwhen_complextempqa"),
        ("dataset", "everwhen_dataset"),
    ]
    assert {name: mark for name, mark in files(month.root).items() if not name.startswith(NEXT)} == before


def test_jobs_partitions_and_plans_change_no_row(published: tuple[Path, str]) -> None:
    root, _ = published
    digests = json.loads(of_build("tests/digests.py", str(root / DATE), "demo"))
    on_record = json.loads(ON_RECORD.read_text())["sample"]
    # Declarations of our world have the day of the snapshot, which this run names, and items about teams ask up to it.
    dated = ("declarations", "items", "item_sets", "record_counts")
    for found in (digests, on_record):
        for table in dated:
            found["tables"].pop(f"tdbench/{table}")
            found["tables"].pop(f"dataset/tdbench/{table}", None)
    assert digests == on_record


def test_a_task_that_is_run_again_skips_what_is_there_and_says_so(month: Month) -> None:
    """Of two tasks: tests/e2e/test_build.py shows that each stage skips what is there."""
    skipped = re.findall(r"(\w+): skipped, ", month.logs[-1])
    assert skipped == [task.removeprefix("family_") for task in REPEATED]
    assert month.before.items() <= files(month.root).items()


def test_a_wrong_row_is_not_published_and_the_run_fails(
    airflow: Any, run: Run, published: tuple[Path, str], tmp_path: Path
) -> None:
    root, _ = published
    shutil.copytree(root / DATE, tmp_path / DATE)
    shutil.rmtree(tmp_path / DATE / "dataset")
    path = next((tmp_path / DATE / "complextempqa" / "questions").glob("rows-*/train-whole-*.parquet"))
    subprocess.run([BUILD / "python", "-c", PLANT, path], check=True, cwd=ROOT)
    failed = run("2027-01-01", done="snapshot|pull_.*|sources|facts|world|family_.*", root=str(tmp_path), snapshot=DATE)
    assert failed.returncode == 1, failed.stdout[-5000:]
    assert "answer ['1066-10-14']; the facts give" in failed.stdout
    assert airflow.tasks("2027-01-01")["dataset"] == ("failed", 1)
    assert not (tmp_path / DATASET / "manifest.json").exists()


@pytest.fixture
def monthly(tmp_path: Path) -> Iterator[Path]:
    """A configuration whose dump is pulled by date, from a server that has one of September and one of October."""
    served = tmp_path / "served"
    dump = gzip.compress(b"[\n]\n")
    for date in ("20260921", "20261005"):
        name = f"wikidata-{date}-all.json.gz"
        (served / date).mkdir(parents=True)
        (served / date / name).write_bytes(dump)
        sums = f"{hashlib.sha1(dump).hexdigest()}  {name}\n"
        (served / date / f"wikidata-{date}-sha1sums.txt").write_text(sums)
    serve = partial(SimpleHTTPRequestHandler, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{{date}}/wikidata-{{date}}-all.json.gz"
        pull = {"sources": ["dump"], "dump_url": address}
        config = {"version": "t", "snapshot": "latest", "families": {"complextempqa": {}}, "pull": pull}
        (tmp_path / "mine.yaml").write_text(json.dumps(config))
        yield tmp_path / "mine.yaml"
        server.shutdown()


BUILT = "facts|world|family_.*|dataset"


def test_the_build_reads_the_newest_dump_of_the_run_s_date(airflow: Any, monthly: Path, tmp_path: Path) -> None:
    """Of the stages only the one that registers what was fetched is run."""
    done = airflow.test("2026-10-01", done=BUILT, config=str(monthly), root=str(tmp_path / "out"))
    assert done.returncode == 0, done.stdout[-5000:]
    raw = tmp_path / "out" / "2026-09-21" / "raw"
    assert json.loads((raw / "dump" / "pull.json").read_text())["stored"] == 1
    assert list(json.loads((raw / "sources.json").read_text())["fingerprints"]) == [
        str(raw / "dump" / "wikidata-20260921-all.json.gz")
    ]


def test_a_month_whose_dump_is_gone_is_refused(airflow: Any, monthly: Path, tmp_path: Path) -> None:
    failed = airflow.test("2026-08-01", done=BUILT, config=str(monthly), root=str(tmp_path / "out"))
    assert failed.returncode == 1, failed.stdout[-5000:]
    assert "no complete dump up to 2026-08-01; the oldest is of 2026-09-21" in failed.stdout
    assert airflow.tasks("2026-08-01")["snapshot"] == ("failed", 1)
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("published")  # which has made the DAG known to the database
def test_a_backfill_has_a_run_for_each_month(airflow: Any) -> None:
    months = {"from-date": "2026-03-01", "to-date": "2026-05-31"}  # of which no test has a run
    options = [word for name, value in months.items() for word in (f"--{name}", value)]
    dry = airflow.command("backfill", "create", "--dag-id", "everwhen", *options, "--max-active-runs", "1", "--dry-run")
    runs = re.findall(r"^\s*\| (2026-\d\d-\d\d) ", dry.stdout, re.M)
    assert runs == ["2026-03-01", "2026-04-01", "2026-05-01"], dry.stdout
