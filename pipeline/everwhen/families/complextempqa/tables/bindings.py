"""Slots bound and answers derived; no text yet."""

from everwhen.core.table import Column, Table
from everwhen.families.complextempqa.tables.questions import METADATA

BINDINGS = Table(
    name="bindings",
    stage="complextempqa",
    meaning="A question before its words: template, slots and answer.",
    columns=(
        Column("question_id", "bigint", "63-bit hash of what is asked (docs/reference/stability.md); unique"),
        Column(
            "slots",
            "array<struct<entity:bigint,form:string,text:string>>",
            "the slots in the order of the template: an entity and the form in which it is named, or a text",
        ),
        Column(
            "answer_text",
            "array<string>",
            "the answer where it is no entity: dates by precision, numbers, yes or no",
        ),
        Column("choice", "boolean", "whether the answer is one of the named options"),
        *METADATA,
    ),
)
