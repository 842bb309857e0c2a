"""Flat columns for what dump lines say: filled row by row, handed over as Arrow batches of the table dump_rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

TYPES = dict(text=pa.string(), texts=pa.list_(pa.string()), flag=pa.bool_(), day=pa.date32()) | dict(
    tiny=pa.int8(), int=pa.int32(), ints=pa.list_(pa.int32()), long=pa.int64(), amount=pa.decimal128(38, 9)
)
"""The types of columns, by the names that `parse_columns` reads."""


def parse_columns(text: str) -> list[pa.Field]:
    """Parse columns, each written `name:type`.

    >>> parse_columns("item:long label:text")
    [pyarrow.Field<item: int64>, pyarrow.Field<label: string>]
    """
    return [pa.field(name, TYPES[type_]) for name, type_ in (column.split(":") for column in text.split())]


TYPES["qualifier"] = pa.struct(
    parse_columns("snak:text text:text first_day:day last_day:day precision:tiny calendar:text")
)
SCHEMA = pa.schema(
    parse_columns(
        "kind:text level:text units:long file:text place:text reason:text sample:text item:long revision:long"
        " label:text aliases:texts description:text title:text sitelinks:int statements:long line_hash:long"
        " target:long statement_id:text property:int rank:text snak:text datatype:text value_item:long value_text:text"
        " amount:amount unit:long first_day:day last_day:day precision:tiny calendar:text before:int after:int"
        " hedges:ints start_time:qualifier end_time:qualifier point_in_time:qualifier ordinal:int"
    )
)
"""The Arrow schema of the table dump_rows."""

LINE = ("file", "place", "item", "revision")
ENTITY = ("line", "label", "aliases", "description", "title", "sitelinks", "statements", "line_hash")
REDIRECT = ("line", "target")
DATING = ("start_time", "end_time", "point_in_time")
QUALIFIERS = (*DATING, "ordinal", "hedges")
STATEMENT = ("line", "statement_id", "property", "rank", "snak", "datatype")
NONE, ITEM, TEXT, QUANTITY, TIME = range(5)
VALUES = (
    (),
    ("value_item",),
    ("value_text",),
    ("value_text", "amount", "unit"),
    ("value_text", "first_day", "last_day", "precision", "calendar", "before", "after"),
)
"""The columns of a value of each kind (NONE, ITEM, …)."""
QUALIFIED = len(VALUES)
"""Added to the kind of a statement's value where the statement has a qualifier that dates, numbers or hedges it."""
STATEMENTS = (*((*STATEMENT, *value) for value in VALUES), *((*STATEMENT, *value, *QUALIFIERS) for value in VALUES))
"""The columns of a statement by kind: those that stay null are not filled for every row."""
OTHER = (
    *("line", "kind", "level", "units", "reason", "sample"),
    *("statement_id", "property", "rank", "snak", "datatype", "value_item", "value_text"),
)
"""The columns of what was skipped or rejected; of a rejected statement also what could be read of it."""
UNREAD = (None,) * 7
"""The last columns of OTHER where there is no statement."""

Row = tuple[Any, ...]


class Batch:
    """What a run of dump lines says, until it is handed over: lists of tuples with the columns named above.

    A row's `line` is the index of its line in `lines`, which holds what all rows of one line share.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.lines: list[Row] = []
        self.entities: list[Row] = []
        self.redirects: list[Row] = []
        self.statements: tuple[list[Row], ...] = tuple([] for _ in STATEMENTS)
        """By kind."""
        self.others: list[Row] = []
        """Rejects and what was skipped."""

    def __len__(self) -> int:
        """The number of rows to come, or a little more."""
        return len(self.lines) + len(self.others) + sum(map(len, self.statements))

    def record_batches(self) -> Iterator[pa.RecordBatch]:
        """The rows as batches of `SCHEMA`, one for each kind that there is."""
        if not self.lines:
            return
        lines = _build_columns(LINE, self.lines)
        for names, rows in zip(STATEMENTS, self.statements, strict=True):
            if rows:
                yield _build_batch(lines, _build_columns(names, rows), kind="statement", level="statement")
        if self.entities:
            yield _build_batch(lines, _build_columns(ENTITY, self.entities), kind="entity", level="line")
        if self.redirects:
            yield _build_batch(lines, _build_columns(REDIRECT, self.redirects), kind="redirect", level="line")
        if self.others:
            yield _build_batch(lines, _build_columns(OTHER, self.others))


def _build_columns(names: tuple[str, ...], rows: list[Row]) -> dict[str, pa.Array]:
    """Build the columns of a list of tuples in one pass."""
    fields = [pa.field("line", pa.int32()) if name == "line" else SCHEMA.field(name) for name in names]
    return dict(zip(names, pa.array(rows, pa.struct(fields)).flatten(), strict=True))


def _build_batch(lines: dict[str, pa.Array], own: dict[str, pa.Array], **constants: str) -> pa.RecordBatch:
    """Build rows of `SCHEMA`: their own columns, those of their lines, the same value in every row, else null."""
    at = own["line"]
    arrays = []
    for field in SCHEMA:
        if field.name in own:
            arrays.append(own[field.name])
        elif field.name in lines:
            arrays.append(lines[field.name].take(at))
        elif field.name in constants:
            arrays.append(pa.repeat(constants[field.name], len(at)))
        elif field.name == "units":
            arrays.append(pa.repeat(pa.scalar(1, field.type), len(at)))
        else:
            arrays.append(pa.nulls(len(at), field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
