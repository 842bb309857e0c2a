"""Awards received, from all statements that are not deprecated."""

from everwhen.core.table import Column, Table

AWARDS = Table(
    name="awards",
    stage="world",
    meaning="Somebody received an award (P166).",
    columns=(
        Column("award", "bigint", "item id of the award"),
        Column("recipient", "bigint", "item id of the recipient"),
        Column("statement_id", "string", "the award received statement"),
        Column("first_day", "date", "first day of the point in time; null where it is not usable", nullable=True),
        Column("last_day", "date", "its last day", nullable=True),
        Column("precision", "tinyint", "its precision: 9 year, 10 month, 11 day", nullable=True),
        Column("calendar", "string", "calendar in which it is stated: gregorian or julian", nullable=True),
        Column("once", "boolean", "whether the recipient has received the award once, unusable statements counted too"),
        Column("complete", "boolean", "whether all statements of the award have a usable point in time"),
    ),
)
