"""The subclass closure below the class roots that the entity lists name."""

from everwhen.core.table import Column, Table

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
