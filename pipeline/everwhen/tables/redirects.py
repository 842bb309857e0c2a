"""Redirects of items and of article titles."""

from everwhen.core.table import Column, Table

REDIRECTS = Table(
    name="redirects",
    stage="facts",
    meaning="A redirect between items or between article titles, followed to its end.",
    columns=(
        Column("kind", "string", "item or title"),
        Column("source", "string", "Q-id or article title that redirects"),
        Column("target", "string", "Q-id or article title that it ends at"),
    ),
)
