"""A Spark session a worker, folders that all workers of a run share, and the real data beside the checkout."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from pyspark.sql import SparkSession

from everwhen.core.config import Spark
from everwhen.core.session import SHORT_RUN, start_session
from hostile_world import FillOnce

# PySpark takes a process whose main module has no file for a run of its doctests, and ends it; xdist's workers have
# none.
vars(sys.modules["__main__"]).setdefault("__file__", __file__)
# A run in the background may ignore Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same checkout passes or fails each time; `HYPOTHESIS_PROFILE=random pytest` looks for new examples.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

pytest_plugins = ["servers", "shared_builds"]

ROOT = Path(__file__).resolve().parent.parent

collect_ignore = ["dags", "harnesses"]  # they run in environments of their own: make test-airflow, test-harnesses


LONGEST_FIRST = (
    "e2e/test_cluster.py",
    "golden/test_rows.py",
    "e2e/test_killed.py",
    "golden/test_golden.py",
    "e2e/test_full_disk.py",
    "e2e/test_second_family.py",
    "e2e/test_monthly.py",
    "e2e/test_planted_errors.py",
    "families/tdbench/test_build.py",
    "e2e/test_explained.py",
    "e2e/test_absent_family.py",
    "e2e/test_build.py",
    "families/complextempqa/test_stage.py",
    "families/complextempqa/compare/test_comparison.py",
    "e2e/test_damaged_dump.py",
    "core/test_class_archive.py",
    "families/tdbench/bind/test_items.py",
    "validate/test_verify.py",
    "families/complextempqa/bind/test_counting.py",
    "facts/test_dump.py",
)
"""Files that take longest, in the order in which workers take them: what is short fills the gaps at the end."""


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what is marked
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the later cases of sampled tests as long, and put the tests of the longest files first."""
    seen = Counter[str]()
    for item in items:
        if sampled := item.get_closest_marker("sampled"):
            name = item.nodeid.partition("[")[0]
            seen[name] += 1
            if seen[name] > sampled.args[0]:
                item.add_marker("full")
    places = {Path(__file__).resolve().parent / name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


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
def folder_filled_once(tmp_path_factory: pytest.TempPathFactory) -> FillOnce:
    """Fill a folder by its name, once for all workers of pytest-xdist: the others wait for the first."""
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def fill(name: str, write: Callable[[Path], object]) -> Path:
        folder, finished = common / name, common / f"{name}.finished"
        with (common / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not finished.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                write(folder)
                finished.touch()
        return folder

    return fill
