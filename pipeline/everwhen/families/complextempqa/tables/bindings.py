"""Slots bound and answers derived; no text yet."""

from everwhen.core.table import Column, Table

BINDINGS = Table(
    name="bindings",
    stage="complextempqa",
    meaning="A question before its words: template, slots and answer. Workers derive the rest from these.",
    columns=(
        Column("question_id", "bigint", "63-bit hash of what is asked, and of no word of the text; unique"),
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
        Column("answer_entity", "array<bigint>", "Wikidata ids of the entities in the answer"),
        Column("template_id", "string", "the template"),
        Column("type", "string", "the type of its questions"),
        Column("hops", "array<int>", "property ids of a path, in order of use, the asked one last"),
        Column("property", "int", "property id that the answer comes from", nullable=True),
        Column("threshold", "decimal(38,9)", "counting: only what has strictly more is counted", nullable=True),
        Column("counted_over", "string", "counting: complete or known facts", nullable=True),
        Column("calendar", "string", "calendar in which the dates of the answer are stated", nullable=True),
        Column("popular", "boolean", "whether all that is asked about is popular"),
        Column("countries", "array<bigint>", "countries of the entities asked about, ascending"),
        Column("span", "struct<start:date,end:date>", "the days that the question is about"),
        Column("topic", "string", "IPTC Media Topic of the first asked entity"),
        Column("split", "string", "train, validation or test"),
        Column("head", "bigint", "the first asked entity"),
    ),
)
