"""Position timelines, from all statements that are not deprecated."""

from everwhen.core.table import Column, Table

TIMELINES = Table(
    name="timelines",
    stage="world",
    meaning="A term: somebody held a position from a start to an end.",
    columns=(
        Column("position", "bigint", "item id of the position"),
        Column(
            "jurisdiction", "bigint", "the one country or other area (P1001) that the position is of", nullable=True
        ),
        Column("holder", "bigint", "item id of the holder"),
        Column("statement_id", "string", "the position held statement (P39)"),
        Column("first_day", "date", "first day of the start"),
        Column("start_last", "date", "last day of the start"),
        Column("start_precision", "tinyint", "precision of the start"),
        Column("end_first", "date", "first day of the end; null where the term is open", nullable=True),
        Column("last_day", "date", "last day of the end; null where the term is open", nullable=True),
        Column("end_precision", "tinyint", "precision of the end", nullable=True),
        Column(
            "complete",
            "boolean",
            "whether every term of the position has a usable start and end, so that succession can be told",
        ),
        Column(
            "once", "boolean", "whether the holder has held the position in this one term, unusable ones counted too"
        ),
    ),
)
