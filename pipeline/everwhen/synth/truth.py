"""What is known beforehand: entities with their truth, and the tables of what the pipeline must count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement

LABEL, CLASS, YEAR = "label", "class", "year"
"""By what a name is unambiguous."""


@dataclass(frozen=True)
class Time:
    """From when to when an entity is, or the reason why that is not known.

    Attributes:
        first_day: First day of the start.
        start_last: Last day of the start.
        last_day: Last day of the end; None while it is open.
        start_precision: Wikidata's precision of the start.
        precision: The coarser one of start and end.
        reason: Why there is no time, in the pipeline's words; the days are then None.
    """

    first_day: date | None = None
    start_last: date | None = None
    last_day: date | None = None
    start_precision: int | None = None
    precision: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Value:
    """What an attribute is, or why it has no one value.

    Attributes:
        attribute: Id of the attribute.
        amount: In the unit that is asked for; None for items.
        item: Item id without Q; None for amounts.
        reason: Why there is no one value, in the pipeline's words.
    """

    attribute: str
    amount: Decimal | None = None
    item: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class TermOrAward:
    """A position held or an award received: who, what, when; the reason why a term cannot be used.

    An award whose time is not certain has no days. A term keeps its days, whatever its statement says of them.
    """

    what: int
    who: int
    first_day: date | None
    last_day: date | None
    reason: str | None = None


@dataclass
class Entity:
    """An item and what is true of it.

    Attributes:
        item: The item as the sources have it.
        kind: Its kind in the plan.
        list_id: The entity list that gives its noun; None in none.
        event: Whether that is a list of events.
        time: From when to when it is.
        method: By what its name is unambiguous; None without a name.
        min_views: Views that its list asks for.
        reason: Why nobody asks about it, in the pipeline's words; None where it is asked about, or in no list.
        linked: Whether a year page links to it on its date.
        values: What was planted of its attributes.
        terms: Positions held.
        awards: Awards received.
    """

    item: Item
    kind: str
    list_id: str | None = None
    event: bool = False
    time: Time = Time(reason=RejectReason.NO_TIME_STATED)
    method: str | None = LABEL
    min_views: int = 0
    reason: str | None = None
    linked: bool = False
    values: list[Value] = field(default_factory=list)
    terms: list[TermOrAward] = field(default_factory=list)
    awards: list[TermOrAward] = field(default_factory=list)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The item's statements."""
        return self.item.statements

    def judge(self) -> Entity:
        """Say why nobody asks about an item of a list: no name, too few views, or unknown views and no sitelink."""
        if self.list_id and not self.event:
            views = self.item.views if self.item.title else None
            few = RejectReason.FEW_SITELINKS if views is None else RejectReason.FEW_VIEWS
            is_obscure = self.min_views > 0 and (views is None or views < self.min_views)
            self.reason = RejectReason.NO_NAME if self.method is None else few if is_obscure else None
        return self


DAY, NUMBER = pa.date32(), pa.int64()
SCHEMAS = {
    "entities": pa.schema(
        [
            *(("item", NUMBER), ("kind", pa.string()), ("label", pa.string()), ("title", pa.string())),
            *(("views", NUMBER), ("list", pa.string()), ("event", pa.bool_()), ("min_views", NUMBER)),
            *(("first_day", DAY), ("start_last", DAY), ("last_day", DAY)),
            *(("start_precision", pa.int8()), ("precision", pa.int8()), ("time_reason", pa.string())),
            *(("method", pa.string()), ("reason", pa.string()), ("linked", pa.bool_())),
        ]
    ),
    "values": pa.schema(
        [
            *(("item", NUMBER), ("attribute", pa.string()), ("amount", pa.decimal128(38, 9))),
            *(("value_item", NUMBER), ("reason", pa.string())),
        ]
    ),
    "terms": pa.schema(
        [
            *(("position", NUMBER), ("holder", NUMBER), ("first_day", DAY), ("last_day", DAY)),
            ("reason", pa.string()),
        ]
    ),
    "awards": pa.schema([("award", NUMBER), ("recipient", NUMBER), ("first_day", DAY), ("last_day", DAY)]),
    "ambiguous": pa.schema([("label", pa.string()), ("item", NUMBER), ("kind", pa.string()), ("method", pa.string())]),
    "record_counts": pa.schema(
        [
            *(("stage", pa.string()), ("record_type", pa.string()), ("status", pa.string())),
            *(("reason", pa.string()), ("records", NUMBER)),
        ]
    ),
    "faults": pa.schema(
        [("file", pa.string()), ("record_type", pa.string()), ("reason", pa.string()), ("records", NUMBER)],
    ),
}
"""The tables of the truth. `entities`: one row an item, with all that `Entity` says. `values`: attributes of events,
films and mountains. `terms`, `awards`: as `TermOrAward`. `ambiguous`: items whose label another one has, and what
distinguishes them (null: nothing). `record_counts`: what the pipeline must count, by stage. `faults`: what is rejected,
by file."""


OF_ENTITIES = ("entities", "values", "terms", "awards", "ambiguous")
"""Tables that parts of the dump fill."""


@dataclass
class TruthWriter:
    """The truth of a part of the dump: rows of the tables of entities, in the order of their columns."""

    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=lambda: {name: [] for name in OF_ENTITIES})

    def add_entity(self, entity: Entity) -> None:
        """Take an entity in."""
        item, time, rows = entity.item, entity.time, self.rows
        views = item.views if item.title else None
        statements = (item.id, entity.kind, item.label or None, item.title, views)
        listed = (entity.list_id, entity.event, entity.min_views)
        days = (time.first_day, time.start_last, time.last_day, time.start_precision, time.precision, time.reason)
        rows["entities"].append((*statements, *listed, *days, entity.method, entity.reason, entity.linked))
        rows["values"] += [(item.id, v.attribute, v.amount, v.item, v.reason) for v in entity.values]
        rows["terms"] += [(t.what, t.who, t.first_day, t.last_day, t.reason) for t in entity.terms]
        rows["awards"] += [(t.what, t.who, t.first_day, t.last_day) for t in entity.awards]
        if item.label and entity.method != LABEL and entity.kind != "disambiguation":
            rows["ambiguous"].append((item.label, item.id, entity.kind, entity.method))

    def write(self, folder: Path, part: int) -> None:
        """Write the rows as one parquet file of each table's folder."""
        for name, rows in self.rows.items():
            write_table(folder / f"{name}.parquet" / f"part-{part:05d}.parquet", name, rows)


def write_table(path: Path, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write rows of a table of the truth."""
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = SCHEMAS[name]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    arrays = [pa.array(column, type=entry.type) for column, entry in zip(columns, schema, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path, compression="zstd")
