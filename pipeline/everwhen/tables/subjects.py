"""What can be asked about: dated events of the window and members of the item lists."""

from everwhen.core.table import Column, Table

SUBJECTS = Table(
    name="subjects",
    stage="world",
    meaning="An event or an item that can be asked about.",
    columns=(
        Column("item_id", "bigint", "item id without Q; unique"),
        Column("kind", "string", "event (its list is one of events) or item"),
        Column("list", "string", "the entity list that gives noun and topic"),
        Column("name", "string", "its unambiguous name"),
        Column(
            "earliest_start",
            "date",
            "first day of its start (of birth or creation); null where no usable time is stated",
            nullable=True,
        ),
        Column("latest_start", "date", "last day of its start", nullable=True),
        Column(
            "earliest_end",
            "date",
            "first day of its end, of an instant that of its start; null where it is open",
            nullable=True,
        ),
        Column(
            "latest_end", "date", "last day of its end (of death or dissolution); null where it is open", nullable=True
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
            "instant (one time), span (start and end) or, of items, open (start without end)",
            nullable=True,
        ),
        Column("countries", "array<bigint>", "countries (best rank), ascending"),
        Column("source", "string", "of events: year page, list, or year page and list; of items null", nullable=True),
        Column("is_popular", "boolean", "views at or above one standard deviation of the views of its kind"),
        Column("topic", "string", "IPTC Media Topic"),
        Column("split", "string", "train, validation or test"),
    ),
)
