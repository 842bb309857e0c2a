"""The files of a published table follow from its rows, and from nothing else."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from everwhen.core.files import compute_sha256
from everwhen.core.storage import Folder
from everwhen.core.table import Column, Table
from everwhen.publish import copy
from everwhen.publish.copy import copy_table, name_files

pytestmark = pytest.mark.spark

NUMBERS = Table(
    "things",
    "world",
    "A thing.",
    (
        Column("id", "bigint", "Number."),
        Column("names", "array<string>", "Names."),
        Column("born", "struct<day:date,precision:tinyint>", "When it was born.", nullable=True),
    ),
)
SQL = """
SELECT id, array(concat('name ', id % 7)) AS names,
    if(id % 3 = 0, NULL, named_struct('day', date_add(DATE '1990-01-01', CAST(id AS INT)), 'precision', 11Y)) AS born
FROM range(1000)
"""


def copy_numbers(spark: SparkSession, root: Path, partitions: int, direction: str, rows: int) -> dict[str, str]:
    """Stage rows in some partitions and some order, and copy them."""
    number_rows = spark.sql(f"{SQL} WHERE id < {rows} ORDER BY id {direction}").repartition(partitions)
    NUMBERS.write(number_rows, str(root))
    return copy_table(spark, str(root), NUMBERS, Folder(spark, str(root / "dataset" / "things")))


def test_the_files_are_the_same_however_spark_has_divided_the_rows(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy, "ROWS_PER_FILE", 300)
    found = copy_numbers(spark, tmp_path / "one", 1, "ASC", 1000)
    assert found == copy_numbers(spark, tmp_path / "five", 5, "DESC", 1000)
    folder = tmp_path / "one" / "dataset" / "things"
    assert {path.name: compute_sha256(path) for path in folder.iterdir()} == found
    assert list(found) == [f"part-{n:05d}-of-00004.parquet" for n in range(4)]
    rows = [row for name in found for row in pq.read_table(folder / name).to_pylist()]
    assert sorted(row["id"] for row in rows) == list(range(1000))
    assert [row["born"] is None for row in rows] == [row["id"] % 3 == 0 for row in rows]
    assert {row["names"][0] for row in rows} == {f"name {n}" for n in range(7)}


def test_a_table_without_rows_has_a_file(spark: SparkSession, tmp_path: Path) -> None:
    found = copy_numbers(spark, tmp_path, 2, "ASC", 0)
    (path,) = (tmp_path / "dataset" / "things").iterdir()
    assert (pq.read_table(path).num_rows, pq.read_schema(path).names) == (0, ["id", "names", "born"])
    assert found == {"part-00000-of-00001.parquet": compute_sha256(path)}


def test_files_are_numbered_by_split() -> None:
    staged = ["rows-1/test-0-a.parquet", "rows-1/train-0-b.parquet", "rows-1/train-1-c.parquet"]
    assert name_files(staged) == [
        "test-00000-of-00001.parquet",
        "train-00000-of-00002.parquet",
        "train-00001-of-00002.parquet",
    ]
    assert name_files(["x/part-00000.parquet"]) == ["part-00000-of-00001.parquet"]
