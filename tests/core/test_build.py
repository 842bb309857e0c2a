from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from pyspark.sql import DataFrame, SparkSession

from everwhen.core.build import Build, run_parallel
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.tables.facts import PAGEVIEWS

pytestmark = pytest.mark.spark

CONFIG = Config(version="0.1", snapshot="2025-01-01")


def test_a_table_is_made_once_and_from_one_configuration(spark: SparkSession, tmp_path: Path) -> None:
    calls = []

    def making(views: int) -> Callable[[], DataFrame]:
        def rows() -> DataFrame:
            calls.append(views)
            return spark.createDataFrame([("A", views)], PAGEVIEWS.ddl)

        return rows

    build = Build(spark, CONFIG, str(tmp_path), {"dump.json": "1"})
    with pytest.raises(InputError, match="run the stage facts first"):
        build.read(PAGEVIEWS)
    assert [tuple(row) for row in build.materialize(PAGEVIEWS, making(1)).collect()] == [("A", 1)]
    assert [tuple(row) for row in build.materialize(PAGEVIEWS, making(2)).collect()] == [("A", 1)]
    moved = CONFIG.model_copy(update={"sources": CONFIG.sources.model_copy(update={"dump": ["elsewhere/dump.json"]})})
    Build(spark, moved, str(tmp_path), {"dump.json": "1"}).materialize(PAGEVIEWS, making(3))
    assert calls == [1]
    others = [
        Build(spark, CONFIG.model_copy(update={"seed": "other"}), str(tmp_path), {"dump.json": "1"}),
        Build(spark, CONFIG, str(tmp_path), {"dump.json": "2"}),
    ]
    for other in others:
        with pytest.raises(InputError, match=r"pageviews: made with different (config|sources); take a new"):
            other.materialize(PAGEVIEWS, making(4))


@pytest.mark.parametrize("more", [{"model": "a"}, {"sources": None}], ids=["said-more", "said-less"])
def test_what_only_one_of_both_says_makes_them_differ(
    spark: SparkSession, tmp_path: Path, more: dict[str, str]
) -> None:
    build = Build(spark, CONFIG, str(tmp_path), {"dump.json": "1"})
    made = {name: value for name, value in (build.inputs | more).items() if value is not None}
    PAGEVIEWS.write(spark.createDataFrame([("A", 1)], PAGEVIEWS.ddl), str(tmp_path), made)
    with pytest.raises(InputError, match=f"pageviews: made with different {next(iter(more))}; take a new"):
        build.materialize(PAGEVIEWS, lambda: pytest.fail("not to be made"))


def test_steps_side_by_side_return_in_order() -> None:
    first_may_end = Event()
    assert run_parallel([lambda: first_may_end.wait(60), lambda: first_may_end.set() or False]) == [True, False]


def test_an_interruption_does_not_wait_for_the_step_that_runs() -> None:
    begun, may_end, ended = Event(), Event(), Event()

    def is_interrupted() -> None:
        begun.wait(60)
        raise KeyboardInterrupt

    def runs() -> None:
        begun.set()
        may_end.wait(60)
        ended.set()

    with pytest.raises(KeyboardInterrupt):
        run_parallel([is_interrupted, runs])
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(60)


def test_a_failure_waits_for_the_step_that_runs() -> None:
    begun, failing, ended = Event(), Event(), Event()

    def fails() -> None:
        begun.wait(60)
        failing.set()
        raise InputError("a step that fails")

    def runs() -> None:
        begun.set()
        failing.wait(60)
        time.sleep(0.1)
        ended.set()

    with pytest.raises(InputError, match="a step that fails"):
        run_parallel([fails, runs])
    assert ended.is_set()
