"""Hop chains (templates/hops.yaml)."""

from pipeline.tables.table import Column, Table

HOPS = Table(
    name="hops",
    stage="world",
    meaning="A value reached from an entity over a chain of properties, each with one value.",
    columns=(
        Column("entity", "bigint", "item id of the head"),
        Column("hop", "string", "id of the chain"),
        Column("path", "array<int>", "properties from the head to the last bridge, in order of use"),
        Column("bridges", "array<bigint>", "the items passed, in order"),
        Column("property", "int", "the property asked for at the last bridge"),
        Column("amount", "decimal(38,9)", "quantity in the unit that is asked for", nullable=True),
    ),
)
