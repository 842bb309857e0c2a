"""The declarations of the tables that are asked, and other names of their values."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.families.tdbench.tables.items import STAGE
from everwhen.tables.accepted_answers import describe_accepted_answers

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

ACCEPTED_ANSWERS = describe_accepted_answers(
    STAGE,
    answer="a value as the table has it",
    scope="in the answers of this declaration and column, as `declaration/column`",
    kinds="alias",
)
