"""The stage world: from the facts tables to what can be asked about."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.catalog import load as catalog
from everwhen.catalog.load import load_attributes, load_entity_lists
from everwhen.catalog.models import EntityList
from everwhen.core.build import Build, run_parallel
from everwhen.core.errors import InputError
from everwhen.core.hashing import assign_split
from everwhen.core.record_counts import count_input, count_outcomes, sum_counts
from everwhen.core.session import checkpoint
from everwhen.tables.attributes import ATTRIBUTES
from everwhen.tables.awards import AWARDS
from everwhen.tables.descriptions import DESCRIPTIONS
from everwhen.tables.entities import ENTITIES
from everwhen.tables.list_members import LIST_MEMBERS
from everwhen.tables.members import MEMBERS
from everwhen.tables.names import NAMES
from everwhen.tables.pageviews import PAGEVIEWS
from everwhen.tables.popularity import POPULARITY
from everwhen.tables.position_terms import POSITION_TERMS
from everwhen.tables.property_paths import PROPERTY_PATHS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.redirects import REDIRECTS
from everwhen.tables.statements import STATEMENTS
from everwhen.tables.subclasses import SUBCLASSES
from everwhen.tables.subjects import SUBJECTS
from everwhen.tables.temporal_facts import TEMPORAL_FACTS
from everwhen.tables.year_page_events import YEAR_PAGE_EVENTS
from everwhen.world.attributes import derive_attribute_candidates
from everwhen.world.awards import derive_awards
from everwhen.world.descriptions import describe_subjects
from everwhen.world.distractors import DescriptionInputs
from everwhen.world.events import derive_event_candidates, judge_links, resolve_links
from everwhen.world.items import assign_primary_lists, derive_item_candidates, with_countries
from everwhen.world.members import derive_lifetimes, list_members
from everwhen.world.names import name_entities
from everwhen.world.popularity import find_obscurity_reason, join_views, rate_popularity
from everwhen.world.position_terms import derive_position_terms, find_term_candidates
from everwhen.world.property_paths import follow_paths
from everwhen.world.temporal_facts import find_temporal_facts

TABLES = (
    MEMBERS,
    NAMES,
    POPULARITY,
    SUBJECTS,
    ATTRIBUTES,
    DESCRIPTIONS,
    PROPERTY_PATHS,
    TEMPORAL_FACTS,
    POSITION_TERMS,
    AWARDS,
    record_counts("world"),
)
"""All that the stage writes."""

BOUNDS = {
    "first_day": "earliest_start",
    "start_last": "latest_start",
    "end_first": "earliest_end",
    "last_day": "latest_end",
}
"""What the bounds in the table `members` are called in the table `subjects`."""

OCCURRENCES = "occurrences"
"""The list whose members are whatever a year page may link to as an event."""


def select_lists(wanted: Sequence[str], key: str = "world.lists") -> tuple[EntityList, ...]:
    """The entity lists in use.

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
    members = build.materialize(
        MEMBERS,
        lambda: with_countries(
            derive_lifetimes(
                list_members(statements, build.read(SUBCLASSES), build.read(LIST_MEMBERS), lists), statements, lists
            ),
            statements,
            lists,
        ),
    )
    primary = assign_primary_lists(members, lists)
    named, facts = run_parallel(
        (
            lambda: build.materialize(NAMES, lambda: name_entities(entities, members, primary, statements, lists)),
            lambda: build.materialize(TEMPORAL_FACTS, lambda: find_temporal_facts(statements)),
        )
    )
    views = join_views(entities, build.read(PAGEVIEWS), bool(build.config.sources.pageviews))
    primary = _with_facts(build, primary, named, views, lists)
    links = judge_links(
        resolve_links(build.read(YEAR_PAGE_EVENTS), entities, build.read(REDIRECTS)),
        members.where(F.col("list") == OCCURRENCES),
    ).transform(checkpoint)
    event_rows = derive_event_candidates(
        members, links.where("reason IS NULL"), primary.where("kind = 'event'"), build.config.window
    ).transform(checkpoint)
    item_rows = derive_item_candidates(members, primary.where("kind = 'item'")).transform(checkpoint)
    populations = _union_populations(event_rows, item_rows)
    popular = build.materialize(POPULARITY, lambda: rate_popularity(views, populations))
    subjects = build.materialize(
        SUBJECTS, lambda: _finish(build, _union_subjects(event_rows, item_rows), named, popular, lists)
    )
    candidates = derive_attribute_candidates(statements, members, lists, load_attributes()).transform(checkpoint)
    values = build.materialize(ATTRIBUTES, lambda: candidates.where("reason IS NULL"))
    terms = find_term_candidates(facts, statements, subjects.where("kind = 'item'")).transform(checkpoint)
    described = DescriptionInputs(_prepare_described(subjects), values, members, statements, named)
    patterns = catalog.load_descriptions()
    run_parallel(
        (
            lambda: build.materialize(
                DESCRIPTIONS,
                lambda: describe_subjects(described, patterns, load_attributes(), lists, build.config.seed),
            ),
            lambda: build.materialize(
                PROPERTY_PATHS, lambda: follow_paths(statements, primary, catalog.load_property_paths())
            ),
            lambda: build.materialize(POSITION_TERMS, lambda: derive_position_terms(terms, statements)),
            lambda: build.materialize(AWARDS, lambda: derive_awards(facts, statements)),
        )
    )
    _write_record_counts(build, links, event_rows, item_rows, candidates, facts, terms)


def _with_facts(
    build: Build, primary: DataFrame, named: DataFrame, views: DataFrame, lists: Sequence[EntityList]
) -> DataFrame:
    """Add to each entity's primary list whether it has a name, and why it has no place in the world if it has none.

    Args:
        build: The build.
        primary: Columns entity, list, kind, linked.
        named: Table `names`.
        views: The result of `join_views`.
        lists: The lists.
    """
    least = [(e.id, build.config.world.min_views.get(e.id, e.min_views)) for e in lists]
    thresholds = build.spark.createDataFrame(least, "list string, min_views bigint")
    return (
        primary.join(F.broadcast(thresholds), on="list", how="inner")
        .join(named.select("entity", F.lit(True).alias("named")), on="entity", how="left")
        .join(views, on="entity", how="left")
        .select(
            "entity",
            "list",
            "kind",
            "linked",
            F.coalesce("named", F.lit(False)).alias("named"),
            F.when(F.col("min_views") > 0, find_obscurity_reason(build.config)).alias("place_reason"),
        )
    )


def _union_populations(event_rows: DataFrame, item_rows: DataFrame) -> DataFrame:
    """The two populations whose views are held against each other."""
    kept = F.col("reason").isNull()
    return (
        event_rows.where(kept)
        .select("entity", F.lit("events").alias("population"))
        .unionByName(item_rows.where(kept).select("entity", F.lit("items").alias("population")))
    )


def _union_subjects(event_rows: DataFrame, item_rows: DataFrame) -> DataFrame:
    """The kept candidates of both kinds, under the names of the table `subjects`."""
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
    """The subjects as descriptions read them: columns entity, list, kind, their times and countries."""
    names = {new: old for old, new in BOUNDS.items()}
    return subjects.withColumnsRenamed({"item_id": "entity", **names}).select(
        "entity", "list", "kind", "first_day", "last_day", "start_last", "countries"
    )


def _write_record_counts(
    build: Build,
    links: DataFrame,
    event_rows: DataFrame,
    item_rows: DataFrame,
    candidates: DataFrame,
    facts: DataFrame,
    terms: DataFrame,
) -> None:
    """Count what each step took in, kept and rejected."""
    entity = F.concat(F.lit("Q"), F.col("entity"), F.lit(" ("), F.col("list"), F.lit(")"))
    link = F.concat_ws(" ", F.col("year"), F.lit("bullet"), F.col("bullet"), F.col("title"))
    attribute = F.concat(F.lit("Q"), F.col("entity"), F.lit(" "), F.col("attribute"))
    titles = build.read(YEAR_PAGE_EVENTS).select(F.explode("titles"))
    listed = build.read(MEMBERS)
    events_in = [e.id for e in load_entity_lists() if e.kind == "event"]
    is_event = F.max(F.col("list").isin(events_in).cast("int")) * F.min(F.col("list").isin(events_in).cast("int"))
    sorted_out = listed.groupBy("entity").agg(is_event.alias("event")).transform(checkpoint)
    reason = F.col("reason")
    parts = [
        count_input(titles, "link"),
        count_outcomes(links, "link", reason, link),
        count_input(sorted_out.where("event = 1"), "event candidate"),
        count_outcomes(event_rows, "event candidate", reason, entity),
        count_input(sorted_out.where("event = 0"), "item candidate"),
        count_outcomes(item_rows, "item candidate", reason, entity),
        count_input(candidates, "attribute value"),
        count_outcomes(candidates, "attribute value", reason, attribute),
        count_input(facts, "temporal fact"),
        count_outcomes(facts, "temporal fact", reason, F.col("statement_id")),
        count_input(terms, "term"),
        count_outcomes(terms, "term", reason, F.col("statement_id")),
    ]
    build.materialize(record_counts("world"), lambda: sum_counts(parts))
