"""What it costs to encode comparisons as parquet: the writer's settings, other encodings, and two other writers.

    python benchmarks/encodings.py --dataset build/benchmark/1/build/dataset/scale

Rows of a dataset are written again, from memory to memory, with the settings of
`pipeline/everwhen/families/complextempqa/render/write.py` and with one thing changed at a time. Texts of few values are
dictionaries beforehand, as workers have them. Each figure is the median of several rounds, in which all take turns, of
the CPU time of all threads.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

os.environ["POLARS_MAX_THREADS"] = "1"  # read as Polars is imported

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.families.complextempqa.render.write import DICTIONARIES, FALSE_FINDS, ROWS_A_GROUP, TEXTS

QUESTIONS = "complextempqa/questions"
KEPT: Mapping[str, Any] = {
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": list(DICTIONARIES),
    "store_schema": False,
    "bloom_filter_options": {"question_id": {"ndv": ROWS_A_GROUP, "fpp": FALSE_FINDS}},
}
"""What `QuestionFile` gives pyarrow."""

DAYS = ("timeframe.start", "timeframe.end")
FLAGS = ("is_unnamed", "rating")
NUMBERS = ("template_version", "wording", "property", "year")
ENTITIES = ("question_entity.list.element", "answer_entity.list.element", "head_entity")


def replace_encoding(encoding: str | None, *columns: str) -> dict[str, Any]:
    """Return the settings with another encoding for some columns in place of a dictionary; None: as it comes."""
    encodings = {"column_encoding": dict.fromkeys(columns, encoding)} if encoding else {}
    return {**KEPT, "use_dictionary": [name for name in DICTIONARIES if name not in columns], **encodings}


SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "kept": KEPT,
    "ids: differences": replace_encoding("DELTA_BINARY_PACKED", "question_id"),
    "ids: bytes apart": replace_encoding("BYTE_STREAM_SPLIT", "question_id"),
    "entities: differences": replace_encoding("DELTA_BINARY_PACKED", *ENTITIES),
    "days: differences": replace_encoding("DELTA_BINARY_PACKED", *DAYS),
    "years and numbers: differences": replace_encoding("DELTA_BINARY_PACKED", *NUMBERS),
    "flags: no dictionary": replace_encoding(None, *FLAGS),
    "questions: lengths apart": replace_encoding("DELTA_LENGTH_BYTE_ARRAY", "question"),
    "questions: shared beginnings": replace_encoding("DELTA_BYTE_ARRAY", "question"),
    "no Bloom filter": {**KEPT, "bloom_filter_options": None},
    "no statistics": {**KEPT, "write_statistics": False},
    "pages of 4 MB": {**KEPT, "data_page_size": 4 << 20},
    "zstd 1": {**KEPT, "compression_level": 1},
    "lz4": {**KEPT, "compression": "lz4", "compression_level": None},
}
"""What pyarrow is told, by what differs from what is kept."""

ALREADY_ENCODED = "texts encoded by the writer"
"""Without dictionaries beforehand: what pyarrow need not encode again."""


def read_comparisons(dataset: Path, rows: int) -> pa.Table:
    """Read so many comparisons, in the order of the files."""
    parts: list[pa.Table] = []
    for path in sorted((dataset / QUESTIONS).glob("train-*.parquet")):
        part = pq.ParquetFile(path).read()
        parts.append(part.filter(pa.compute.match_substring(part["type"], "2")))
        if sum(map(len, parts)) >= rows:
            break
    found = pa.concat_tables(parts).slice(0, rows)
    if not len(found):
        raise SystemExit(f"{dataset} has no comparisons in the split train: a larger dataset has some")
    return found.combine_chunks()


def encode_texts(rows: pa.Table) -> pa.Table:
    """Make dictionaries of the texts of few values, as workers do."""
    texts = pa.dictionary(pa.int32(), pa.string())
    return rows.cast(pa.schema([field.with_type(texts) if field.name in TEXTS else field for field in rows.schema]))


def write_by_pyarrow(rows: pa.Table, options: Mapping[str, Any]) -> int:
    """Write rows as row groups, as `QuestionFile` does; return the bytes."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, rows.schema, **options) as writer:
        for start in range(0, len(rows), ROWS_A_GROUP):
            writer.write_table(rows.slice(start, ROWS_A_GROUP), row_group_size=ROWS_A_GROUP)
    return int(sink.getvalue().size)


def write_by_polars(rows: pl.DataFrame) -> int:
    """Write rows by Polars, in one thread; return the bytes."""
    sink = io.BytesIO()
    rows.write_parquet(sink, compression="zstd", compression_level=3, row_group_size=ROWS_A_GROUP)
    return sink.getbuffer().nbytes


def write_by_duckdb(rows: pa.Table, path: Path) -> int:
    """Write rows by DuckDB, in one thread; return the bytes."""
    with duckdb.connect(config={"threads": 1}) as db:
        db.register("rows", rows)
        options = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3, ROW_GROUP_SIZE {ROWS_A_GROUP}"
        db.execute(f"COPY rows TO '{path}' ({options})")
    return path.stat().st_size


def list_candidates(plain: pa.Table, path: Path) -> dict[str, Callable[[], int]]:
    """List all ways to write the rows, by name; each returns the bytes."""
    encoded, frame = encode_texts(plain), pl.DataFrame(plain)

    def by_pyarrow(rows: pa.Table, options: Mapping[str, Any]) -> Callable[[], int]:
        return lambda: write_by_pyarrow(rows, options)

    found = {name: by_pyarrow(encoded, options) for name, options in SETTINGS.items()}
    found[ALREADY_ENCODED] = by_pyarrow(plain, KEPT)
    return found | {"Polars": lambda: write_by_polars(frame), "DuckDB": lambda: write_by_duckdb(plain, path)}


def main(dataset: Path, rows: int, rounds: int) -> None:
    """Measure all candidates; print a table and one line of JSON."""
    plain = read_comparisons(dataset, rows)
    with tempfile.TemporaryDirectory() as folder:
        candidates = list_candidates(plain, Path(folder) / "rows.parquet")
        taken: dict[str, list[float]] = {name: [] for name in candidates}
        size: dict[str, int] = {}
        for _ in range(rounds):
            for name, write in candidates.items():
                began = time.process_time()
                size[name] = write()
                taken[name].append(time.process_time() - began)
    found = {
        name: {
            "ns_a_row": round(statistics.median(seconds) / len(plain) * 1e9),
            "bytes_a_row": round(size[name] / len(plain), 2),
        }
        for name, seconds in taken.items()
    }
    print(f"{len(plain):,} comparisons\n{'':<34}{'CPU ns a row':>14}{'bytes a row':>14}")
    for name, one in found.items():
        print(f"{name:<34}{one['ns_a_row']:>14,}{one['bytes_a_row']:>14}")
    print(json.dumps({"rows": len(plain), "candidates": found}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What it costs to encode comparisons as parquet.")
    parser.add_argument("--dataset", type=Path, required=True, help="folder of a dataset with ComplexTempQA")
    parser.add_argument("--rows", type=int, default=1 << 19, help="how many comparisons (default 524,288)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default 5)")
    main(**vars(parser.parse_args()))
