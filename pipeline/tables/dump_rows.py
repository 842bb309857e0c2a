"""Lines of the Wikidata JSON dump, parsed once; the other facts tables are taken from here."""

from pipeline.tables.table import Column, Table

DUMP_ROWS = Table(
    name="dump_rows",
    stage="facts",
    meaning="An entity, a statement, a redirect or a reject read from one line of a Wikidata dump.",
    columns=(
        Column(
            "kind",
            "string",
            "entity, statement, redirect, reject (malformed, whole line or one statement) or skipped (well-formed, out of scope)",
        ),
        Column("level", "string", "what the row counts: line or statement"),
        Column("units", "bigint", "how many of them; above 1 only for statements of one line skipped for one reason"),
        Column("file", "string", "the file read"),
        Column(
            "place",
            "string",
            "line of the file, or split offset and line within it where the file is read in splits",
        ),
        Column("reason", "string", "why it was rejected or skipped", nullable=True),
        Column(
            "sample",
            "string",
            "the first 200 characters of what was rejected; the id of what was skipped",
            nullable=True,
        ),
        Column(
            "item",
            "bigint",
            "the item (Q-id without Q) the line describes; null where the line does not say",
            nullable=True,
        ),
        Column("revision", "bigint", "lastrevid of the entity; -1 where the format has none", nullable=True),
        Column("label", "string", "English label, else the label for all languages (mul)", nullable=True),
        Column("description", "string", "English description", nullable=True),
        Column("title", "string", "English Wikipedia article (sitelink enwiki)", nullable=True),
        Column(
            "statements",
            "bigint",
            "entity: how many statements the line holds, counted before they are read",
            nullable=True,
        ),
        Column("line_hash", "bigint", "entity: 64-bit hash of the line", nullable=True),
        Column("target", "bigint", "redirect: the item that it points to", nullable=True),
        Column("statement_id", "string", "statement: its id (GUID)", nullable=True),
        Column("property", "int", "statement: property id without P", nullable=True),
        Column("rank", "string", "statement: preferred, normal or deprecated", nullable=True),
        Column("snak", "string", "statement: value, somevalue or novalue", nullable=True),
        Column(
            "datatype",
            "string",
            "statement: the property's datatype, or the value's type in formats that lack it",
            nullable=True,
        ),
        Column("value_item", "bigint", "value: item id without Q", nullable=True),
        Column("value_text", "string", "value: text, amount or time as written", nullable=True),
        Column(
            "amount",
            "decimal(38,9)",
            "value: quantity in the unit of its dimension (templates/units.yaml), exact; null where the unit is unknown",
            nullable=True,
        ),
        Column(
            "unit",
            "bigint",
            "value: the unit of amount as item id without Q; 0 for a bare number",
            nullable=True,
        ),
        Column("first_day", "date", "value: first day of the time, proleptic Gregorian", nullable=True),
        Column("last_day", "date", "value: last day of the time", nullable=True),
        Column(
            "precision",
            "tinyint",
            "value: Wikidata precision of the time, 6 millennium … 9 year, 10 month, 11 day",
            nullable=True,
        ),
        Column(
            "start_time",
            "struct<snak:string,first_day:date,last_day:date,precision:tinyint>",
            "qualifier P580; snak is value, somevalue, novalue or several",
            nullable=True,
        ),
        Column(
            "end_time",
            "struct<snak:string,first_day:date,last_day:date,precision:tinyint>",
            "qualifier P582",
            nullable=True,
        ),
        Column(
            "point_in_time",
            "struct<snak:string,first_day:date,last_day:date,precision:tinyint>",
            "qualifier P585",
            nullable=True,
        ),
    ),
)
