"""What the stage says of its texts."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.families.time_benchmark.stage import log_short_texts

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    ("lengths", "logged"),
    [
        ([79, 80, 100], "texts with fewer than 80 words: 1 of 3, the longest has 100; too few facts are linked"),
        ([80, 100], ""),
        ([], ""),
    ],
)
def test_texts_that_are_much_too_short_are_counted(
    spark: SparkSession, tmp_path: Path, lengths: list[int], logged: str
) -> None:
    output = io.StringIO()
    build = Build(spark, Config(version="t", snapshot="s"), str(tmp_path), console=Console(file=output, width=200))
    log_short_texts(build, spark.createDataFrame([(n,) for n in lengths], "words int"), 100)
    assert output.getvalue().strip().startswith(logged)
    assert bool(output.getvalue()) == bool(logged)
