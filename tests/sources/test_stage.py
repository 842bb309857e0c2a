from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from pipeline.build import Build
from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.sources.stage import run_sources
from pipeline.tables.accounts import accounts

pytestmark = pytest.mark.spark


def test_a_build_goes_on_with_the_files_that_it_began_with(spark: SparkSession, tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text("[\n]\n")
    config = Config(version="1", snapshot="s", sources={"dump": [str(dump)]})
    out = str(tmp_path / "out")

    def begun() -> Build:
        build = Build(spark, config, out, console=Console(file=io.StringIO()))
        run_sources(build)
        return build

    before = begun().sources
    assert begun().sources == before
    dump.write_text('[\n{"type":"item","id":"Q1"}\n]\n')
    with pytest.raises(InputError, match=f"^{dump}: has changed since this build began; take a new output folder$"):
        begun()
    dump.unlink()
    with pytest.raises(InputError, match=r"dump\.json: no such dump file"):
        begun()
    # Once the stage facts is over, no file is read again.
    books = accounts("facts")
    books.write(spark.createDataFrame([], books.schema), out)
    assert begun().sources == before


def test_a_register_that_a_killed_build_left_empty_is_written_anew(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_text("[\n]\n")
    (tmp_path / "out" / "raw").mkdir(parents=True)
    register = tmp_path / "out" / "raw" / "sources.json"
    register.write_text("")
    config = Config(version="1", snapshot="s", sources={"dump": [str(tmp_path / "dump.json")]})
    run_sources(Build(spark, config, str(tmp_path / "out"), console=Console(file=io.StringIO())))
    assert json.loads(register.read_text())["fingerprints"].keys() == {str(tmp_path / "dump.json")}
