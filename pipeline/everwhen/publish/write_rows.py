"""Write rows as one parquet file, from within a Python worker, and say which.

A task that is tried again, or twice at once, leaves a file of another name; only names that reach the driver count.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext

from everwhen.core.hashed_file import HashedFile

WRITTEN = "name string, sha256 string"
"""What a task says of the file that it has written."""

ROWS_A_GROUP = 1 << 16
"""Rows of a row group: readers take several groups at once."""


def write_part(batches: Iterator[pa.RecordBatch], folder: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Write the rows of a task, if there are any, and yield a row of `WRITTEN`.

    Args:
        batches: The rows.
        folder: Address of the folder.
        schema: The columns as they are written.
    """
    rows = [batch for batch in batches if batch.num_rows]
    if rows:
        yield _write_rows(rows, folder, schema)


def write_empty(batches: Iterator[pa.RecordBatch], folder: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Write a file without rows, and yield a row of `WRITTEN`.

    Args:
        batches: What gives the task its run; it is not looked at.
        folder: Address of the folder.
        schema: The columns as they are written.
    """
    for _ in batches:
        yield _write_rows([], folder, schema)


def _write_rows(rows: Sequence[pa.RecordBatch], folder: str, schema: pa.Schema) -> pa.RecordBatch:
    """Write rows as one file whose name begins with the number of the task."""
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
    return pa.RecordBatch.from_pydict({"name": [name], "sha256": [file.sha256]})
