"""What is accepted as an answer, beside the label that a row has."""

from everwhen.core.table import Column, Table

ACCEPTED_ANSWERS = Table(
    name="accepted_answers",
    stage="complextempqa",
    meaning="A text that is right wherever this entity is the answer: its label, an alias, or how a question describes it.",
    total_by="kind",
    total_of="entity",
    columns=(
        Column("entity", "bigint", "the answer, as item id without Q (a value of answer_entity)"),
        Column("kind", "string", "label, alias or description"),
        Column(
            "key",
            "string",
            "of a description its form: it is accepted in questions whose `descriptions` have entity and key; else null",
            nullable=True,
        ),
        Column("text", "string", "the text"),
    ),
)
