from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from everwhen.core.errors import InputError, MachineFailed
from everwhen.core.failures import translate_failures

ROOT = Path(__file__).resolve().parents[2]
PLACES = r" \(files are written to out, Spark's temporary ones to scratch\)$"


def test_a_failure_of_the_system_names_file_or_folder() -> None:
    with (
        pytest.raises(MachineFailed, match=f"^out/raw/x: No space left on device{PLACES}"),
        translate_failures("out", "scratch"),
    ):
        raise OSError(28, "No space left on device", "out/raw/x")
    with (
        pytest.raises(MachineFailed, match=f"^out: No space left on device{PLACES}"),
        translate_failures("out", "scratch"),
    ):
        raise OSError(28, "No space left on device")


def test_a_path_that_is_closed_to_us_is_input() -> None:
    with pytest.raises(InputError, match=r"^out/raw/x: Permission denied$"), translate_failures("out", "scratch"):
        raise PermissionError(13, "Permission denied", "out/raw/x")


def test_a_full_disk_that_comes_as_a_text_is_reported_too() -> None:
    error = InputError("suite questions: unique: Job aborted: No space left on device")
    with pytest.raises(MachineFailed, match=f"^{error}{PLACES}"), translate_failures("out", "scratch"):
        raise error


@pytest.mark.parametrize("error", [ValueError("a bug"), InputError("told already"), KeyboardInterrupt()], ids=repr)
def test_what_is_no_failure_of_the_machine_passes_as_it_is(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, translate_failures("out", "scratch"):
        raise error
    assert caught.value is error


@pytest.mark.spark
def test_an_address_that_spark_does_not_know_is_input(spark: SparkSession) -> None:
    message = r"^foo://: this Spark knows no such file system"
    with pytest.raises(InputError, match=message), translate_failures("out", "scratch"):
        spark.read.text("foo://nope/x.json")


def run_in_worker(spark: SparkSession, code: str) -> None:
    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            exec(code)
            yield batch

    spark.range(1).mapInArrow(work, "id bigint").collect()


@pytest.mark.spark
@pytest.mark.parametrize(
    ("code", "message"),
    [
        pytest.param(
            "open('/dev/full', 'w', 1).write('x\\n')",
            rf"^out: \[Errno 28\] No space left on device{PLACES}",
            id="full-disk",
        ),
        pytest.param(
            "__import__('os')._exit(1)", "^out: a Python worker of Spark's has ended; it was killed, or", id="killed"
        ),
    ],
)
def test_a_failure_in_a_worker(spark: SparkSession, code: str, message: str) -> None:
    with pytest.raises(MachineFailed, match=message), translate_failures("out", "scratch"):
        run_in_worker(spark, code)


@pytest.mark.spark
def test_a_bug_in_a_worker_is_shown_as_it_is(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="KeyError: 'no such key'"), translate_failures("out", "scratch"):
        run_in_worker(spark, "{}['no such key']")


@pytest.mark.spark
def test_a_folder_that_cannot_be_written_is_named(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineFailed, match=r"^out: .*/file"), translate_failures("out", "scratch"):
        spark.range(1).write.parquet(str(tmp_path / "file" / "below"))


KILLED = """
import os, signal
from everwhen.core.config import Spark
from everwhen.core.failures import translate_failures
from everwhen.core.session import start_session
from everwhen.core.errors import MachineFailed
spark = start_session("killed", Spark(master="local[1]", driver_memory="512m"))
jvm = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
try:
    with translate_failures("out", "scratch"):
        os.kill(jvm, signal.SIGKILL)
        spark.range(10).count()
except MachineFailed as error:
    print(error)
"""


@pytest.mark.full
def test_the_end_of_java_is_reported() -> None:
    run = subprocess.run(
        [sys.executable, "-c", KILLED],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "pipeline")},
        check=False,
    )
    assert run.stdout == "out: Spark's Java process has ended; it was killed, or out of memory\n", run.stderr
