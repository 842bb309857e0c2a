"""Pageviews of articles."""

from everwhen.core.table import Column, Table

PAGEVIEWS = Table(
    name="pageviews",
    stage="facts",
    meaning="Views of one English Wikipedia article, summed over the configured period.",
    columns=(
        Column("title", "string", "article title, underscores as spaces; unique"),
        Column("views", "bigint", "views in the configured period by the configured agent"),
    ),
)
