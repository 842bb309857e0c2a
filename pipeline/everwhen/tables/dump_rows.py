"""Lines of the Wikidata JSON dump, parsed once; the other facts tables are taken from here."""

from dataclasses import replace

from everwhen.core.table import Column, Table
from everwhen.tables.statements import STATEMENTS

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
        Column(
            "aliases", "array<string>", "English aliases, then those for all languages (mul), each once", nullable=True
        ),
        Column("description", "string", "English description", nullable=True),
        Column("title", "string", "English Wikipedia article (sitelink enwiki)", nullable=True),
        Column("sitelinks", "int", "how many wikis have a page on it; null where none is stated", nullable=True),
        Column(
            "statements",
            "bigint",
            "entity: how many statements the line holds, counted before they are read",
            nullable=True,
        ),
        Column("line_hash", "bigint", "entity: 64-bit hash of the line", nullable=True),
        Column("target", "bigint", "redirect: the item that it points to", nullable=True),
        # What a statement says; "subject" is the item of the line.
        *(replace(column, nullable=True) for column in STATEMENTS.columns if column.name != "subject"),
    ),
)
