"""What is known beforehand: entities with their truth, and the tables of what the pipeline must count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.core.config import Config
from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Statement
from everwhen.synth.statements import When, derive_item_id
from everwhen.wikidata.columns import parse_columns

LABEL, CLASS, YEAR = "label", "class", "year"
"""By what a name is unambiguous."""

MIN_VIEWS = dict(films=5_000, persons=5_000, books=2_000, companies=2_000, universities=2_000, museums=2_000) | dict(
    heads_of_state=1_000, heads_of_government=1_000, mountains=300, countries=300
)
"""Views that each list of items asks for, as its template states them; lists of events ask for 300."""


@dataclass(frozen=True)
class TrueTime:
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


def derive_time(start: When, end: When | None = None) -> TrueTime:
    """The time from a start to an end, or on where there is none; the end may be the start itself."""
    precision = min(start.precision, end.precision) if end else start.precision
    return TrueTime(start.first, start.last, end.last if end else None, start.precision, precision)


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


@dataclass(frozen=True)
class TemporalFact:
    """What held from when to when, or at a point in time: a row of the pipeline's table `temporal_facts`.

    Attributes:
        property_id: Id of the property without P.
        value_item: Item id without Q; None for amounts.
        amount: None for items.
        start: None where none is stated, or it is not certain; of a point the point.
        end: As start.
        is_point: Whether it is a point in time.
        reason: Why the time is of no use, in the pipeline's words; start and end are then None.
    """

    property_id: int
    value_item: int | None = None
    amount: Decimal | None = None
    start: When | None = None
    end: When | None = None
    is_point: bool = False
    reason: str | None = None

    @property
    def kind(self) -> str | None:
        """What is known of the time; None where it is of no use."""
        if self.reason:
            return None
        if self.is_point:
            return "point"
        return "ended" if not self.start else "closed" if self.end else "begun"

    def list_bounds(self) -> tuple[date | int | None, ...]:
        """List first day, last day and precision of the start, then those of the end."""
        times = ((when.first, when.last, when.precision) if when else (None,) * 3 for when in (self.start, self.end))
        return tuple(bound for time in times for bound in time)


@dataclass
class Entity:
    """An item and what is true of it.

    Attributes:
        item: The item as the sources have it.
        kind: Its kind in the plan.
        list_id: The entity list that gives its noun; None in none.
        time: From when to when it is.
        method: By what its name is unambiguous; None without a name.
        reason: Why nobody asks about it, in the pipeline's words; None where it is asked about, or in no list. An
            item of a list has it for want of a name, of views, or of a sitelink where its views are unknown.
        linked: Whether a year page links to it on its date.
        values: What was planted of its attributes.
        terms: Positions held.
        awards: Awards received.
        dated: Facts of its career, and its population.
    """

    item: Item
    kind: str
    list_id: str | None = None
    time: TrueTime = TrueTime(reason=RejectReason.NO_TIME_STATED)
    method: str | None = LABEL
    reason: str | None = None
    linked: bool = False
    values: list[Value] = field(default_factory=list)
    terms: list[TermOrAward] = field(default_factory=list)
    awards: list[TermOrAward] = field(default_factory=list)
    dated: list[TemporalFact] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Say why nobody asks about an item of a list."""
        if not self.list_id or self.event:
            return
        if self.method is None:
            self.reason = RejectReason.NO_NAME
        elif self.views is None:
            self.reason = RejectReason.FEW_SITELINKS
        elif self.views < self.min_views:
            self.reason = RejectReason.FEW_VIEWS

    @property
    def event(self) -> bool:
        """Whether its list is one of events."""
        return self.kind in ("event", "stray")

    @property
    def min_views(self) -> int:
        """Views that its list asks for."""
        return 300 if self.event else MIN_VIEWS.get(self.list_id or "", 0)

    @property
    def views(self) -> int | None:
        """Views of its article; None without one."""
        return self.item.views if self.item.title else None

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The item's statements."""
        return self.item.statements


def build_item(
    rng: KeyedRandom,
    text: str,
    description: str,
    views: tuple[int, float],
    statements: Iterable[Statement],
    title: str | None = "",
) -> Item:
    """Build the item of the entity that `rng` is of.

    Args:
        rng: The entity's random numbers.
        text: Its label.
        description: Its description.
        views: A number of views, and the share of its kind that has as many.
        statements: Its statements.
        title: Its article; that of its label if empty, none if None.
    """
    article = text if title == "" else title
    sampled = rng.sample_pareto(*views, "views")
    return Item(derive_item_id(rng.kind, rng.number), text, description, article, sampled, tuple(statements))


def derive_title(text: str, apart: str = "") -> str:
    """The article of a label: without characters that titles do not have, and with a distinction in brackets."""
    for bad, good in (("{", "("), ("}", ")"), ("[", "("), ("]", ")"), ("#", "No. "), ("_", " ")):
        text = text.replace(bad, good)
    return f"{text} ({apart})" if apart else text


# Tables.

_COLUMNS = {
    "entities": "item:long kind:text label:text title:text views:long list:text event:flag min_views:long first_day:day"
    " start_last:day last_day:day start_precision:tiny precision:tiny time_reason:text method:text reason:text"
    " linked:flag",
    "values": "item:long attribute:text amount:amount value_item:long reason:text",
    "terms": "position:long holder:long first_day:day last_day:day reason:text",
    "awards": "award:long recipient:long first_day:day last_day:day",
    "temporal_facts": "subject:long property:int value_item:long amount:amount kind:text earliest_start:day"
    " latest_start:day start_precision:tiny earliest_end:day latest_end:day end_precision:tiny reason:text",
    "ambiguous": "label:text item:long kind:text method:text",
    "record_counts": "stage:text record_type:text status:text reason:text records:long",
    "faults": "file:text record_type:text reason:text records:long",
}
SCHEMAS = {name: pa.schema(parse_columns(columns)) for name, columns in _COLUMNS.items()}
"""The tables of the truth. `entities`: one row an item, with all that `Entity` says. `values`: attributes of events,
films and mountains. `terms`, `awards`: as `TermOrAward`. `temporal_facts`: as `TemporalFact`. `ambiguous`: items whose
label another one has, and what distinguishes them (null: nothing). `record_counts`: what the pipeline must count, by
stage. `faults`: what is rejected, by file."""

OF_ENTITIES = ("entities", "values", "terms", "awards", "temporal_facts", "ambiguous")
"""Tables that parts of the dump fill."""

WORLD_RECORDS = frozenset({"link", "event candidate", "item candidate"})
"""Record types of the stage world; all others are of the stage facts."""

BYTES = "bytes of JSON"
"""The record type of how much JSON the dump has: for the summary, no record."""

Row = Mapping[str, Any]


@dataclass
class TruthWriter:
    """The truth of a part of the dump: rows of the tables of entities, in the order of their columns."""

    rows: dict[str, list[tuple[Any, ...]]] = field(default_factory=lambda: {name: [] for name in OF_ENTITIES})

    def add_entity(self, entity: Entity) -> None:
        """Take an entity in."""
        item, time, rows = entity.item, entity.time, self.rows
        named = (item.id, entity.kind, item.label or None, item.title, entity.views)
        listed = (entity.list_id, entity.event, entity.min_views)
        days = (time.first_day, time.start_last, time.last_day, time.start_precision, time.precision, time.reason)
        rows["entities"].append((*named, *listed, *days, entity.method, entity.reason, entity.linked))
        rows["values"] += [(item.id, v.attribute, v.amount, v.item, v.reason) for v in entity.values]
        rows["terms"] += [(t.what, t.who, t.first_day, t.last_day, t.reason) for t in entity.terms]
        rows["awards"] += [(t.what, t.who, t.first_day, t.last_day) for t in entity.awards]
        rows["temporal_facts"] += [
            (item.id, f.property_id, f.value_item, f.amount, f.kind, *f.list_bounds(), f.reason) for f in entity.dated
        ]
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


def write_counts(truth: Path, written: Iterable[Row]) -> None:
    """Write the tables `record_counts` and `faults` of what the files of a world hold."""
    record_counts: Counter[tuple[str, ...]] = Counter()
    errors: Counter[tuple[str, ...]] = Counter()
    for row in written:
        record_type, status, reason = row["record_type"], row["status"], row["reason"]
        stage = "world" if record_type in WORLD_RECORDS else "facts"
        if record_type != BYTES:
            record_counts[stage, record_type, status, reason] += row["records"]
        if status == "rejected" and stage == "facts":
            errors[row["file"], record_type, reason] += row["records"]
    for name, counted in (("record_counts", record_counts), ("faults", errors)):
        rows = [(*key, records) for key, records in sorted(counted.items())]
        write_table(truth / f"{name}.parquet", name, rows)


def summarize_world(truth: Path, config: Config, written: Iterable[Row]) -> dict[str, Any]:
    """Return the content of `truth.json`."""
    entities = pq.read_table(truth / "entities.parquet", columns=["kind", "list", "reason"]).to_pylist()
    first_columns = {name: SCHEMAS[name].names[:1] for name in SCHEMAS}
    return {
        "seed": config.seed,
        "window": [config.window.start.isoformat(), config.window.end.isoformat()],
        "synth": config.synth.model_dump(mode="json"),
        "entities": len(entities),
        "kinds": dict(Counter(row["kind"] for row in entities)),
        "asked": dict(Counter(row["list"] for row in entities if row["list"] and row["reason"] is None)),
        "rows": {
            name: pq.read_table(truth / f"{name}.parquet", columns=columns).num_rows
            for name, columns in first_columns.items()
        },
        "json_bytes": sum(row["records"] for row in written if row["record_type"] == BYTES),
    }
