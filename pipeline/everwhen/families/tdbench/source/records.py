"""The records of a declared table as texts, in DuckDB: of CSV, parquet, databases, or arrows of Spark.

The table `records` has a column line (bigint), the texts c0, c1, … in the order of the header, end_state (open or
unknown, where a source says so; else null), reason (why the source itself rejects a record; else null) and text (the
record as a CSV file has it, cut; else null). A record without any value is none.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.source import TableSource
from everwhen.families.tdbench.source.csv_lines import read_records
from everwhen.families.tdbench.source.files import find_file, is_csv
from everwhen.families.tdbench.source.header import open_csv, open_relation, read_header, write_texts
from everwhen.families.tdbench.source.reasons import MAX_SHOWN_LENGTH


def load_records(db: duckdb.DuckDBPyConnection, declaration: Declaration) -> tuple[str, ...]:
    """Load the records of a declaration's file or database as table `records`.

    No type is guessed: whatever a column has is taken as text.

    Args:
        db: Where to load them.
        declaration: The declaration; its rows are not of our world.

    Returns:
        The header.

    Raises:
        InputError: The file is missing or cannot be read.
    """
    header, file, source = read_header(declaration), find_file(declaration), declaration.source
    if is_csv(file, source):
        _load_csv(db, file, source)
        return header
    with open_relation(file, source) as relation:
        texts = f"{write_texts(relation)}, NULL::VARCHAR AS end_state, NULL::VARCHAR AS reason"
        records = relation.select(f"row_number() OVER () AS line, {texts}")
        values = ", ".join(f"c{place}" for place in range(len(header)))
        load_arrow(db, records.filter(f"trim(concat({values})) <> ''").to_arrow_table())
    return header


def _load_csv(db: duckdb.DuckDBPyConnection, file: Path, source: TableSource) -> None:
    """Load the records of a CSV file."""
    with open_csv(file, source) as (lines, delimiter, names):
        texts = "".join(f"c{place} VARCHAR, " for place in range(len(names)))
        columns = f"line BIGINT, {texts}reason VARCHAR, text VARCHAR, end_state VARCHAR"
        db.execute(f"CREATE OR REPLACE TABLE records ({columns})")
        shown = f"* REPLACE (left(text, {MAX_SHOWN_LENGTH}) AS text)"
        for batch in read_records(lines, delimiter, len(names)):
            db.register("batch", batch)
            db.execute(f"INSERT INTO records SELECT {shown}, NULL FROM batch")
            db.unregister("batch")


def load_arrow(db: duckdb.DuckDBPyConnection, arrow: pa.Table) -> None:
    """Load records that are in memory, with the columns of the table `records` but text."""
    db.register("arrow", arrow)
    db.execute("CREATE OR REPLACE TABLE records AS SELECT *, NULL::VARCHAR AS text FROM arrow")
    db.unregister("arrow")
