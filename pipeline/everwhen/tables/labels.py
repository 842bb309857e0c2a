"""Which item has which label or alias."""

from everwhen.core.table import Column, Table

LABELS = Table(
    name="labels",
    stage="evidence",
    meaning="A label or an alias that an item of the evidence has as its label, with every item that has it.",
    total_by="kind",
    total_of="item",
    columns=(
        Column("item", "bigint", "item id without Q of the bearer"),
        Column("kind", "string", "label or alias"),
        Column("text", "string", "the label or alias"),
        Column("key", "string", "the same in lower case, by which texts are compared"),
        Column("classes", "array<bigint>", "what the bearer is an instance of (P31, best rank), ascending"),
        Column(
            "memberships",
            "array<struct<list:string,first_day:date,last_day:date,calendar:string>>",
            "the entity lists that the bearer is in, before any cut by views, with the days between which it began there and the"
            " calendar of that time",
        ),
    ),
)
