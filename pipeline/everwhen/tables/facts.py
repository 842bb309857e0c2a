"""The tables of facts: columns with types and meanings."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.table import Column, Table


def select_best_rank(statements: DataFrame) -> DataFrame:
    """The statements of the best rank of their subject and property: the preferred ones if any, else the normal ones.

    Deprecated statements are never among them. The rank is chosen over all snak types: a preferred somevalue leaves
    no value, which is for the caller to drop.

    Args:
        statements: The columns `subject`, `property` and `rank`, among any others.

    Returns:
        The columns of `statements`.
    """
    group = Window.partitionBy("subject", "property")
    preferred = F.max(F.col("rank") == "preferred").over(group)
    best = F.when(preferred, F.lit("preferred")).otherwise(F.lit("normal"))
    marked = statements.where(F.col("rank") != "deprecated").withColumn("_best", best)
    return marked.where(F.col("rank") == F.col("_best")).select(*statements.columns)


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


REJECTS = Table(
    name="rejects",
    stage="facts",
    meaning="A piece of malformed input, with its place and the reason.",
    columns=(
        Column("record_type", "string", "what was rejected: line, statement, page, bullet, view line or list row"),
        Column("file", "string", "the file or page"),
        Column("place", "string", "line, split and line, bullet with its line, or statement id within the file"),
        Column("reason", "string", "why"),
        Column("sample", "string", "the first 200 characters"),
    ),
)


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


UNWRITABLE = r"^\s*$|[\p{Cc}\u2028\u2029]"
"""Aliases that nobody can write: blank ones, and those with control characters."""

ENTITIES = Table(
    name="entities",
    stage="facts",
    meaning="An item, in its newest revision among the dump files.",
    total_of="item",
    columns=(
        Column("item", "bigint", "item id without Q; unique"),
        Column("label", "string", "English label, else the label for all languages (mul)", nullable=True),
        Column("aliases", "array<string>", "English aliases, then those for all languages (mul), each once"),
        Column("description", "string", "English description", nullable=True),
        Column("title", "string", "English Wikipedia article", nullable=True),
        Column("sitelinks", "int", "how many wikis have a page on it; null where none is stated", nullable=True),
        Column("revision", "bigint", "lastrevid; -1 where unknown"),
        Column("file", "string", "the file it was read from"),
    ),
)


def list_aliases(entities: DataFrame) -> DataFrame:
    """List the aliases of items that somebody can write, each once.

    Args:
        entities: Columns item and aliases.

    Returns:
        Columns item and alias.
    """
    exploded = entities.select("item", F.explode("aliases").alias("alias"))
    return exploded.where(~F.col("alias").rlike(UNWRITABLE)).distinct()


LIST_MEMBERS = Table(
    name="list_members",
    stage="facts",
    meaning="A member of an entity list as a SPARQL endpoint answered it.",
    total_by="list",
    total_of="item",
    columns=(
        Column("list", "string", "id of the entity list, such as films"),
        Column("item", "bigint", "item id without Q"),
    ),
)


PAGEVIEWS = Table(
    name="pageviews",
    stage="facts",
    meaning="Views of one English Wikipedia article, summed over the configured period.",
    columns=(
        Column("title", "string", "article title, underscores as spaces; unique"),
        Column("views", "bigint", "views in the configured period by the configured agent"),
    ),
)


REDIRECTS = Table(
    name="redirects",
    stage="facts",
    meaning="A redirect between items or between article titles, followed to its end.",
    columns=(
        Column("kind", "string", "item or title"),
        Column("source", "string", "Q-id or article title that redirects"),
        Column("target", "string", "Q-id or article title that it ends at"),
    ),
)


SUBCLASSES = Table(
    name="subclasses",
    stage="facts",
    meaning="A class that is, through any number of subclass-of statements (best rank), below a root class, or is that root.",
    total_by="root",
    total_of="class",
    columns=(
        Column("class", "bigint", "item id of the class"),
        Column("root", "bigint", "item id of the root class"),
    ),
)


YEAR_PAGE_EVENTS = Table(
    name="year_page_events",
    stage="facts",
    meaning="A dated bullet of a Wikipedia year page: an item of a list, a paragraph or a row of a table.",
    columns=(
        Column("year", "int", "the year of the page"),
        Column("bullet", "int", "number of the bullet in the page, from 1"),
        Column("first_day", "date", "first day of the bullet"),
        Column("last_day", "date", "last day of the bullet"),
        Column("text", "string", "the bullet as plain text, markup, references and templates stripped"),
        Column(
            "titles",
            "array<string>",
            "titles of the articles it links to, in order, first letter upper case, underscores as spaces, without fragment",
        ),
        Column("file", "string", "the file or page it was read from"),
    ),
)
