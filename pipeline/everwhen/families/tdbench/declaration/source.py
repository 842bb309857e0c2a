"""The model of where the rows of a declaration are."""

from __future__ import annotations

from typing import Self

from pydantic import Field, field_validator, model_validator

from everwhen.core.models import StrictModel

KINDS = ("file", "database", "world", "events")
POSITION_HELD, AWARD_RECEIVED = 39, 166


class TableSource(StrictModel):
    """Where the rows are: a file, a database of DuckDB, or our world.

    Attributes:
        file: CSV (`.csv`, `.tsv`, also packed by gzip, bzip2 or xz), parquet, or a folder of parquet files, relative to
            the declaration.
        delimiter: What separates the values of a CSV file; a tab where its name ends in `.tsv`.
        database: A database file of DuckDB, with either `table` or `query`.
        table: The table in it.
        query: A SELECT statement on it.
        world: Number of a property of Wikidata, whose statements are the rows.
        events: Name of an entity list of our world, such as olympic_games, whose events are the rows.
        complete: Of P39 and P166: whether only positions or awards are read that `templates/complete.yaml` declares
            complete from `since` to `as_of`.
        subject: Of our world: what the column of subjects or events is called.
        value: Of our world: what the column of values is called; of events, of the country they were held in.
        jurisdiction: Of P39: what the column of the position's country is called; without it there is none.
        role: Of P39: what the column of the position without its country is called: President of President of Brazil.
    """

    file: str | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    database: str | None = None
    table: str | None = None
    query: str | None = None
    world: int | None = Field(default=None, ge=1)
    events: str | None = None
    complete: bool = False
    subject: str = "Subject"
    value: str = "Value"
    jurisdiction: str | None = None
    role: str | None = None

    @property
    def is_world(self) -> bool:
        """Whether the rows are read from our world, and not from a file."""
        return self.world is not None or self.events is not None

    @property
    def world_columns(self) -> tuple[str, ...]:
        """The columns of values of our world."""
        return tuple(filter(None, (self.subject, self.value, self.jurisdiction, self.role)))

    @field_validator("delimiter")
    @classmethod
    def _separates_values(cls, delimiter: str | None) -> str | None:
        if delimiter is not None and delimiter in '"\r\n':
            raise ValueError("a quotation mark or a line break separates no values")
        return delimiter

    @model_validator(mode="after")
    def _has_one_kind(self) -> Self:
        kinds = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(kinds) != 1:
            raise ValueError(f"one of {', '.join(KINDS)} is expected, found {' and '.join(kinds) or 'none of them'}")
        return self

    @model_validator(mode="after")
    def _selects_rows_of_a_database(self) -> Self:
        named = [name for name in (self.table, self.query) if name is not None]
        if self.database is not None and len(named) != 1:
            raise ValueError("database needs either table or query")
        if self.database is None and named:
            raise ValueError("table and query need database")
        return self

    @model_validator(mode="after")
    def _names_columns_of_its_world(self) -> Self:
        if self.world != POSITION_HELD and (self.jurisdiction is not None or self.role is not None):
            raise ValueError("jurisdiction and role need world: 39")
        if self.complete and self.world not in (POSITION_HELD, AWARD_RECEIVED):
            raise ValueError("complete needs world: 39 or 166")
        if len(set(self.world_columns)) < len(self.world_columns):
            raise ValueError("each column needs a name of its own")
        return self
