"""Comparable attributes of events and items."""

from everwhen.core.table import Column, Table

ATTRIBUTES = Table(
    name="attributes",
    stage="world",
    meaning="The one value of an attribute that a list member has; of attributes that pick all, each value.",
    columns=(
        Column("entity", "bigint", "item id without Q"),
        Column("attribute", "string", "id of the attribute (templates/attributes.yaml)"),
        Column("property", "int", "property id without P"),
        Column("value_item", "bigint", "item value", nullable=True),
        Column("amount", "decimal(38,9)", "quantity in the unit that is asked for", nullable=True),
        Column("first_day", "date", "first day of a time value", nullable=True),
        Column("last_day", "date", "last day of a time value", nullable=True),
        Column("precision", "tinyint", "precision of a time value", nullable=True),
        Column("calendar", "string", "calendar in which a time value is stated: gregorian or julian", nullable=True),
    ),
)
