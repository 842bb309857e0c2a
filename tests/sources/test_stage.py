from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config, Sources
from everwhen.core.errors import InputError
from everwhen.sample.writers import render_sample
from everwhen.sources.stage import run_sources

pytestmark = pytest.mark.spark


def test_a_register_that_a_killed_build_left_empty_is_written_anew(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_text("[\n]\n")
    (tmp_path / "out" / "raw").mkdir(parents=True)
    register = tmp_path / "out" / "raw" / "sources.json"
    register.write_text("")
    config = Config(version="1", snapshot="s", sources={"dump": [str(tmp_path / "dump.json")]})
    run_sources(Build(spark, config, str(tmp_path / "out"), console=Console(file=io.StringIO())), render_sample)
    assert json.loads(register.read_text())["fingerprints"].keys() == {str(tmp_path / "dump.json")}


def ran(spark: SparkSession, root: Path, **sources: object) -> tuple[Build, str]:
    """The build after the stage, and what it said."""
    config = Config(version="t", snapshot="t", sources=Sources(**sources))
    build = Build(spark, config, str(root), console=Console(file=io.StringIO(), width=200))
    run_sources(build, render_sample)
    assert isinstance(build.console.file, io.StringIO)
    return build, build.console.file.getvalue()


def test_files_are_registered_once_and_must_stay_as_they_are(spark: SparkSession, tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text("[\n")
    first, message = ran(spark, tmp_path / "out", dump=[str(dump)])
    assert message == "  1 files\n"
    again, message = ran(spark, tmp_path / "out", dump=[str(dump)])
    assert message == "  sources: skipped, all 1 files are registered, and as they were\n"
    assert again.sources == first.sources
    moved = tmp_path / "elsewhere" / "dump.json"
    moved.parent.mkdir()
    moved.write_text("[\n")
    assert "skipped" in ran(spark, tmp_path / "out", dump=[str(moved)])[1]
    more = tmp_path / "1999.wikitext"
    more.touch()
    with pytest.raises(InputError, match="out/raw: made with different sources; take a new output folder"):
        ran(spark, tmp_path / "out", dump=[str(dump)], year_pages=[str(more)])
    dump.write_text("[\n{\n")
    with pytest.raises(InputError, match=r"out/raw: dump\.json has changed since this build began; take a new output"):
        ran(spark, tmp_path / "out", dump=[str(dump)])
    dump.unlink()
    with pytest.raises(InputError, match=r"dump\.json: no such dump file"):
        ran(spark, tmp_path / "out", dump=[str(dump)])


@pytest.mark.full
def test_the_sample_is_the_same_each_time(spark: SparkSession, tmp_path: Path) -> None:
    first, _ = ran(spark, tmp_path / "out", sample=True)
    again, message = ran(spark, tmp_path / "out", sample=True)
    assert f"sources: skipped, all {len(first.sources)} files" in message
    assert again.config.sources == first.config.sources
    dump = tmp_path / "dump.json"
    dump.write_text("[\n")
    with pytest.raises(InputError, match="made with different sources"):
        ran(spark, tmp_path / "out", dump=[str(dump)])
