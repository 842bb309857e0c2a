"""The files of a dataset's tables: under stable names, and of the same bytes in each build of a snapshot."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from everwhen.core.errors import InputError
from everwhen.core.storage import Folder, HashedFile
from everwhen.core.table import Table
from everwhen.publish.names import SPLITS

ROWS_PER_FILE = 250_000
"""About how many rows a file has of a table that Spark writes; a task holds them in memory."""

ORDERED = "ordered"
"""The folder for files that are written again, below that of the table; it is gone when the table is copied."""


def copy_table(spark: SparkSession, root: str, table: Table, target: Folder, by: str | None = None) -> dict[str, str]:
    """Copy a staged table into a dataset.

    Files that tasks have written themselves are the same in each build, and are copied as they are. Those of Spark are
    not: how rows are divided follows from the number of partitions, and their order from which task was done first;
    and Java's parquet lists the encodings of a column in an order that each process has for itself. They are written
    again, in a fixed order and by Arrow.

    Args:
        root: Folder of the build.
        table: Which table.
        target: The folder of the table in the dataset.
        by: A column, each of whose values has files of its own, whose names begin with it; of a table that Spark
            writes.

    Returns:
        By the name of each file, the sha256 that its task has computed.

    Raises:
        InputError: There is no such table.
    """
    staged = table.read_manifest(spark, root)
    if staged is None:
        raise InputError(f"{root}: no table {table.name}; run the stage {table.stage} first")
    if "parts" in staged:
        source = Folder(spark, root).open_child(table.stage, table.name)
        parts = sorted((file, part["sha256"]) for file, part in zip(staged["files"], staged["parts"], strict=True))
        names = name_files([file for file, _ in parts])
    else:
        source = target.open_child(ORDERED)
        parts, names = [], []
        for name, count, rows in _divide(table.read(spark, root), staged["rows"], by):
            written = _write_in_order(table, rows, count, source)
            parts += written
            names += [_name_file(name, number, len(written)) for number in range(len(written))]
    for (file, _), name in zip(parts, names, strict=True):
        target.copy_from(source.join_path(file), name)
    target.delete(ORDERED)
    return {name: sha256 for (_, sha256), name in zip(parts, names, strict=True)}


def name_files(staged: Sequence[str]) -> list[str]:
    """Name staged files, in their order: `train-00000-of-00012.parquet`, or `part-…` without a split.

    The splits of a table are counted apart, as readers of the Hugging Face Hub expect it.
    """
    patterns = [name.rpartition("/")[2].partition("-")[0] for name in staged]
    patterns = [kind if kind in SPLITS else "part" for kind in patterns]
    seen: Counter[str] = Counter()
    names = []
    for kind in patterns:
        names.append(_name_file(kind, seen[kind], patterns.count(kind)))
        seen[kind] += 1
    return names


def _name_file(kind: str, number: int, count: int) -> str:
    return f"{kind}-{number:05d}-of-{count:05d}.parquet"


def _divide(rows: DataFrame, count: int, by: str | None) -> list[tuple[str, int, DataFrame]]:
    """Divide rows by the values of a column: what the names of the files begin with, the number of rows, the rows."""
    if by is None or not count:
        return [("part", count, rows)]
    counts = sorted((row[0], row["count"]) for row in rows.groupBy(by).count().collect())
    return [(value, number, rows.where(F.col(by) == value)) for value, number in counts]


def _write_in_order(table: Table, rows: DataFrame, count: int, target: Folder) -> list[tuple[str, str]]:
    """Write rows in files that follow from the rows alone; return name and sha256 of each, in order.

    A hash of all columns decides in which file a row is, and within a file rows are sorted by all columns.
    """
    columns = table.sort_columns()
    files = max(1, -(-count // ROWS_PER_FILE))
    ordered = rows.repartition(files, *columns).sortWithinPartitions(*columns)
    options = {"folder": target.address, "schema": to_arrow_schema(table.schema)}
    written = ordered.mapInArrow(partial(write_part, **options), WRITTEN).collect()
    if not written:
        # A table without rows has a file, too. A task writes it: it can reach the folder, the driver perhaps not.
        write_empty = partial(write_part, **options, is_empty=True)
        written = rows.sparkSession.range(1).coalesce(1).mapInArrow(write_empty, WRITTEN).collect()
    return sorted((row["name"], row["sha256"]) for row in written)


WRITTEN = "name string, sha256 string"
"""What a task says of the file that it has written."""

ROWS_A_GROUP = 1 << 16
"""Rows of a row group: readers take several groups at once."""


def write_part(
    batches: Iterator[pa.RecordBatch], folder: str, schema: pa.Schema, *, is_empty: bool = False
) -> Iterator[pa.RecordBatch]:
    """Write the rows of a task, if there are any, as one file that is named after it; yield a row of `WRITTEN`.

    Args:
        batches: The rows.
        folder: Address of the folder.
        schema: The columns as they are written.
        is_empty: Whether to write a file without rows, whatever the batches are.
    """
    rows = [batch for batch in batches if batch.num_rows and not is_empty]
    if not rows and not is_empty:
        return
    table = pa.Table.from_batches(rows) if rows else schema.empty_table()
    # One chunk each: pages end where chunks do, and how large Spark's batches are is a matter of settings.
    columns = [table[field.name].combine_chunks().cast(field.type) for field in schema]
    context = TaskContext.get()
    name = f"part-{context.partitionId() if context else 0:05d}-{uuid.uuid4().hex[:12]}.parquet"
    file = HashedFile(folder, name)
    with pa.PythonFile(file, mode="w") as stream:
        pq.write_table(
            pa.table(columns, schema=schema),
            stream,
            row_group_size=ROWS_A_GROUP,
            compression="zstd",
            compression_level=3,
            store_schema=False,  # or readers would see Arrow's types where Spark's and DuckDB's are meant
        )
    file.close()
    yield pa.RecordBatch.from_pydict({"name": [name], "sha256": [file.sha256]})
