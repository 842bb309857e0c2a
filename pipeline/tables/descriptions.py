"""Unnamed descriptions, unique among all facts."""

from pipeline.tables.table import Column, Table

DESCRIPTIONS = Table(
    name="descriptions",
    stage="world",
    meaning="A description that names no name and fits one event only.",
    columns=(
        Column("event", "bigint", "item id without Q"),
        Column("attribute", "string", "the attribute that it tells"),
        Column("property", "int", "property id without P"),
        Column("amount", "decimal(38,9)", "the value that it tells"),
        Column("description", "string", "such as: the aviation accident in 1991 which resulted in 223 deaths"),
    ),
)
