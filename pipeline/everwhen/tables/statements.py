"""Statements of Wikidata items, with rank and the qualifiers that date or number them."""

from everwhen.core.table import Column, Table

TIME_TYPE = "struct<snak:string,text:string,first_day:date,last_day:date,precision:tinyint,calendar:string>"
"""A qualifier that states a time: its snak type, the time as written, and what is read from it."""

STATEMENTS = Table(
    name="statements",
    stage="facts",
    meaning="A statement of an item, of any rank and snak type; one that could not be read counts, too.",
    total_by="property",
    total_of="subject",
    columns=(
        Column("statement_id", "string", "Wikidata's id of the statement; unique"),
        Column("subject", "bigint", "item id without Q"),
        Column("property", "int", "property id without P"),
        Column("rank", "string", "preferred, normal or deprecated"),
        Column(
            "snak",
            "string",
            "value, somevalue or novalue; hedged: a value that Wikidata does not call certain; unreadable: it was rejected",
        ),
        Column("datatype", "string", "the property's datatype, or the value's type in formats that lack it"),
        Column("value_item", "bigint", "item id without Q", nullable=True),
        Column("value_text", "string", "text, amount or time as written", nullable=True),
        Column(
            "amount",
            "decimal(38,9)",
            "quantity in the unit of its dimension (column unit), exact; null where the unit is unknown",
            nullable=True,
        ),
        Column("unit", "bigint", "the unit of amount as item id; 0 for a bare number", nullable=True),
        Column(
            "first_day",
            "date",
            "first day of the time, proleptic Gregorian; before and after widen it",
            nullable=True,
        ),
        Column("last_day", "date", "last day of the time", nullable=True),
        Column(
            "precision",
            "tinyint",
            "Wikidata precision of the time: 6 millennium … 9 year, 10 month, 11 day",
            nullable=True,
        ),
        Column("calendar", "string", "calendar in which the time is stated: gregorian or julian", nullable=True),
        Column("before", "int", "how many units of its precision the time may be earlier", nullable=True),
        Column("after", "int", "how many units of its precision the time may be later", nullable=True),
        Column(
            "hedges",
            "array<int>",
            "qualifiers by which Wikidata hedges the statement, property ids without P: sourcing circumstances (1480),"
            " nature of statement (5102), disputed by (1310), earliest and latest date, start and end (1319, 1326, 8554,"
            " 8555), and who was acting (3831)",
            nullable=True,
        ),
        Column(
            "start_time",
            TIME_TYPE,
            "qualifier P580; snak is value, somevalue, novalue, several, or hedged (it says how far off it may be)",
            nullable=True,
        ),
        Column(
            "end_time",
            TIME_TYPE,
            "qualifier P582",
            nullable=True,
        ),
        Column(
            "point_in_time",
            TIME_TYPE,
            "qualifier P585",
            nullable=True,
        ),
        Column(
            "ordinal",
            "int",
            "qualifier P1545, the place in a series; null unless one whole number from 1 on is stated",
            nullable=True,
        ),
    ),
)
