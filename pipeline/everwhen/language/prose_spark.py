"""Statements in prose, in Spark: which form each takes in its text, and the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.language.prose import write_sentences
from everwhen.language.prose_templates import load_prose

ADDED = "sentence string, kind string, form smallint, reason string"
"""The columns that `write_sentences_in_spark` adds."""

GATHERED = 20_000
"""Rows of a gathered table. Each property, kind and form is a step of its own: 40,902
sentences took 12 s of CPU in Spark's batches of 2,000, and take 2."""


def gather_tables(batches: Iterable[pa.RecordBatch], rows: int = GATHERED) -> Iterator[pa.Table]:
    """Gather batches to tables of so many rows or a few more; the last has the rest."""
    gathered: list[pa.RecordBatch] = []
    for batch in batches:
        gathered.append(batch)
        if sum(each.num_rows for each in gathered) >= rows:
            yield pa.Table.from_batches(gathered).combine_chunks()
            gathered = []
    if gathered:
        yield pa.Table.from_batches(gathered).combine_chunks()


def choose_alone(statements: DataFrame) -> DataFrame:
    """Add key and nth to statements that stand alone: the hash of their ids decides.

    Args:
        statements: Column statement_id.
    """
    return statements.withColumns({"key": F.xxhash64("statement_id"), "nth": F.lit(0)})


def choose_in_texts(statements: DataFrame, text: str = "text", position: str = "position") -> DataFrame:
    """Add key and nth to statements in texts: two that follow each other do not take the same form.

    The first of a property and text takes a form by hash, the next the form after it, and so on: no two forms are alike
    until all have been used.

    Args:
        statements: Columns statement_id and property, and those of text and position.
        text: Column of the text that tells a statement.
        position: Column of its place in the text.
    """
    order = Window.partitionBy(text, "property").orderBy(position, "statement_id")
    return statements.withColumns({"key": F.xxhash64(text, "property"), "nth": F.row_number().over(order) - 1})


def write_sentences_in_spark(statements: DataFrame, *, month_first: bool = False) -> DataFrame:
    """Write statements as sentences, as `everwhen.language.prose.write_sentences` does of a table.

    Args:
        statements: Its columns, those of `choose_alone` or `choose_in_texts` included, and any others.
        month_first: Whether a day is written May 4, 1998, not 4 May 1998.

    Returns:
        All columns of the statements, and those of `ADDED`.
    """

    prose = load_prose()

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for rows in gather_tables(batches):
            written = write_sentences(rows, prose, month_first=month_first)
            for name in written.column_names:
                rows = rows.append_column(name, written[name])
            yield from rows.to_batches()

    schema = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in statements.schema.fields)
    return statements.mapInArrow(write, f"{schema}, {ADDED}")
