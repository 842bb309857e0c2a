"""Values at the ends of property paths (templates/hops.yaml)."""

from everwhen.core.table import Column, Table

PROPERTY_PATHS = Table(
    name="hops",
    stage="world",
    meaning="A value reached from an entity over a property path, each property of which has one value.",
    columns=(
        Column("entity", "bigint", "item id of the head"),
        Column("hop", "string", "id of the path"),
        Column("hops", "array<int>", "properties without P in order of use; the last one is what is asked of"),
        Column("bridges", "array<bigint>", "the items passed, in order; the value is read from the last"),
        Column("property", "int", "the property that the value is read from: the last of hops, or what the path reads"),
        Column("value_item", "bigint", "item value", nullable=True),
        Column("amount", "decimal(38,9)", "quantity in the unit that is asked for", nullable=True),
        Column("first_day", "date", "first day of a time value", nullable=True),
        Column("last_day", "date", "last day of a time value", nullable=True),
        Column("precision", "tinyint", "precision of a time value", nullable=True),
        Column("calendar", "string", "calendar in which a time value is stated: gregorian or julian", nullable=True),
    ),
)
