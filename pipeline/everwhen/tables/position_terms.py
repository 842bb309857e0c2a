"""Terms of office, from all statements that are not deprecated."""

from everwhen.core.table import Column, Table

POSITION_TERMS = Table(
    name="position_terms",
    stage="world",
    meaning="A term: somebody held a position from a start to an end.",
    columns=(
        Column("position_id", "bigint", "item id of the position"),
        Column(
            "jurisdiction_id", "bigint", "the one country or other area (P1001) that the position is of", nullable=True
        ),
        Column("holder_id", "bigint", "item id of the holder"),
        Column("statement_id", "string", "the position held statement (P39)"),
        Column("earliest_start", "date", "first day of the start"),
        Column("latest_start", "date", "last day of the start"),
        Column("start_precision", "tinyint", "precision of the start"),
        Column("start_calendar", "string", "calendar in which the start is stated: gregorian or julian"),
        Column("earliest_end", "date", "first day of the end; null where the term is open", nullable=True),
        Column("latest_end", "date", "last day of the end; null where the term is open", nullable=True),
        Column("end_precision", "tinyint", "precision of the end", nullable=True),
        Column("end_calendar", "string", "calendar in which the end is stated", nullable=True),
        Column(
            "is_complete",
            "boolean",
            "whether every term of the position has a usable start and end, so that successions are known",
        ),
        Column(
            "is_only_term",
            "boolean",
            "whether the holder has held the position in this one term, unusable ones counted too",
        ),
    ),
)
