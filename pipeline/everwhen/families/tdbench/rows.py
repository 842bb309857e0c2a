"""The rows of declared tables as a DataFrame of Spark, in the columns of ROWS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.core.hashing import MAX_ID
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.inspection.tables import require_tfds
from everwhen.families.tdbench.keys.unasked import select_unasked_keys
from everwhen.families.tdbench.scopes import Scope, derive_scopes
from everwhen.families.tdbench.source.open_table import open_table
from everwhen.families.tdbench.source.world import date_declarations, read_world
from everwhen.families.tdbench.tables import ROWS

REJECTS_DDL = "declaration string, line bigint, reason string, text string, fields map<string,string>"
UNASKED_DDL = "scope_id string, is_event boolean, key array<string>, reason string, record string"

_READ_DDL = ", ".join(f"{column.name} {column.type}" for column in ROWS.columns if column.name != "row_id")
"""The columns of ROWS before the rows have ids."""


@dataclass(frozen=True)
class SourceTable:
    """What was read of declared tables.

    Attributes:
        declarations: The declarations; those of our world with the day of its snapshot as as_of, where they name none.
        rows: The columns of ROWS.
        rejects: What is no row: declaration, line, reason, text, fields. A duplicate is one, too.
        unasked: The keys and events that each scope does not ask, with the columns of `select_unasked_keys`.
        input_counts: Records read, by declaration: its rows and its rejects together.
    """

    declarations: tuple[Declaration, ...]
    rows: DataFrame
    rejects: DataFrame
    unasked: DataFrame
    input_counts: dict[str, int]


def read_tables(
    spark: SparkSession,
    declarations: Sequence[Declaration],
    build: Build | None = None,
    scopes: Sequence[Scope] | None = None,
) -> SourceTable:
    """Read declared tables.

    DuckDB reads and dates the records on the driver, as `everwhen tdbench check` does; Spark gives the rows their ids.

    Args:
        spark: The session.
        declarations: The declarations (`load_declarations`).
        build: The build whose world is read; None where no declaration reads it.
        scopes: The ways in which they are asked; by default those that the declarations have.

    Raises:
        InputError: As of `open_table` and `require_tfds`; a declaration reads our world, and there is no build.
    """
    declarations = date_declarations(declarations, build)
    arrows = read_world(declarations, build)
    scopes = derive_scopes(declarations) if scopes is None else scopes
    rows, rejects, unasked, counts = [], [], [], {}
    for declaration in declarations:
        with open_table(declaration, arrows.get(declaration.name)) as table:
            if not declaration.source.is_world:
                require_tfds(table)
            rows.append(table.db.sql("SELECT * EXCLUDE (line) FROM rows").to_arrow_table())
            name = "'" + declaration.name + "'"
            rejects.append(table.db.sql(f"SELECT {name} AS declaration, * FROM rejects").to_arrow_table())
            unasked += [table.db.sql(query).to_arrow_table() for query in select_unasked_keys(table, scopes)]
            counts[declaration.name] = table.input_count
    return SourceTable(
        tuple(declarations),
        number_rows(_load_arrow(spark, rows, _READ_DDL)),
        _load_arrow(spark, rejects, REJECTS_DDL),
        _load_arrow(spark, unasked, UNASKED_DDL),
        counts,
    )


def _load_arrow(spark: SparkSession, parts: Sequence[pa.Table], ddl: str) -> DataFrame:
    """Load Arrow tables into Spark, which takes none without rows."""
    arrow = pa.concat_tables(parts) if parts else None
    return spark.createDataFrame(arrow if arrow is not None and arrow.num_rows else [], ddl)


def number_rows(rows: DataFrame) -> DataFrame:
    """Give rows their ids: hashes of declaration, fields sorted by column, and stated times.

    Args:
        rows: The columns of ROWS but row_id.

    Returns:
        The columns of ROWS.
    """
    fields = F.sort_array(F.map_entries("fields"))
    key = F.xxhash64("declaration", fields, "stated_start", F.coalesce("stated_end", F.lit("still")))
    return ROWS.select(rows.withColumn("row_id", key.bitwiseAND(F.lit(MAX_ID))))
