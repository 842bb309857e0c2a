"""Membership of the entity lists."""

from everwhen.core.table import Column, Table

MEMBERS = Table(
    name="members",
    stage="world",
    meaning="An entity that belongs to an entity list, before any cut by views.",
    columns=(
        Column("list", "string", "id of the entity list (templates/entities)"),
        Column("entity", "bigint", "item id without Q"),
        Column("certain", "boolean", "whether a class that is not hedged makes it a member, or an endpoint says so"),
        Column("first_day", "date", "first day of its start; null where no usable time is stated", nullable=True),
        Column("last_day", "date", "last day of its end; null where none is stated or it is open", nullable=True),
        Column("start_last", "date", "last day of its start", nullable=True),
        Column(
            "end_first",
            "date",
            "first day of its end, of an instant that of its start; null as last_day",
            nullable=True,
        ),
        Column("start_precision", "tinyint", "precision of the start: 9 year, 10 month, 11 day", nullable=True),
        Column("precision", "tinyint", "the coarser of the precisions of start and end", nullable=True),
        Column("start_calendar", "string", "calendar in which the start is stated: gregorian or julian", nullable=True),
        Column(
            "end_calendar",
            "string",
            "calendar in which the end is stated; of an instant that of its start",
            nullable=True,
        ),
        Column(
            "extent",
            "string",
            "instant (one time), span (start and end) or open (start without end)",
            nullable=True,
        ),
        Column("earliest", "date", "first day on which it may have begun, by all that is stated", nullable=True),
        Column(
            "latest",
            "date",
            "last day on which it may have ended, by all that is stated; null where it is open or not known",
            nullable=True,
        ),
        Column("countries", "array<bigint>", "countries (best rank, by the list's properties), ascending"),
        Column("reason", "string", "why its time is of no use; null where it is of use", nullable=True),
    ),
)
