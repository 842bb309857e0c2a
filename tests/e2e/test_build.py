"""All stages: answers confirmed, nothing made twice or from two inputs."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.table import Table
from everwhen.facts import stage as facts
from everwhen.families.complextempqa import stage as questions
from everwhen.publish import evidence
from everwhen.sources.stage import load_sources
from everwhen.stages import list_stages, run_stages
from everwhen.world import stage as world


def dataset_of(build: Build) -> Path:
    """The folder of what a build has published."""
    return Path(build.root) / "dataset" / build.config.version


def rows(build: Build, table: str) -> pa.Table:
    """A published table, sorted by all its scalar columns."""
    found = pq.read_table(dataset_of(build) / table)
    scalar = [f.name for f in found.schema if not pa.types.is_nested(f.type)]
    return found.sort_by([(name, "ascending") for name in scalar])


@pytest.mark.parametrize(
    "build", ["small_world_build", pytest.param("sample_build", marks=pytest.mark.full)], ids=["small", "sample"]
)
def test_every_answer_is_confirmed_and_every_expectation_met(build: str, request: pytest.FixtureRequest) -> None:
    report = json.loads((dataset_of(request.getfixturevalue(build)) / "report.json").read_text())
    assert report["verification"]["checked"] == report["verification"]["rows"] == report["rows"] > 500
    assert report["verification"]["wrong"] == 0
    assert all(suite["met"] == suite["expectations"] for suite in report["suites"])


@pytest.mark.full
def test_the_catalogue_covers_every_kind_of_question(sample_build: Build) -> None:
    questions = rows(sample_build, "complextempqa/questions").to_pandas()
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
    return Build(build.spark, config or build.config, build.root, console=console)


def test_a_second_run_skips_every_stage_and_says_so(small_world_build: Build) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path(small_world_build.root).rglob("*")}
    build = again(small_world_build)
    run_stages(build)
    assert isinstance(build.console.file, io.StringIO)
    skipped = [line for line in build.console.file.getvalue().splitlines() if ": skipped" in line]
    assert [line.split(", ")[0] for line in skipped] == [f"  {stage}: skipped" for stage in list_stages(build.config)]
    assert {path: path.stat().st_mtime_ns for path in Path(small_world_build.root).rglob("*")} == before


@pytest.mark.parametrize(
    ("stage", "tables"),
    [
        ("facts", facts.list_tables()),
        ("world", world.TABLES),
        ("complextempqa", questions.TABLES),
        ("evidence", evidence.TABLES),
    ],
    ids=["facts", "world", "complextempqa", "evidence"],
)
def test_a_stage_names_every_table_that_it_writes(
    small_world_build: Build, stage: str, tables: tuple[Table, ...]
) -> None:
    written = {path.parent.name for path in (Path(small_world_build.root) / stage).glob("*/manifest.json")}
    assert written == {table.name for table in tables}


@pytest.mark.parametrize("stage", ["facts", "world", "complextempqa", "dataset"])
@pytest.mark.parametrize(
    ("config", "sources", "message"),
    [({"seed": "other"}, {}, "config"), ({}, {"dump.json": "1"}, "sources")],
    ids=["config", "sources"],
)
def test_a_stage_refuses_what_was_made_of_something_else(
    small_world_build: Build, stage: str, config: Mapping[str, str], sources: Mapping[str, str], message: str
) -> None:
    build = again(small_world_build, small_world_build.config.model_copy(update=config))
    load_sources(build)
    build.sources |= sources
    with pytest.raises(InputError, match=f"{stage}/.*: made with different {message}; take a new output folder"):
        list_stages(build.config)[stage](build)
