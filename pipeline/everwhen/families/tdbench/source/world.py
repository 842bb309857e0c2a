"""The rows of declarations that read our world: statements with times, and events, with their names.

All declarations are read by one query. A start or an end becomes a text of its precision, as a file would have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TypeVar

import duckdb
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.catalog.load import load_declarations as load_complete
from everwhen.core.build import Build
from everwhen.core.config import find_snapshot_day
from everwhen.core.reasons import RejectReason
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.source import POSITION_HELD
from everwhen.families.tdbench.queries import write_query
from everwhen.families.tdbench.source.load import report_error
from everwhen.families.tdbench.source.reading import UNKNOWN
from everwhen.families.tdbench.source.reasons import RowReason
from everwhen.families.tdbench.source.times import OPEN
from everwhen.tables.world import NAMES, POSITION_TERMS, SUBJECTS, TEMPORAL_FACTS
from everwhen.temporal.calendars import Calendar
from everwhen.temporal.precision import Precision

T = TypeVar("T", int, str)

CLOSED, BEGUN = "closed", "begun"


def date_declarations(declarations: Sequence[Declaration], build: Build | None) -> tuple[Declaration, ...]:
    """Give declarations that read our world the day of its snapshot as as_of, where they name none.

    It is the day by which the snapshot is named, or else the last day of the window.

    Args:
        declarations: The declarations.
        build: The build; None where no declaration reads its world.

    Raises:
        InputError: A declaration reads our world, and there is no build.
    """
    return tuple(_date(each, build) if each.source.is_world else each for each in declarations)


def _date(declaration: Declaration, build: Build | None) -> Declaration:
    """Give a declaration that reads our world its as_of."""
    if build is None:
        key = ("from", "world" if declaration.source.world is not None else "events")
        reason = "our world is read in a build alone: everwhen build, with families.tdbench.declarations"
        raise report_error(declaration, key, reason)
    if declaration.time.as_of is not None:
        return declaration
    day = find_snapshot_day(build.config.snapshot) or build.config.window.end
    return declaration.model_copy(update={"time": declaration.time.model_copy(update={"as_of": day})})


def read_world(declarations: Sequence[Declaration], build: Build | None) -> dict[str, pa.Table]:
    """Read the records of the declarations that are of our world, by one query.

    Args:
        declarations: All declarations.
        build: The build; None where no declaration reads its world.

    Returns:
        The records of each, by its name, in the columns of the table `records`.
    """
    ours = [declaration for declaration in declarations if declaration.source.is_world]
    if not ours or build is None:
        return {}
    properties = _sort_known(each.source.world for each in ours)
    lists = _sort_known(each.source.events for each in ours)
    parts = [_read_statements(build, properties)] if properties else []
    parts += [_read_events(build, lists)] if lists else []
    arrow = reduce(DataFrame.unionByName, parts).toArrow()
    with duckdb.connect() as db:
        db.register("arrow", arrow)
        return {each.name: _select_records(db, each) for each in ours}


def _sort_known(values: Iterable[T | None]) -> list[T]:
    return sorted({value for value in values if value is not None})


def _select_records(db: duckdb.DuckDBPyConnection, declaration: Declaration) -> pa.Table:
    """Select the records of a declaration (`sql/world.sql`)."""
    source, time = declaration.source, declaration.time
    named = {"subject": True, "value": True, "jurisdiction": source.jurisdiction, "role": source.role, "start": True}
    query = write_query(
        "source/world",
        is_point=time.end is None,
        is_inclusive=time.is_inclusive,
        columns=[name for name, column in (named | {"end": time.end}).items() if column is not None],
        reason=RowReason,
    )
    chosen = list_complete(declaration) if source.complete else None
    return db.sql(query, params={"source": source.events or str(source.world), "chosen": chosen}).to_arrow_table()


def list_complete(declaration: Declaration) -> list[int]:
    """List the positions or awards that `templates/complete.yaml` declares complete as long as a declaration asks.

    Raises:
        InputError: It declares none.
    """
    time, is_position = declaration.time, declaration.source.world == POSITION_HELD
    items = {
        item
        for each in load_complete()
        if isinstance(item := each.position if is_position else each.award, int)
        and (time.since is None or each.start <= time.since.year)
        and (time.as_of is None or each.end >= time.as_of.year)
    }
    if not items:
        span = f"from {time.since or 'any day'} to {time.as_of}"
        reason = f"templates/complete.yaml has nothing that is complete {span}"
        raise report_error(declaration, ("from", "complete"), reason)
    return sorted(items)


def _read_statements(build: Build, properties: Sequence[int]) -> DataFrame:
    """Read the statements of properties, with the names of their items."""
    facts = build.read(TEMPORAL_FACTS).where(F.col("property").isin(*properties))
    named = _name(_name(facts, build, "subject_id", "subject"), build, "value_id", "object")
    if POSITION_HELD in properties:
        terms = build.read(POSITION_TERMS).select("statement_id", "jurisdiction_id")
        named = _name(named.join(terms, "statement_id", "left"), build, "jurisdiction_id", "jurisdiction")
    else:
        named = named.withColumn("jurisdiction", F.lit(None).cast("string"))
    is_nameless = F.col("subject").isNull() | (F.col("value_id").isNotNull() & F.col("object").isNull())
    # The days of tables are read in one calendar, and a day is written as its statement has it.
    is_julian = (F.col("start_calendar") == Calendar.JULIAN) | (F.col("end_calendar") == Calendar.JULIAN)
    coarse = (F.col("start_precision") < Precision.YEAR) | (F.col("end_precision") < Precision.YEAR)
    reason = (
        F.when(is_nameless, RowReason.NO_UNIQUE_NAME)
        .when(F.col("reason").isNotNull(), F.concat(F.lit(_lead(RowReason.TIME_OF_NO_USE)), "reason"))
        .when(is_julian, RowReason.TIME_OF_NO_USE.with_detail(reason=str(RejectReason.JULIAN)))
        .when(coarse, RowReason.TIME_OF_NO_USE.with_detail(reason=str(RejectReason.COARSER_THAN_YEAR)))
    )
    return named.select(
        F.col("property").cast("string").alias("source"),
        F.col("statement_id").alias("id"),
        "value_id",
        F.coalesce("subject", F.concat(F.lit("Q"), "subject_id")).alias("subject"),
        F.coalesce("object", F.concat(F.lit("Q"), "value_id"), "value_text").alias("value"),
        "jurisdiction",
        _strip_jurisdiction(F.col("object"), F.col("jurisdiction")).alias("role"),
        F.coalesce("kind", F.lit(CLOSED)).alias("kind"),
        _write_time("earliest_start", F.col("start_precision")).alias("start"),
        _write_time("earliest_end", F.col("end_precision")).alias("end"),
        F.when((F.col("kind") == BEGUN) & (F.col("end_snak") == "novalue"), OPEN)
        .when((F.col("kind") == BEGUN) & F.col("end_snak").isNotNull(), UNKNOWN)
        .alias("end_state"),
        reason.alias("reason"),
    )


def _read_events(build: Build, lists: Sequence[str]) -> DataFrame:
    """Read the events of entity lists, with the country they were held in."""
    events = build.read(SUBJECTS).where(F.col("list").isin(*lists))
    events = events.withColumn("country", F.when(F.size("countries") == 1, F.element_at("countries", 1)))
    named = _name(events, build, "country", "value")
    is_julian = (F.col("start_calendar") == Calendar.JULIAN) | (F.col("end_calendar") == Calendar.JULIAN)
    return named.select(
        F.col("list").alias("source"),
        F.col("item_id").cast("string").alias("id"),
        F.lit(None).cast("bigint").alias("value_id"),
        F.col("name").alias("subject"),
        "value",
        *(F.lit(None).cast("string").alias(name) for name in ("jurisdiction", "role")),
        F.lit("event").alias("kind"),
        _write_time("earliest_start", _measure_precision("start")).alias("start"),
        _write_time("earliest_end", _measure_precision("end")).alias("end"),
        F.lit(None).cast("string").alias("end_state"),
        F.when(F.col("value").isNull(), RowReason.NO_SINGLE_COUNTRY)
        .when(is_julian, RowReason.TIME_OF_NO_USE.with_detail(reason=str(RejectReason.JULIAN)))
        .alias("reason"),
    )


def _name(rows: DataFrame, build: Build, item: str, name: str) -> DataFrame:
    """Add the unambiguous name of an item; null where it has none."""
    names = build.read(NAMES).select(F.col("entity").alias(item), F.col("name").alias(name))
    return rows.drop(name).join(names, item, "left")


def _strip_jurisdiction(position: Column, jurisdiction: Column) -> Column:
    """Strip a position of its country, as President of Brazil; null where its name does not end in it."""
    ending = F.concat(F.lit(" of "), jurisdiction)
    return F.when(position.endswith(ending), F.left(position, F.length(position) - F.length(ending)))


def _write_time(day: str, precision: Column) -> Column:
    """Write the first day of a time in ISO 8601, as far as its precision reaches; empty where there is none."""
    length = F.when(precision == Precision.YEAR, 4).when(precision == Precision.MONTH, 7).otherwise(10)
    return F.coalesce(F.left(F.col(day).cast("string"), length), F.lit(""))


def _measure_precision(which: str) -> Column:
    """Measure how precise a time is by the days between its bounds."""
    days = F.datediff(f"latest_{which}", f"earliest_{which}")
    return (
        F.when(days == 0, Precision.DAY.value).when(days <= 31, Precision.MONTH.value).otherwise(Precision.YEAR.value)
    )


def _lead(reason: RowReason) -> str:
    """Write what is before the slot of a reason."""
    return reason.value.split("{", 1)[0]
