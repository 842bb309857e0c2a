"""Items of Wikidata."""

from everwhen.core.table import Column, Table

ENTITIES = Table(
    name="entities",
    stage="facts",
    meaning="An item, in its newest revision among the dump files.",
    columns=(
        Column("item", "bigint", "item id without Q; unique"),
        Column("label", "string", "English label, else the label for all languages (mul)", nullable=True),
        Column("aliases", "array<string>", "English aliases, else those for all languages (mul)"),
        Column("description", "string", "English description", nullable=True),
        Column("title", "string", "English Wikipedia article", nullable=True),
        Column("sitelinks", "int", "how many wikis have a page on it; null where none is stated", nullable=True),
        Column("revision", "bigint", "lastrevid; -1 where unknown"),
        Column("file", "string", "the file it was read from"),
    ),
)
