"""Unnamed descriptions, unique among all facts."""

from everwhen.core.table import Column, Table

DESCRIPTIONS = Table(
    name="descriptions",
    stage="world",
    meaning="A description that names no name and fits one event or item only.",
    columns=(
        Column("entity", "bigint", "item id without Q"),
        Column("key", "string", "id of the form (templates/descriptions.yaml); one row an entity and form"),
        Column(
            "properties",
            "array<int>",
            "what is told or follows from it, as property ids without P: country, attribute, and the date of an item whose year is told",
        ),
        Column("tells_year", "boolean", "whether the year is told"),
        Column("items", "array<bigint>", "the items that are told by name, in the text's order; not the country"),
        Column("country", "bigint", "the country that is told", nullable=True),
        Column("amount", "decimal(38,9)", "the quantity that is told, in the attribute's unit", nullable=True),
        Column("description", "string", "such as: the 1991 air crash that killed 223 people"),
    ),
)
