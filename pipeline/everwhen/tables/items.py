"""Members of the item lists, cut by views."""

from everwhen.core.table import Column, Table

ITEMS = Table(
    name="items",
    stage="world",
    meaning="An item of an entity list that can be asked about.",
    columns=(
        Column("item", "bigint", "item id without Q; unique"),
        Column("list", "string", "the entity list that gives noun and topic"),
        Column("name", "string", "its unambiguous name"),
        Column("first_day", "date", "first day of birth or creation", nullable=True),
        Column("last_day", "date", "last day of death or dissolution", nullable=True),
        Column("start_last", "date", "last day of its start", nullable=True),
        Column("start_precision", "tinyint", "precision of the start: 9 year, 10 month, 11 day", nullable=True),
        Column("precision", "tinyint", "the coarser of the two precisions", nullable=True),
        Column("extent", "string", "instant, span or open", nullable=True),
        Column("countries", "array<bigint>", "countries (best rank), ascending"),
        Column("popular", "boolean", "views at or above one standard deviation of the views of items"),
        Column("topic", "string", "IPTC Media Topic"),
        Column("split", "string", "train, validation or test"),
    ),
)
