"""Members of the entity lists that were pulled by SPARQL."""

from everwhen.core.table import Column, Table

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
