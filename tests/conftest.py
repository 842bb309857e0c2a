"""One Spark session and one build of the sample for the run, and the real data where it lies beside the checkout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipeline.build import Build
from pipeline.config import Spark, load_config
from pipeline.run import STAGES
from pipeline.session import SHORT_RUN, start_session

pytest_plugins = ["servers"]

if not hasattr(sys.modules["__main__"], "__file__"):
    # A worker of pytest-xdist. PySpark's connect package takes it for a run of doctests, and leaves.
    sys.modules["__main__"].__file__ = __file__

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the files of tests/golden anew")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each worker of a run on several whole folders, and to one of them all that reads the sample's build.

    Spark plans on one core: one session a worker on two cores halves the time of a run, and a build for each would
    double it again.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        folder = Path(item.path).parent.name
        item.add_marker(pytest.mark.xdist_group("sample build" if "sample_build" in fixtures else folder))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The session of the whole run: two cores, two shuffle partitions, no UI."""
    session = start_session(
        "tests", Spark(master="local[2]", driver_memory="2g", shuffle_partitions=2, settings=SHORT_RUN)
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
    build = Build(spark, load_config(ROOT / "configs" / "demo.yaml"), str(root))
    for stage in STAGES.values():
        stage(build)
    return build
