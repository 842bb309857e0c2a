"""Dated events of the window, from year pages and entity lists."""

from everwhen.core.table import Column, Table

EVENTS = Table(
    name="events",
    stage="world",
    meaning="A dated event that can be asked about.",
    columns=(
        Column("event", "bigint", "item id without Q; unique"),
        Column("list", "string", "the entity list that gives noun and topic"),
        Column("name", "string", "its unambiguous name"),
        Column("first_day", "date", "first day of its start"),
        Column("last_day", "date", "last day of its end"),
        Column("start_last", "date", "last day of its start"),
        Column("start_precision", "tinyint", "precision of the start: 9 year, 10 month, 11 day"),
        Column("precision", "tinyint", "the coarser of the precisions of start and end: 9 year, 10 month, 11 day"),
        Column("extent", "string", "instant (one point in time) or span (start and end)"),
        Column("countries", "array<bigint>", "countries (best rank), ascending"),
        Column("source", "string", "year page, list, or year page and list"),
        Column("popular", "boolean", "views at or above one standard deviation of the views of events"),
        Column("topic", "string", "IPTC Media Topic"),
        Column("split", "string", "train, validation or test"),
    ),
)
