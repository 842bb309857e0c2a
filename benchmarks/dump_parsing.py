"""How fast the Wikidata dump is parsed: Spark's from_json with a schema against a Python worker over Arrow batches.

    python benchmarks/dump_parsing.py wikidata-dump.json.bz2

The file is decompressed to a temporary one first, so that only parsing is measured. Both candidates read it with one
task at a time, do comparable work (entities and statements; times, quantities and item values in columns; dating
qualifiers) and write all columns to Spark's noop sink. Each is warmed up once, then run alternately; the median counts.
The worker's cache of times is emptied before each run.

The time of the stage's first table is printed step by step, each with all steps before it: the lines (of the
packed file, too), handed to Python, parsed as JSON, read as entities and statements, written as a table.
A core's worth is CPU time, taken over the driver, the JVM and the Python workers: the worker runs beside the JVM, and
wall time would credit it with a second core.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import orjson
import pyarrow as pa
from processes import list_processes, sum_cpu_seconds
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.catalog.load import load_units
from everwhen.core.config import Spark
from everwhen.core.session import start_session
from everwhen.facts.dump import read_dump
from everwhen.wikidata.snaks import _read_interval
from everwhen.wikidata.time import read_time

OPENERS: dict[str, Callable[[Path], object]] = {".bz2": bz2.open, ".gz": gzip.open}

SNAK = "snaktype string, datatype string, datavalue struct<type: string, value: string>"
DATED = ", ".join(f"P{p}: array<struct<{SNAK}>>" for p in (580, 582, 585))
ENTITY = f"""
    id string, type string, lastrevid bigint,
    labels struct<en: struct<value: string>, mul: struct<value: string>>,
    descriptions struct<en: struct<value: string>>,
    sitelinks struct<enwiki: struct<title: string>>,
    claims map<string, array<struct<
        id: string, rank: string, mainsnak: struct<property: string, {SNAK}>, qualifiers: struct<{DATED}>>>>"""
VALUE = """
    `entity-type` string, id string, `numeric-id` bigint, amount string, unit string, time string, precision int,
    calendarmodel string"""

COLUMNS = ["item", "revision", "label", "description", "title"]
COLUMNS += ["statement_id", "property", "rank", "snak", "datatype"]
COLUMNS += ["value_item", "value_text", "amount", "unit", "first_day", "last_day", "precision"]
COLUMNS += ["start_time", "end_time", "point_in_time"]


def parse_by_worker(spark: SparkSession, path: str) -> DataFrame:
    """The pipeline's own reader; of its columns those that the other candidate has too."""
    return read_dump(spark, [path], ["external-id"]).select(*COLUMNS)


def parse_by_from_json(spark: SparkSession, path: str) -> DataFrame:
    """The same with Spark's columns: no checks, no rejects, Julian dates taken for Gregorian ones."""
    line = F.trim(F.col("value"), F.lit(" ,[]\r"))
    entity = spark.read.text(path).select(F.from_json(line, ENTITY).alias("e")).where("e.type = 'item'")
    claim = entity.select(
        F.expr("cast(substr(e.id, 2) as bigint)").alias("item"),
        "e.lastrevid",
        F.coalesce("e.labels.en.value", "e.labels.mul.value").alias("label"),
        F.col("e.descriptions.en.value").alias("description"),
        F.col("e.sitelinks.enwiki.title").alias("title"),
        F.explode_outer(F.flatten(F.map_values("e.claims"))).alias("c"),
    ).where("c.mainsnak.datatype is null or c.mainsnak.datatype <> 'external-id'")
    read = claim.withColumn("v", F.from_json("c.mainsnak.datavalue.value", VALUE))
    first, last = _find_days(F.col("v"))
    return read.select(
        "item",
        "lastrevid",
        "label",
        "description",
        "title",
        F.col("c.id").alias("statement_id"),
        F.expr("try_cast(substr(c.mainsnak.property, 2) as int)").alias("property"),
        "c.rank",
        "c.mainsnak.snaktype",
        "c.mainsnak.datatype",
        F.expr("coalesce(v.`numeric-id`, try_cast(substr(v.id, 2) as bigint))").alias("value_item"),
        F.coalesce("v.time", "v.amount", "c.mainsnak.datavalue.value").alias("value_text"),
        _convert_amount().alias("amount"),
        F.expr("try_cast(substring_index(v.unit, '/Q', -1) as bigint)").alias("unit"),
        first.alias("first_day"),
        last.alias("last_day"),
        "v.precision",
        *(_select_qualifier(f"P{p}") for p in (580, 582, 585)),
    ).toDF(*COLUMNS)


def read_lines(spark: SparkSession, path: str) -> DataFrame:
    """The lines as the pipeline's reader takes them, and the hash of each."""
    text = spark.read.option("lineSep", "\n").text(path)
    return text.select(F.col("value").cast("binary").alias("line"), F.xxhash64("value").alias("line_hash"))


def hand_over_lines(spark: SparkSession, path: str, parse: bool = False) -> DataFrame:
    """The lines in a Python worker, which counts their bytes, or parses them as JSON and throws that away."""

    def take(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            told = 0
            for line in batch.column("line"):
                text = line.as_py().strip(b" ,[]\r")
                told += len(text)
                with suppress(orjson.JSONDecodeError):  # a synthetic dump has broken lines
                    if parse and text:
                        orjson.loads(text)
            yield pa.RecordBatch.from_pydict({"told": [told]})

    return read_lines(spark, path).mapInArrow(take, "told bigint")


def as_json(spark: SparkSession, path: str) -> DataFrame:
    """The lines parsed as JSON in a Python worker."""
    return hand_over_lines(spark, path, parse=True)


def _find_days(value: Column) -> tuple[Column, Column]:
    """First and last day of a time of day, month or year precision."""
    parts = [F.regexp_extract(value["time"], r"^\+0*(\d{4})-(\d\d)-(\d\d)T", i).try_cast("int") for i in (1, 2, 3)]
    precision = value["precision"]
    month = F.when(precision >= 10, parts[1]).otherwise(1)
    first = F.make_date(parts[0], month, F.when(precision >= 11, parts[2]).otherwise(1))
    last = (
        F.when(precision >= 11, first).when(precision == 10, F.last_day(first)).otherwise(F.add_months(first, 12) - 1)
    )
    return first, last


def _convert_amount() -> Column:
    """The amount in the unit of its dimension."""
    factor = F.lit(None).cast("decimal(38,9)")
    for unit in load_units().values():
        at = F.col("v.unit") == f"http://www.wikidata.org/entity/Q{unit.id}"
        factor = F.when(at, F.lit(unit.factor).cast("decimal(20,9)")).otherwise(factor)
    amount = F.col("v.amount").try_cast("decimal(38,9)")
    return F.when(F.col("v.unit") == "1", amount).otherwise(amount * factor)


def _select_qualifier(name: str) -> Column:
    snak = F.col(f"c.qualifiers.{name}")[0]
    value = F.from_json(snak["datavalue"]["value"], "time string, precision int")
    first, last = _find_days(value)
    return F.struct(snak["snaktype"], first, last, value["precision"]).alias(name)


def forget(spark: SparkSession) -> None:
    """Empty the worker's cache of times: Spark reuses the process, and a second run would find every date in it."""

    def clear(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _read_interval.cache_clear()
        read_time.cache_clear()
        yield pa.RecordBatch.from_pydict({"pid": [os.getpid() for batch in batches]})

    workers = spark.range(1).mapInArrow(clear, "pid bigint").collect()
    assert workers == spark.range(1).mapInArrow(clear, "pid bigint").collect(), "several workers are in use"


def measure(frame: DataFrame, target: Path | None = None) -> tuple[float, float]:
    """Wall and CPU seconds of computing every column of every row, and of writing them where a folder is named."""
    wall, cpu = time.perf_counter(), sum_cpu_seconds(list_processes(os.getpid()))
    if target is None:
        frame.write.format("noop").mode("overwrite").save()
    else:
        frame.write.mode("overwrite").parquet(str(target))
    return time.perf_counter() - wall, sum_cpu_seconds(list_processes(os.getpid())) - cpu


def main(path: Path, runs: int) -> None:
    """Measure both candidates and the steps, and print a table and one line of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "dump.json"
        dump_rows = partial(read_dump, skip_datatypes=["external-id"])
        candidates: dict[str, tuple[Callable[..., DataFrame], Path, Path | None]] = {
            "worker": (parse_by_worker, plain, None),
            "from_json": (parse_by_from_json, plain, None),
            "lines": (read_lines, plain, None),
            "lines, packed": (read_lines, path, None),
            "to Python": (hand_over_lines, plain, None),
            "as JSON": (as_json, plain, None),
            "dump rows": (dump_rows, plain, None),
            "as a table": (dump_rows, plain, Path(folder) / "table"),
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in candidates}
        with OPENERS.get(path.suffix, open)(path, "rb") as source, plain.open("wb") as target:  # type: ignore
            shutil.copyfileobj(source, target)
        megabytes = plain.stat().st_size / 1e6
        spark = start_session("dump parsing", Spark(master="local[1]"))
        spark.conf.set("spark.sql.ansi.enabled", "false")  # else from_json's candidate stops at the first bad date
        for run in range(runs + 1):
            for name, (read, source_path, target) in candidates.items():
                forget(spark)
                paths = str(source_path) if read is not dump_rows else [str(source_path)]
                seconds = measure(read(spark, paths), target)
                if run:
                    taken[name].append(seconds)
        spark.stop()
    result: dict[str, object] = {"file": path.name, "megabytes": round(megabytes, 1), "runs": runs}
    print(f"{'':<14}{'wall s':>8}{'CPU s':>8}{'MB/s per core':>15}")
    for name, times in taken.items():
        wall, cpu = (statistics.median(column) for column in zip(*times, strict=True))
        result[name] = {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2), "mb_per_cpu_s": round(megabytes / cpu, 2)}
        print(f"{name:<14}{wall:>8.2f}{cpu:>8.2f}{megabytes / cpu:>15.2f}")
    packed = [a[1] - b[1] for a, b in zip(taken["lines, packed"], taken["lines"], strict=True)]
    whole = statistics.median(a[1] + b for a, b in zip(taken["as a table"], packed, strict=True))
    result["mb_per_core_s"] = round(megabytes / whole, 2)
    result["core_hours_of_1_7_tb"] = round(1.7e6 / (megabytes / whole) / 3600, 1)
    ratios = [json_run[1] / worker[1] for json_run, worker in zip(taken["from_json"], taken["worker"], strict=True)]
    result["from_json_to_worker_cpu"] = round(statistics.median(ratios), 2)
    print(json.dumps(result))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Speed of parsing a Wikidata JSON dump.")
    parser.add_argument("path", type=Path, help="a dump: plain, .gz or .bz2")
    parser.add_argument("--runs", type=int, default=3, help="measured runs of each candidate (default 3)")
    main(**vars(parser.parse_args()))
