"""One Spark session and one build of the sample for the run, and the real data where it lies beside the checkout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from everwhen.cli.arguments import read_config
from everwhen.core.build import Build
from everwhen.core.config import Spark
from everwhen.core.session import SHORT_RUN, start_session
from everwhen.stages import STAGES

pytest_plugins = ["servers", "shared_builds"]

ROOT = Path(__file__).resolve().parent.parent

collect_ignore = ["dags"]  # they run in Airflow's own environment: make test-airflow


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the files of tests/golden anew")


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The session of the whole run: two cores, two shuffle partitions, no UI."""
    session = start_session(
        "tests", Spark(master="local[2]", driver_memory="3g", shuffle_partitions=2, settings=SHORT_RUN)
    )
    yield session
    session.stop()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data beside the checkout; tests that need it are skipped where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no shared/data beside the checkout")
    return folder


@pytest.fixture(scope="session")
def sample_build(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The sample world of configs/demo.yaml, through all stages."""
    root = tmp_path_factory.mktemp("sample-build") / "demo"
    build = Build(spark, read_config(ROOT / "configs" / "demo.yaml"), str(root))
    for stage in STAGES.values():
        stage(build)
    return build
