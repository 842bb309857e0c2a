"""Statements in prose, in Spark: which form each takes in its text, and the sentences."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.language.prose import write_sentences
from everwhen.language.prose_templates import load_prose

ADDED = "sentence string, kind string, form smallint, reason string"
"""The columns that `write_sentences_in_spark` adds."""


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
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            written = write_sentences(rows, prose, month_first=month_first)
            for name in written.column_names:
                rows = rows.append_column(name, written[name])
            yield from rows.to_batches()

    schema = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in statements.schema.fields)
    return statements.mapInArrow(write, f"{schema}, {ADDED}")
