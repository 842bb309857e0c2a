"""Record counts of a stage: input = kept + rejected."""

from everwhen.core.table import Column, Table


def record_counts(stage: str) -> Table:
    """Describe the record counts of one stage (facts, world or questions)."""
    return Table(
        name="record_counts",
        stage=stage,
        meaning="How many records a stage took in, kept, or rejected for one reason.",
        columns=(
            Column(
                "record_type", "string", "what was counted: line, statement, page, page line, bullet, link, candidate …"
            ),
            Column("status", "string", "input (counted where the records enter), kept or rejected"),
            Column("reason", "string", "why rejected; empty otherwise"),
            Column("records", "bigint", "how many"),
            Column("examples", "array<string>", "up to ten of them, the least by text"),
        ),
    )
