"""Builds that tests of several folders read, each made once: sample, small and synthetic world, slice of real data."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from everwhen.core.build import Build
from everwhen.core.config import override_section
from everwhen.preflight import read_config
from everwhen.sources.stage import load_sources
from everwhen.stages import run_stages
from everwhen.synth.plan import plan_world
from everwhen.synth.stage import SynthWorld, write_world
from hostile_world import FillOnce, UndisturbedBuild, write_small_world
from wheels import build_wheel

TESTS = Path(__file__).resolve().parent
DEMO = TESTS.parent / "configs" / "demo.yaml"
EVERWHEN = str(Path(sys.executable).parent / "everwhen")
DUMPS = ("wikidata-slice-66k", "rich-items-100", "dump-49-items", "dump-2014-old-format")


@dataclass(frozen=True)
class SyntheticBuild:
    """A build of a synthetic world, and the folder of the world's truth."""

    build: Build
    truth: Path


@pytest.fixture(scope="session")
def synthetic_build(spark: SparkSession, folder_filled_once: FillOnce) -> SyntheticBuild:
    """The world of tests/golden/synthetic.yaml, through all stages."""

    def open_build(folder: Path) -> Build:
        world = folder / "world"
        sources = {
            "dump": [f"{world}/dump/*.json.bz2"],
            "year_pages": [f"{world}/year_pages/*.wikitext"],
            "pageviews": [f"{world}/pageviews/*.bz2"],
        }
        config = override_section(read_config(TESTS / "golden" / "synthetic.yaml"), "sources", sources)
        return Build(spark, config, str(folder / "build"), console=Console(file=io.StringIO()))

    def write(folder: Path) -> None:
        build = open_build(folder)
        plan = plan_world(build.config)
        write_world(
            spark, SynthWorld(plan, build.config.views, folder / "world", part=1_000), build.config, build.console
        )
        run_stages(build)

    folder = folder_filled_once("synthetic", write)
    return SyntheticBuild(open_build(folder), folder / "world" / "truth")


@pytest.fixture(scope="session")
def slice_build(spark: SparkSession, shared_data: Path, folder_filled_once: FillOnce) -> Build:
    """Real Wikidata items of three generations of the format and real year pages, through all stages."""
    sources = {
        "dump": [str(shared_data / "wikidata" / f"{name}.json.bz2") for name in DUMPS],
        "year_pages": [str(shared_data / "year_pages" / "*.wikitext")],
    }
    config = override_section(read_config(TESTS.parent / "configs" / "slice.yaml"), "sources", sources)
    config = config.model_copy(update={"families": {"complextempqa": {}}})

    def open_build(folder: Path) -> Build:
        return Build(spark, config, str(folder / "out"))

    return open_build(folder_filled_once("slice", lambda folder: run_stages(open_build(folder))))


@pytest.fixture(scope="session")
def sample_build(spark: SparkSession, folder_filled_once: FillOnce) -> Build:
    """The sample world of configs/demo.yaml, through all stages; for tests of `make test-full`."""

    def open_build(folder: Path) -> Build:
        return Build(spark, read_config(DEMO), str(folder / "out"))

    build = open_build(folder_filled_once("sample-build", lambda folder: run_stages(open_build(folder))))
    load_sources(build)
    return build


@pytest.fixture(scope="session")
def sample_dataset(sample_build: Build) -> Path:
    """The dataset that the sample's build has published."""
    return Path(sample_build.root) / "dataset" / sample_build.config.version


@pytest.fixture(scope="session")
def wheel(folder_filled_once: FillOnce) -> Path:
    """The package's wheel."""
    (wheel,) = folder_filled_once("wheel", build_wheel).glob("everwhen-*.whl")
    return wheel


@pytest.fixture(scope="session")
def everwhen() -> str:
    """The installed command."""
    return EVERWHEN


@pytest.fixture(scope="session")
def small_config(folder_filled_once: FillOnce) -> Path:
    """The files of the world of `hostile_world.py`, and a configuration that names them."""
    return folder_filled_once("small-config", write_small_world) / "small.yaml"


@pytest.fixture(scope="session")
def undisturbed(small_config: Path, folder_filled_once: FillOnce) -> UndisturbedBuild:
    """The small world through `everwhen build`, not disturbed but by others that want its folder."""
    folder = folder_filled_once("undisturbed", lambda folder: _build_undisturbed(small_config, folder))
    others = json.loads((folder / "others.json").read_text())
    return UndisturbedBuild(small_config, folder / "out", tuple(subprocess.CompletedProcess(**run) for run in others))


@pytest.fixture(scope="session")
def small_world_build(spark: SparkSession, undisturbed: UndisturbedBuild) -> Build:
    """The same build, in the tests' own session."""
    build = Build(spark, read_config(undisturbed.config), str(undisturbed.out))
    load_sources(build)
    return build


def _build_undisturbed(config: Path, folder: Path) -> None:
    out = folder / "out"
    arguments = ["--config", str(config), "--out", str(out)]
    build = subprocess.Popen([EVERWHEN, "build", *arguments])
    while not (out / "raw" / "sources.json").exists():
        assert build.poll() is None
        time.sleep(0.1)
    others = [
        subprocess.run(command, capture_output=True, text=True, check=False)
        for command in (
            [EVERWHEN, "build", *arguments, "--resume"],
            [EVERWHEN, "build", *arguments],
            [sys.executable, str(TESTS.parent / "jobs" / "facts.py"), *arguments],
        )
    ]
    assert build.wait() == 0
    (folder / "others.json").write_text(json.dumps([vars(run) for run in others]))
