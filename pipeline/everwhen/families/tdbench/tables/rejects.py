"""The records of the tables that are no rows: what an answer may lack."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.families.tdbench.tables.items import STAGE

REJECTS = Table(
    name="rejects",
    stage=STAGE,
    meaning="A record of a temporal table that is no row. No key that it may belong to is asked, unless the declaration"
    " says `rejected: row`.",
    columns=(
        Column("declaration", "string", "the declaration of the table"),
        Column("line", "bigint", "line of the file; of a database or Parquet the number of the record"),
        Column("reason", "string", "why it is no row"),
        Column("fields", "map<string,string>", "the columns whose values are known; what is not in it may be any"),
    ),
)
