"""The whole way on the sample world: same rows whatever the partitions, resumable, its books balanced."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.cli.arguments import read_config
from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.table import Table
from everwhen.facts import stage as facts
from everwhen.families.complextempqa import stage as questions
from everwhen.sources.stage import load_sources
from everwhen.stages import STAGES
from everwhen.world import stage as world

ROOT = Path(__file__).resolve().parents[2]
DATASET = Path("dataset") / "demo"
NAMING_FILES = {"dump_rows", "entities", "rejects", "year_page_events", "evidence_items"}


def rows(build: Build, table: str) -> pa.Table:
    """A published table, sorted by all its scalar columns."""
    found = pq.read_table(Path(build.root) / DATASET / table)
    scalar = [f.name for f in found.schema if not pa.types.is_nested(f.type)]
    return found.sort_by([(name, "ascending") for name in scalar])


def manifests(build: Build) -> dict[str, tuple[int, str]]:
    """Rows and content hash of every table of a build; those that name files, in each build its own, are left out."""
    found = {}
    for path in sorted(Path(build.root).glob("*/*/manifest.json")):
        manifest = json.loads(path.read_text())
        if "table" in manifest and manifest["table"] not in NAMING_FILES:
            found[f"{manifest['stage']}/{manifest['table']}"] = (manifest["rows"], manifest["content_hash"])
    return found


@pytest.fixture(scope="module")
def second_build(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The sample world again, in another folder, with 64 shuffle partitions and adaptive plans."""
    other = {"spark.sql.shuffle.partitions": "64", "spark.sql.adaptive.enabled": "true"}
    before = {key: spark.conf.get(key) for key in other}
    for key, value in other.items():
        spark.conf.set(key, value)
    build = Build(spark, read_config(ROOT / "configs" / "demo.yaml"), str(tmp_path_factory.mktemp("second") / "out"))
    try:
        for stage in STAGES.values():
            stage(build)
    finally:
        for key, value in before.items():
            spark.conf.set(key, value)
    return build


@pytest.mark.full
def test_partitions_do_not_change_a_row(sample_build: Build, second_build: Build) -> None:
    first, second = manifests(sample_build), manifests(second_build)
    assert len(first) >= 20
    assert first == second


@pytest.mark.full
@pytest.mark.parametrize("table", ["questions", "facts/statements", "facts/subclasses"])
def test_published_files_hold_the_same_bytes_after_sorting(
    sample_build: Build, second_build: Build, table: str
) -> None:
    first, second = rows(sample_build, table), rows(second_build, table)
    assert first.num_rows > 0
    assert first.equals(second)


def test_every_answer_is_confirmed_and_every_expectation_met(sample_build: Build) -> None:
    report = json.loads((Path(sample_build.root) / DATASET / "report.json").read_text())
    assert report["answers"]["checked"] == report["answers"]["rows"] == report["rows"] > 5000
    assert report["answers"]["wrong"] == 0
    assert all(suite["met"] == suite["expectations"] for suite in report["suites"])


def test_the_catalogue_covers_every_kind_of_question(sample_build: Build) -> None:
    questions = rows(sample_build, "questions").to_pandas()
    kinds = {(t[0], t[1]) for t in questions["type"]}
    assert kinds == {(family, subject) for family in "123" for subject in "ab"}
    assert questions["is_unnamed"].any()
    assert any(len(hops) > 0 for hops in questions["hops"])
    assert set(questions["rating"]) == {0, 1}
    assert questions["question"].is_unique
    assert questions["question_id"].is_unique


def again(build: Build, config: Config | None = None) -> Build:
    """The same build, begun once more."""
    console = Console(file=io.StringIO(), width=200)
    return Build(build.spark, config or read_config(ROOT / "configs" / "demo.yaml"), build.root, console=console)


def test_a_second_run_skips_every_stage_and_says_so(sample_build: Build) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path(sample_build.root).rglob("*")}
    build = again(sample_build)
    for stage in STAGES.values():
        stage(build)
    assert isinstance(build.console.file, io.StringIO)
    said = build.console.file.getvalue().splitlines()
    assert [line.split(", ")[0] for line in said] == [f"  {stage}: skipped" for stage in STAGES]
    assert {path: path.stat().st_mtime_ns for path in Path(sample_build.root).rglob("*")} == before


@pytest.mark.parametrize(
    ("stage", "tables", "of_others"),
    [
        ("facts", facts.TABLES, set()),
        ("world", world.TABLES, set()),
        ("questions", questions.TABLES, {"evidence", "evidence_items", "evidence_popularity"}),
    ],
    ids=["facts", "world", "questions"],
)
def test_a_stage_names_every_table_that_it_writes(
    sample_build: Build, stage: str, tables: tuple[Table, ...], of_others: set[str]
) -> None:
    written = {path.parent.name for path in (Path(sample_build.root) / stage).glob("*/manifest.json")}
    assert written == {table.name for table in tables} | of_others


@pytest.mark.parametrize("stage", ["facts", "world", "questions", "dataset"])
@pytest.mark.parametrize(
    ("config", "sources", "said"),
    [({"seed": "other"}, {}, "config"), ({}, {"dump.json": "1"}, "sources")],
    ids=["config", "sources"],
)
def test_a_stage_refuses_what_was_made_of_something_else(
    sample_build: Build, stage: str, config: Mapping[str, str], sources: Mapping[str, str], said: str
) -> None:
    demo = read_config(ROOT / "configs" / "demo.yaml")
    build = again(sample_build, demo.model_copy(update=config))
    load_sources(build)
    build.sources |= sources
    with pytest.raises(InputError, match=f"{stage}/.*: made with different {said}; take a new output folder"):
        STAGES[stage](build)


@pytest.mark.full
def test_a_build_that_lost_its_last_stages_goes_on_and_ends_the_same(
    sample_build: Build, spark: SparkSession, tmp_path: Path
) -> None:
    """What a killed run leaves: finished tables, files without a manifest."""
    half = tmp_path / "half"
    shutil.copytree(sample_build.root, half)
    shutil.rmtree(half / "dataset")
    (half / "questions" / "questions" / "manifest.json").unlink()
    (half / "questions" / "record_counts" / "manifest.json").unlink()
    build = Build(spark, read_config(ROOT / "configs" / "demo.yaml"), str(half))
    for stage in STAGES.values():
        stage(build)
    assert rows(build, "questions").equals(rows(sample_build, "questions"))
