"""The rows of the tables that are asked, in one schema for all declarations."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.families.tdbench.tables.items import STAGE

_PRECISION = "9 year, 10 month, 11 day"

ROWS = Table(
    name="rows",
    stage=STAGE,
    meaning="A row of a temporal table: what held from when to when.",
    total_by="declaration",
    total_of="row_id",
    columns=(
        Column("row_id", "bigint", "hash of declaration, fields and stated times; unique"),
        Column("declaration", "string", "the declaration of the table"),
        Column("fields", "map<string,string>", "the columns of the table but those of its times"),
        Column("stated_start", "string", "the start as the table states it, an ISO date of its precision"),
        Column("stated_end", "string", "the end likewise; of a point its date; null where it is open", nullable=True),
        Column("start_precision", "tinyint", f"precision of the start: {_PRECISION}"),
        Column("end_precision", "tinyint", f"precision of the end: {_PRECISION}", nullable=True),
        Column("earliest_start", "date", "first day of the start"),
        Column("latest_start", "date", "last day of the start"),
        Column(
            "earliest_end",
            "date",
            "first day of the end, on which the row may pass on: of an inclusive end the day after it; null: open",
            nullable=True,
        ),
        Column("latest_end", "date", "last day of the end likewise; null: open", nullable=True),
    ),
)
