"""The books of a stage: units in = kept + rejected."""

from everwhen.core.table import Column, Table


def accounts(stage: str) -> Table:
    """The books of one stage (facts, world or questions)."""
    return Table(
        name="accounts",
        stage=stage,
        meaning="How many units came in, were kept, or were rejected for one reason.",
        columns=(
            Column("unit", "string", "the unit: line, statement, page, bullet, link, candidate, binding …"),
            Column("outcome", "string", "in (counted where the units enter), kept or rejected"),
            Column("reason", "string", "why rejected; empty otherwise"),
            Column("units", "bigint", "how many"),
            Column("examples", "array<string>", "up to ten of them, the least by text"),
        ),
    )
