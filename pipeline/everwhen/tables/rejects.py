"""Input that could not be read."""

from everwhen.core.table import Column, Table

REJECTS = Table(
    name="rejects",
    stage="facts",
    meaning="A piece of malformed input, with its place and the reason.",
    columns=(
        Column("record_type", "string", "what was rejected: line, statement, page, bullet, view line or list row"),
        Column("file", "string", "the file or page"),
        Column("place", "string", "line, split and line, bullet with its line, or statement id within the file"),
        Column("reason", "string", "why"),
        Column("sample", "string", "the first 200 characters"),
    ),
)
