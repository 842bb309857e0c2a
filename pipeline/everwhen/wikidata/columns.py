"""Flat columns for what dump lines say: filled row by row, handed over as Arrow batches of the table dump_rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

QUALIFIER = pa.struct(
    [
        ("snak", pa.string()),
        ("text", pa.string()),
        ("first_day", pa.date32()),
        ("last_day", pa.date32()),
        ("precision", pa.int8()),
        ("calendar", pa.string()),
    ]
)
SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        ("level", pa.string()),
        ("units", pa.int64()),
        ("file", pa.string()),
        ("place", pa.string()),
        ("reason", pa.string()),
        ("sample", pa.string()),
        ("item", pa.int64()),
        ("revision", pa.int64()),
        ("label", pa.string()),
        ("aliases", pa.list_(pa.string())),
        ("description", pa.string()),
        ("title", pa.string()),
        ("sitelinks", pa.int32()),
        ("statements", pa.int64()),
        ("line_hash", pa.int64()),
        ("target", pa.int64()),
        ("statement_id", pa.string()),
        ("property", pa.int32()),
        ("rank", pa.string()),
        ("snak", pa.string()),
        ("datatype", pa.string()),
        ("value_item", pa.int64()),
        ("value_text", pa.string()),
        ("amount", pa.decimal128(38, 9)),
        ("unit", pa.int64()),
        ("first_day", pa.date32()),
        ("last_day", pa.date32()),
        ("precision", pa.int8()),
        ("calendar", pa.string()),
        ("before", pa.int32()),
        ("after", pa.int32()),
        ("hedges", pa.list_(pa.int32())),
        ("start_time", QUALIFIER),
        ("end_time", QUALIFIER),
        ("point_in_time", QUALIFIER),
        ("ordinal", pa.int32()),
    ]
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
