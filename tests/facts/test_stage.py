from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config, Sources
from everwhen.core.errors import InputError
from everwhen.facts.stage import run_facts


@pytest.mark.spark
def test_a_dump_without_an_entity_is_refused(spark: SparkSession, dump: Callable[..., str], tmp_path: Path) -> None:
    path = dump(b"# Data for trying", b"not a line of a dump")
    config = Config(version="t", snapshot="s", sources=Sources(dump=[path]))
    build = Build(spark, config, str(tmp_path / "out"), {path: "1"}, Console(file=io.StringIO()))
    with pytest.raises(InputError, match=f"^{path}: no line of the dump is an entity$"):
        run_facts(build)
