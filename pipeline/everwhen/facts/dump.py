"""The Wikidata JSON dump, parsed once into the table dump_rows, and what is selected of it."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from everwhen.catalog.load import load_entity_lists, load_units
from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.core.storage import find_input_files, to_shell_path
from everwhen.facts.items import collect_rejects, count_dump, find_superseded_lines, select_entities, select_statements
from everwhen.facts.redirects import follow_redirects, select_item_redirects
from everwhen.facts.stage import Parsed, Parser
from everwhen.facts.subclasses import derive_subclasses
from everwhen.tables.facts import DUMP_ROWS, ENTITIES, STATEMENTS, SUBCLASSES
from everwhen.wikidata.columns import Batch
from everwhen.wikidata.entity import EntityReader

ROWS_AT_ONCE = 50_000
"""Rows that a worker holds before it hands them over."""


def read_dump(
    spark: SparkSession,
    paths: Iterable[str],
    skip_datatypes: Collection[str],
    lines: Observation | None = None,
) -> DataFrame:
    """Read dump files: plain, .gz or .bz2, one entity a line, in an array or not.

    Plain and .bz2 files are split over tasks, .gz files are not.

    Args:
        paths: Files, folders or globs.
        skip_datatypes: Statements of these datatypes are counted and left out.
        lines: Gets the metric `lines` with the first action on the result: how many lines the files have, brackets
            and blank ones included, counted by Spark before any of them is parsed.

    Returns:
        The columns of `DUMP_ROWS`.

    Raises:
        InputError: A path has no file.
    """
    text = (
        spark.read.option("lineSep", "\n")
        .text(find_input_files(spark, paths, "dump"))
        .select(
            F.col("value").cast("binary").alias("line"),
            F.xxhash64("value").alias("line_hash"),
            F.col("_metadata.file_path").alias("file"),
            F.col("_metadata.file_block_start").alias("split"),
        )
    )
    if lines is not None:
        text = text.observe(lines, F.count(F.lit(1)).alias("lines"))
    factors = {unit.id: (unit.base, unit.factor) for unit in load_units().values()}
    skip = frozenset(skip_datatypes)

    def parse(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # Parsed JSON holds no cycles, yet the collector looks at every object of it: a fifth of the time.
        gc.disable()
        try:
            yield from parse_batches(batches, EntityReader(skip, factors))
        finally:
            gc.enable()

    return DUMP_ROWS.select(text.mapInArrow(parse, DUMP_ROWS.ddl))


def parse_batches(batches: Iterable[pa.RecordBatch], reader: EntityReader) -> Iterator[pa.RecordBatch]:
    """Parse batches of (line, line_hash, file, split) in the order of the files."""
    position = _Position()
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in ("line_hash", "file", "split"))
        # Lines stay in Arrow until each is parsed: a batch of large entities would lie twice in memory.
        for line, line_hash, file, split in zip(batch.column("line"), *columns, strict=True):
            path, at = position.advance(file, split)
            reader.read(line.as_py(), path, at, line_hash)
            if len(reader.batch) >= ROWS_AT_ONCE:
                yield from _flush_batches(reader)
        yield from _flush_batches(reader)


def _flush_batches(reader: EntityReader) -> Iterator[pa.RecordBatch]:
    batch, reader.batch = reader.batch, Batch()
    return batch.record_batches()


class _Position:
    """Counts the lines of each split; a task reads its splits one after the other."""

    def __init__(self) -> None:
        self._file, self._split, self._line = "", -1, 0
        self._path, self._prefix = "", ""

    def advance(self, file: str, split: int) -> tuple[str, str]:
        """Return path and position of the next line."""
        if split != self._split or file != self._file:
            self._file, self._split, self._line = file, split, 0
            self._path = to_shell_path(file)
            self._prefix = "line " if split == 0 else f"split at byte {split}, line "
        self._line += 1
        return self._path, f"{self._prefix}{self._line}"


def _parse(build: Build) -> Parsed:
    """Write the tables of the dump, all but the last."""
    paths, skipped = build.config.sources.dump, build.config.facts.skip_datatypes
    lines = Observation()
    rows = build.materialize(DUMP_ROWS, lambda: read_dump(build.spark, paths, skipped, lines), lines)
    followed = follow_redirects(rows)
    superseded = find_superseded_lines(rows, followed)
    found = build.materialize(ENTITIES, lambda: select_entities(rows, superseded))
    if found.isEmpty():
        raise InputError(f"{', '.join(paths)}: no line of the dump is an entity")
    stated = build.materialize(STATEMENTS, lambda: select_statements(rows, superseded, followed))
    roots = sorted({root for entry in load_entity_lists() for root in entry.roots})
    lines_read = build.read_metric(DUMP_ROWS, "lines")
    return Parsed(
        rows=derive_subclasses(stated, roots),
        record_counts=count_dump(rows, superseded, followed, lines_read),
        rejects=collect_rejects(rows, followed),
        redirects=select_item_redirects(followed),
    )


PARSER = Parser(_parse, (DUMP_ROWS, ENTITIES, STATEMENTS, SUBCLASSES), is_required=True)
