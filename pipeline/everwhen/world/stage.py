"""The stage world: from the facts tables to what can be asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog import load as catalog
from everwhen.catalog.load import load_attributes, load_entity_lists
from everwhen.catalog.models import EntityList
from everwhen.core.build import Build, run_parallel
from everwhen.core.errors import InputError
from everwhen.core.hashing import assign_split
from everwhen.core.record_counts import count_records, sum_counts
from everwhen.core.session import checkpoint
from everwhen.core.table import Table
from everwhen.tables.facts import ENTITIES, LIST_MEMBERS, PAGEVIEWS, REDIRECTS, STATEMENTS, SUBCLASSES, YEAR_PAGE_EVENTS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import (
    ATTRIBUTES,
    AWARDS,
    DESCRIPTIONS,
    MEMBERS,
    NAMES,
    POPULARITY,
    POSITION_TERMS,
    PROPERTY_PATHS,
    SUBJECTS,
    TEMPORAL_FACTS,
)
from everwhen.world.attributes import derive_attribute_candidates, follow_paths
from everwhen.world.descriptions import DescriptionInputs, describe_subjects
from everwhen.world.events import derive_event_candidates, judge_links, resolve_links
from everwhen.world.members import (
    assign_primary_lists,
    derive_item_candidates,
    derive_lifetimes,
    list_members,
    with_countries,
)
from everwhen.world.names import name_entities
from everwhen.world.popularity import find_obscurity_reason, join_views, rate_popularity
from everwhen.world.temporal_facts import (
    derive_awards,
    derive_position_terms,
    find_temporal_facts,
    find_term_candidates,
)

TABLES = (
    *(MEMBERS, NAMES, POPULARITY, SUBJECTS, ATTRIBUTES, DESCRIPTIONS, PROPERTY_PATHS),
    *(TEMPORAL_FACTS, POSITION_TERMS, AWARDS, record_counts("world")),
)
"""All that the stage writes."""

BOUNDS = dict(first_day="earliest_start", start_last="latest_start", end_first="earliest_end", last_day="latest_end")
"""What the bounds in the table `members` are called in the table `subjects`."""

RECORD_TYPES = ("link", "event candidate", "item candidate", "attribute value", "temporal fact", "term")
"""What the stage counts, in the order in which it derives them."""

OCCURRENCES = "occurrences"
"""The list whose members are whatever a year page may link to as an event."""


def select_lists(wanted: Sequence[str], key: str = "world.lists") -> tuple[EntityList, ...]:
    """Select the entity lists in use.

    Args:
        wanted: Their ids; none means all.
        key: The key of the configuration that names them, for the message.

    Raises:
        InputError: The configuration names a list that is not there.
    """
    known = {e.id: e for e in load_entity_lists()}
    missing = [name for name in wanted if name not in known]
    if missing:
        raise InputError(f"{key}: no entity list {missing[0]}; there are {', '.join(known)}")
    return tuple(known[name] for name in (wanted or known))


def run_world(build: Build) -> None:
    """Write the tables of the stage world, unless all are there.

    Raises:
        InputError: A table of the stage facts is missing, or the configuration names an unknown list.
    """
    if build.has_all("world", TABLES):
        return
    lists = select_lists(build.config.world.lists)
    entities, statements = build.read(ENTITIES), build.read(STATEMENTS)
    members = _write_members(build, statements, lists)
    primary = assign_primary_lists(members, lists)
    named, facts = _materialize_all(
        build,
        (NAMES, lambda: name_entities(entities, members, primary, statements, lists)),
        (TEMPORAL_FACTS, lambda: find_temporal_facts(statements)),
    )
    views = join_views(entities, build.read(PAGEVIEWS), bool(build.config.sources.pageviews))
    primary = _with_facts(build, primary, named, views, lists)
    links = _screen_links(build, entities, members)
    event_rows = derive_event_candidates(
        members, links.where("reason IS NULL"), primary.where("kind = 'event'"), build.config.window
    ).transform(checkpoint)
    item_rows = derive_item_candidates(members, primary.where("kind = 'item'")).transform(checkpoint)
    popular = build.materialize(POPULARITY, lambda: rate_popularity(views, _union_populations(event_rows, item_rows)))
    subjects = build.materialize(
        SUBJECTS, lambda: _finish(build, _union_subjects(event_rows, item_rows), named, popular, lists)
    )
    candidates = derive_attribute_candidates(statements, members, lists, load_attributes()).transform(checkpoint)
    values = build.materialize(ATTRIBUTES, lambda: candidates.where("reason IS NULL"))
    terms = find_term_candidates(facts, statements, subjects.where("kind = 'item'")).transform(checkpoint)
    described = DescriptionInputs(_prepare_described(subjects), values, members, statements, named)
    patterns = catalog.load_descriptions()
    _materialize_all(
        build,
        (DESCRIPTIONS, lambda: describe_subjects(described, patterns, load_attributes(), lists, build.config.seed)),
        (PROPERTY_PATHS, lambda: follow_paths(statements, primary, catalog.load_property_paths())),
        (POSITION_TERMS, lambda: derive_position_terms(terms, statements)),
        (AWARDS, lambda: derive_awards(facts, statements)),
    )
    outcomes = (links, event_rows, item_rows, candidates, facts, terms)
    _write_record_counts(build, dict(zip(RECORD_TYPES, outcomes, strict=True)))


def _materialize_all(build: Build, *tables: tuple[Table, Callable[[], DataFrame]]) -> list[DataFrame]:
    """Write tables that do not need each other, each with what derives its rows."""
    return run_parallel([partial(build.materialize, table, rows) for table, rows in tables])


def _write_members(build: Build, statements: DataFrame, lists: Sequence[EntityList]) -> DataFrame:
    """Write the table `members`: who is in which list, from when to when, in which countries."""

    def derive_members() -> DataFrame:
        listed = list_members(statements, build.read(SUBCLASSES), build.read(LIST_MEMBERS), lists)
        return with_countries(derive_lifetimes(listed, statements, lists), statements, lists)

    return build.materialize(MEMBERS, derive_members)


def _screen_links(build: Build, entities: DataFrame, members: DataFrame) -> DataFrame:
    """Resolve the links of the year pages, and add to each the reason that rejects it."""
    links = resolve_links(build.read(YEAR_PAGE_EVENTS), entities, build.read(REDIRECTS))
    return judge_links(links, members.where(F.col("list") == OCCURRENCES)).transform(checkpoint)


def _with_facts(
    build: Build, primary: DataFrame, named: DataFrame, views: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Add to each entity's primary list whether it has a name, and why it is left out for want of pageviews."""
    least = [(e.id, build.config.world.min_views.get(e.id, e.min_views)) for e in lists]
    thresholds = build.spark.createDataFrame(least, "list string, min_views bigint")
    return (
        primary.join(F.broadcast(thresholds), on="list", how="inner")
        .join(named.select("entity", F.lit(True).alias("named")), on="entity", how="left")
        .join(views, on="entity", how="left")
        .select(
            *("entity", "list", "kind", "linked"),
            F.coalesce("named", F.lit(False)).alias("named"),
            F.when(F.col("min_views") > 0, find_obscurity_reason(build.config)).alias("place_reason"),
        )
    )


def _union_populations(event_rows: DataFrame, item_rows: DataFrame) -> DataFrame:
    """Join the two populations whose views are compared."""
    events, items = (
        rows.where("reason IS NULL").select("entity", F.lit(name).alias("population"))
        for name, rows in (("events", event_rows), ("items", item_rows))
    )
    return events.unionByName(items)


def _union_subjects(event_rows: DataFrame, item_rows: DataFrame) -> DataFrame:
    """Union the kept candidates of both kinds, under the names of the table `subjects`."""
    events = event_rows.withColumn("kind", F.lit("event"))
    items = item_rows.withColumn("kind", F.lit("item"))
    return (
        events.unionByName(items, allowMissingColumns=True)  # items have no source
        .where("reason IS NULL")
        .withColumnsRenamed(BOUNDS)
        .withColumnRenamed("entity", "item_id")
    )


def _finish(
    build: Build, rows: DataFrame, named: DataFrame, popular: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Add name, popularity, topic and split."""
    topics = build.spark.createDataFrame([(e.id, e.topic) for e in lists], "list string, topic string")
    return (
        rows.join(named.select(F.col("entity").alias("item_id"), "name"), on="item_id", how="inner")
        .join(popular.select(F.col("entity").alias("item_id"), "popular"), on="item_id", how="left")
        .join(F.broadcast(topics), on="list", how="inner")
        .withColumn("is_popular", F.coalesce("popular", F.lit(False)))
        .withColumn("split", assign_split(F.col("item_id"), build.config))
    )


def _prepare_described(subjects: DataFrame) -> DataFrame:
    """Select the subjects as descriptions read them: columns entity, list, kind, their times and countries."""
    names = {new: old for old, new in BOUNDS.items()}
    return subjects.withColumnsRenamed({"item_id": "entity", **names}).select(
        "entity", "list", "kind", "first_day", "last_day", "start_last", "start_calendar", "countries"
    )


def _write_record_counts(build: Build, outcomes: Mapping[str, DataFrame]) -> None:
    """Count what each step took in, kept and rejected.

    Args:
        build: The build.
        outcomes: By record type, the records with the reason that rejects them, null for those that are kept.
    """
    entity = F.concat(F.lit("Q"), F.col("entity"), F.lit(" ("), F.col("list"), F.lit(")"))
    examples = {
        "link": F.concat_ws(" ", F.col("year"), F.lit("bullet"), F.col("bullet"), F.col("title")),
        "event candidate": entity,
        "item candidate": entity,
        "attribute value": F.concat(F.lit("Q"), F.col("entity"), F.lit(" "), F.col("attribute")),
        "temporal fact": F.col("statement_id"),
        "term": F.col("statement_id"),
    }
    event_lists = [e.id for e in load_entity_lists() if e.kind == "event"]
    in_event_list = F.col("list").isin(event_lists).cast("int")
    listed = build.read(MEMBERS).groupBy("entity").agg((F.max(in_event_list) * F.min(in_event_list)).alias("event"))
    listed = listed.transform(checkpoint)
    inputs = {
        "link": build.read(YEAR_PAGE_EVENTS).select(F.explode("titles")),
        "event candidate": listed.where("event = 1"),
        "item candidate": listed.where("event = 0"),
    }
    parts = []
    for record_type, rows in outcomes.items():
        parts.append(count_records(rows, record_type, examples[record_type], entered=inputs.get(record_type)))
    build.materialize(record_counts("world"), lambda: sum_counts(parts))
