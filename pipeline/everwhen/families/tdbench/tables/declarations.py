"""The declarations of the tables that are asked."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.families.tdbench.tables.items import STAGE

DECLARATIONS = Table(
    name="declarations",
    stage=STAGE,
    meaning="A declaration: what a temporal table says, and what is asked of it.",
    total_by="declaration",
    columns=(
        Column("declaration", "string", "its name; unique"),
        Column("licence", "string", "licence of the table; null where none is named", nullable=True),
        Column("is_private", "boolean", "whether the table must not be passed on: it names no licence"),
        Column("source", "string", "the name of the file, or the property of Wikidata"),
        Column("ends", "string", "handover, inclusive, or points"),
        Column("as_of", "date", "the last day of which the table knows", nullable=True),
        Column("text", "string", "the declaration in full, as JSON with sorted keys"),
    ),
)

ALIASES = Table(
    name="aliases",
    stage=STAGE,
    meaning="Another name of a value.",
    total_by="declaration",
    columns=(
        Column("declaration", "string", "the declaration"),
        Column("column", "string", "the column of the value"),
        Column("value", "string", "the value as the table has it"),
        Column("alias", "string", "another name of it, which a response may use"),
    ),
)
