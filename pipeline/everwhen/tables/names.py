"""Names that fit one entity only."""

from everwhen.core.table import Column, Table

NAMES = Table(
    name="names",
    stage="world",
    meaning="What an entity is called in questions, so that only it can be meant.",
    columns=(
        Column("entity", "bigint", "item id without Q; unique"),
        Column(
            "name",
            "string",
            "the least name that is not ambiguous, with its article: label, else with class, else with year",
        ),
        Column("long_name", "string", "the same with the class noun where the label is a title: the film Titanic"),
        Column("label", "string", "English label, as answers give it"),
        Column("method", "string", "label, class or year: what it took to be unambiguous"),
    ),
)
