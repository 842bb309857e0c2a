"""Builds that tests of several folders read: the synthetic world and the slice of real data."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.cli.arguments import read_config
from everwhen.core.build import Build
from everwhen.core.config import overridden
from everwhen.stages import STAGES
from everwhen.synth.plan import plan_of
from everwhen.synth.stage import World, write_world

TESTS = Path(__file__).resolve().parent
DUMPS = ("wikidata-slice-66k", "rich-items-100", "dump-49-items", "dump-2014-old-format")


@dataclass(frozen=True)
class SyntheticBuild:
    """A build of a synthetic world, and the folder of the world's truth."""

    build: Build
    truth: Path


@pytest.fixture(scope="session")
def synthetic_build(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SyntheticBuild:
    """The world of tests/golden/synthetic.yaml, through all stages."""
    root = tmp_path_factory.mktemp("synthetic")
    world = root / "world"
    sources = {
        "dump": [f"{world}/dump/*.json.bz2"],
        "year_pages": [f"{world}/year_pages/*.wikitext"],
        "pageviews": [f"{world}/pageviews/*.bz2"],
    }
    config = overridden(read_config(TESTS / "golden" / "synthetic.yaml"), "sources", sources)
    console = Console(file=io.StringIO())
    write_world(spark, World(plan_of(config), config.views, world, part=1_000), config, console)
    build = Build(spark, config, str(root / "build"), console=console)
    for stage in STAGES.values():
        stage(build)
    return SyntheticBuild(build, world / "truth")


@pytest.fixture(scope="session")
def slice_build(spark: SparkSession, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Real Wikidata items of three generations of the format and real year pages, through all stages."""
    sources = {
        "dump": [str(shared_data / "wikidata" / f"{name}.json.bz2") for name in DUMPS],
        "year_pages": [str(shared_data / "year_pages" / "*.wikitext")],
    }
    config = overridden(read_config(TESTS.parent / "configs" / "slice.yaml"), "sources", sources)
    build = Build(spark, config, str(tmp_path_factory.mktemp("slice") / "out"))
    for stage in STAGES.values():
        stage(build)
    return build
