"""What is declared complete, and whether the facts hold it all."""

from everwhen.core.table import Column, Table

DECLARATIONS = Table(
    name="declarations",
    stage="complextempqa",
    meaning="What counts over the world are counted over: declared complete, from one year to another.",
    total_by="what",
    total_of="number",
    columns=(
        Column("number", "int", "the place among all declarations"),
        Column(
            "what",
            "string",
            "list (events of a class), position (who held it), award, films_by, films_with or books_by",
        ),
        Column(
            "item", "bigint", "Wikidata id of the class, position, award or person; null: of every one", nullable=True
        ),
        Column("since", "int", "the first year"),
        Column("until", "int", "the last year"),
        Column("members", "int", "how many are declared; null of every one", nullable=True),
        Column(
            "found",
            "int",
            "how many the facts hold; null of every one, and where the world has nothing of it",
            nullable=True,
        ),
        Column("is_complete", "boolean", "whether the facts hold as many as declared"),
        Column("source", "string", "where the declaration is known from"),
    ),
)
