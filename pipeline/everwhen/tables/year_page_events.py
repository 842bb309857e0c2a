"""Events as the year pages tell them."""

from everwhen.core.table import Column, Table

YEAR_PAGE_EVENTS = Table(
    name="year_page_events",
    stage="facts",
    meaning="A dated bullet of a Wikipedia year page: an item of a list, a paragraph or a row of a table.",
    columns=(
        Column("year", "int", "the year of the page"),
        Column("bullet", "int", "number of the bullet in the page, from 1"),
        Column("first_day", "date", "first day of the bullet"),
        Column("last_day", "date", "last day of the bullet"),
        Column("text", "string", "the bullet as plain text, markup, references and templates stripped"),
        Column(
            "titles",
            "array<string>",
            "titles of the articles it links to, in order, first letter upper case, underscores as spaces, without fragment",
        ),
        Column("file", "string", "the file or page it was read from"),
    ),
)
