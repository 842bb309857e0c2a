"""Builds that tests of several folders read, each made once: sample, small and synthetic world, slice of real data."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import overridden
from everwhen.preflight import read_config
from everwhen.sources.stage import load_sources
from everwhen.stages import run_stages
from everwhen.synth.plan import plan_of
from everwhen.synth.stage import World, write_world
from small import FillOnce, write_small_world

TESTS = Path(__file__).resolve().parent
DEMO = TESTS.parent / "configs" / "demo.yaml"
DUMPS = ("wikidata-slice-66k", "rich-items-100", "dump-49-items", "dump-2014-old-format")


@dataclass(frozen=True)
class SyntheticBuild:
    """A build of a synthetic world, and the folder of the world's truth."""

    build: Build
    truth: Path


@pytest.fixture(scope="session")
def synthetic_build(spark: SparkSession, folder_filled_once: FillOnce) -> SyntheticBuild:
    """The world of tests/golden/synthetic.yaml, through all stages."""

    def of(folder: Path) -> Build:
        world = folder / "world"
        sources = {
            "dump": [f"{world}/dump/*.json.bz2"],
            "year_pages": [f"{world}/year_pages/*.wikitext"],
            "pageviews": [f"{world}/pageviews/*.bz2"],
        }
        config = overridden(read_config(TESTS / "golden" / "synthetic.yaml"), "sources", sources)
        return Build(spark, config, str(folder / "build"), console=Console(file=io.StringIO()))

    def write(folder: Path) -> None:
        build = of(folder)
        plan = plan_of(build.config)
        write_world(spark, World(plan, build.config.views, folder / "world", part=1_000), build.config, build.console)
        run_stages(build)

    folder = folder_filled_once("synthetic", write)
    return SyntheticBuild(of(folder), folder / "world" / "truth")


@pytest.fixture(scope="session")
def slice_build(spark: SparkSession, shared_data: Path, folder_filled_once: FillOnce) -> Build:
    """Real Wikidata items of three generations of the format and real year pages, through all stages."""
    sources = {
        "dump": [str(shared_data / "wikidata" / f"{name}.json.bz2") for name in DUMPS],
        "year_pages": [str(shared_data / "year_pages" / "*.wikitext")],
    }
    config = overridden(read_config(TESTS.parent / "configs" / "slice.yaml"), "sources", sources)

    def of(folder: Path) -> Build:
        return Build(spark, config, str(folder / "out"))

    return of(folder_filled_once("slice", lambda folder: run_stages(of(folder))))


@pytest.fixture(scope="session")
def sample_build(spark: SparkSession, folder_filled_once: FillOnce) -> Build:
    """The sample world of configs/demo.yaml, through all stages; for tests of `make test-full`."""

    def of(folder: Path) -> Build:
        return Build(spark, read_config(DEMO), str(folder / "out"))

    build = of(folder_filled_once("sample-build", lambda folder: run_stages(of(folder))))
    load_sources(build)
    return build


@pytest.fixture(scope="session")
def small_world_build(spark: SparkSession, folder_filled_once: FillOnce) -> Build:
    """The world of `small.py`, a few hundred items, through all stages."""

    def of(folder: Path) -> Build:
        return Build(spark, read_config(folder / "small.yaml"), str(folder / "out"))

    def write(folder: Path) -> None:
        write_small_world(folder)
        run_stages(of(folder))

    build = of(folder_filled_once("small-world-build", write))
    load_sources(build)
    return build
