"""Popularity (the paper, Section 4.1)."""

from everwhen.core.table import Column, Table

POPULARITY = Table(
    name="popularity",
    stage="world",
    meaning="Views of an entity against the standard deviation of its population.",
    total_by="population",
    total_of="entity",
    columns=(
        Column("entity", "bigint", "item id without Q; unique"),
        Column("population", "string", "events or items: the one with whose views its own are compared"),
        Column("member", "boolean", "whether it belongs to that population, and is not only compared with it"),
        Column("views", "bigint", "views in the configured period; null where unknown", nullable=True),
        Column("popular", "boolean", "views squared at or above the variance, exactly; false where unknown"),
    ),
)
