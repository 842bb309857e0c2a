"""`airflow dags test` of the embedded sample: published once, skipped when it is there, and never with a wrong row."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from conftest import BUILD, ROOT, of_build

Run = Callable[..., subprocess.CompletedProcess[str]]

DATE = "2026-11-01"
PULLS = ("pull_year_pages", "pull_entity_lists", "pull_pageviews", "pull_dump")
TASKS = ("sources", "facts", "world", "family_complextempqa", "family_tdbench", "dataset")
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

PARTITIONS = {"shuffle_partitions": 16, "settings": {"spark.sql.adaptive.enabled": "true"}}
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


@pytest.fixture(scope="module")
def published(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The sample as the DAG builds it: the output root, and what was logged."""
    root = tmp_path_factory.mktemp("everwhen")
    done = run(DATE, root=str(root))
    assert done.returncode == 0, done.stdout[-5000:]
    return root, done.stdout


def files(root: Path) -> dict[str, tuple[int, int]]:
    """All files with their size and the time of their last change."""
    return {
        str(path.relative_to(root)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_the_sample_is_published(airflow: Any, published: tuple[Path, str]) -> None:
    root, log = published
    tasks = airflow.tasks(DATE)
    assert tasks == {name: ("skipped", 1) for name in PULLS} | {name: ("success", 1) for name in ("snapshot", *TASKS)}
    for what in ("year-pages", "entity-lists", "pageviews", "dump"):
        assert f"everwhen pull {what}: skipped: sources.sample: the embedded sample is built" in log
    manifest = json.loads((root / DATASET / "manifest.json").read_text())
    assert manifest["snapshot"] == DATE
    report = json.loads((root / DATASET / "report.json").read_text())
    assert report["verification"]["checked"] == report["rows"] == manifest["rows"] > 1_500
    assert report["verification"]["wrong"] == 0


def test_jobs_partitions_and_plans_change_no_row(published: tuple[Path, str]) -> None:
    root, _ = published
    digests = json.loads(of_build("tests/digests.py", str(root / DATE), "demo"))
    on_record = json.loads(ON_RECORD.read_text())["sample"]
    for found in (digests, on_record):  # Declarations of our world have the day of the snapshot, which this run names.
        for table in ("tdbench/declarations", "dataset/tdbench/declarations"):
            del found["tables"][table]
    assert digests == on_record


def test_a_second_run_skips_what_is_there_and_says_so(airflow: Any, run: Run, published: tuple[Path, str]) -> None:
    """Others are marked as done: tests/e2e/test_build.py shows that each stage skips what is there."""
    root, _ = published
    before = files(root)
    again = run(DATE, snapshot=DATE, done="snapshot|pull_.*|facts|world|family_(?!complextempqa).*", root=str(root))
    assert again.returncode == 0, again.stdout[-5000:]
    assert re.findall(r"(\w+): skipped, ", again.stdout) == ["sources", "complextempqa", "dataset"]
    assert airflow.tasks(DATE)["dataset"][0] == "success"
    assert files(root) == before


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
