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
            "what it mentions, and what follows from that, as property ids without P: country, attribute, and the date of an item whose year it mentions",
        ),
        Column("mentions_year", "boolean", "whether it mentions the year"),
        Column("items", "array<bigint>", "the items that it names, in the text's order; not the country"),
        Column("country", "bigint", "the country that it mentions", nullable=True),
        Column("amount", "decimal(38,9)", "the quantity that it mentions, in the attribute's unit", nullable=True),
        Column("description", "string", "such as: the 1991 air crash that killed 223 people"),
    ),
)
