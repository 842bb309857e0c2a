"""The stage facts: from the files of the sources to typed tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

from pyspark.sql import DataFrame, Observation

from everwhen.catalog.load import load_entity_lists
from everwhen.core.build import Build, run_parallel
from everwhen.core.errors import InputError
from everwhen.core.record_counts import sum_counts
from everwhen.core.table import Table
from everwhen.facts.dump import read_dump
from everwhen.facts.dump_counts import count_dump
from everwhen.facts.entity_lists import read_entity_lists
from everwhen.facts.items import collect_rejects, find_superseded_lines, select_entities, select_statements
from everwhen.facts.pageviews import read_pageviews
from everwhen.facts.redirects import follow_redirects, select_item_redirects
from everwhen.facts.subclasses import derive_subclasses
from everwhen.facts.year_pages import read_year_pages
from everwhen.tables.dump_rows import DUMP_ROWS
from everwhen.tables.entities import ENTITIES
from everwhen.tables.list_members import LIST_MEMBERS
from everwhen.tables.pageviews import PAGEVIEWS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.redirects import REDIRECTS
from everwhen.tables.rejects import REJECTS
from everwhen.tables.statements import STATEMENTS
from everwhen.tables.subclasses import SUBCLASSES
from everwhen.tables.year_page_events import YEAR_PAGE_EVENTS

TABLES = (
    DUMP_ROWS,
    ENTITIES,
    STATEMENTS,
    SUBCLASSES,
    YEAR_PAGE_EVENTS,
    PAGEVIEWS,
    LIST_MEMBERS,
    REDIRECTS,
    REJECTS,
    record_counts("facts"),
)
"""All that the stage writes."""


def run_facts(build: Build) -> None:
    """Write the tables of the stage facts, unless all are there.

    Raises:
        InputError: A path has no file, a file is of no kind that is read, or the dump has no entity.
    """
    if build.has_all("facts", TABLES):
        return
    counts: list[DataFrame] = []
    bad: list[DataFrame] = []
    moved: list[DataFrame] = []
    for read in run_parallel(
        (lambda: _parse_year_pages(build), lambda: _dump(build), lambda: _read_views_and_lists(build))
    ):
        counts += read.record_counts
        bad += read.rejects
        moved += read.redirects
    build.materialize(REDIRECTS, lambda: _union(REDIRECTS, moved))
    build.materialize(REJECTS, lambda: _union(REJECTS, bad))
    build.materialize(record_counts("facts"), lambda: sum_counts(counts))


@dataclass
class _Read:
    """What comes of a source besides its own tables: rows for `record_counts`, `rejects` and `redirects`."""

    record_counts: list[DataFrame] = field(default_factory=list)
    rejects: list[DataFrame] = field(default_factory=list)
    redirects: list[DataFrame] = field(default_factory=list)


def _dump(build: Build) -> _Read:
    lines = Observation()
    skipped = build.config.facts.skip_datatypes
    rows = build.materialize(
        DUMP_ROWS, lambda: read_dump(build.spark, build.config.sources.dump, skipped, lines), lines
    )
    followed = follow_redirects(rows)
    superseded = find_superseded_lines(rows, followed)
    found = build.materialize(ENTITIES, lambda: select_entities(rows, superseded))
    if found.isEmpty():
        raise InputError(f"{', '.join(build.config.sources.dump)}: no line of the dump is an entity")
    stated = build.materialize(STATEMENTS, lambda: select_statements(rows, superseded, followed))
    roots = sorted({root for entry in load_entity_lists() for root in entry.roots})
    build.materialize(SUBCLASSES, lambda: derive_subclasses(stated, roots))
    lines_read = build.read_metric(DUMP_ROWS, "lines")
    return _Read(
        [count_dump(rows, superseded, followed, lines_read)],
        [collect_rejects(rows, followed)],
        [select_item_redirects(followed)],
    )


def _parse_year_pages(build: Build) -> _Read:
    paths, window = build.config.sources.year_pages, build.config.window
    if not paths:
        build.materialize(YEAR_PAGE_EVENTS, lambda: build.spark.createDataFrame([], YEAR_PAGE_EVENTS.schema))
        return _Read()
    pages = read_year_pages(build.spark, paths, window.start.year, window.end.year)
    build.materialize(YEAR_PAGE_EVENTS, lambda: pages.events)
    return _Read([pages.record_counts], [pages.rejects], [pages.redirects])


def _read_views_and_lists(build: Build) -> _Read:
    spark, sources = build.spark, build.config.sources
    found = _Read()
    views = spark.createDataFrame([], PAGEVIEWS.schema)
    if sources.pageviews:
        read = read_pageviews(spark, sources.pageviews, build.config.views)
        views = read.views
        found.record_counts.append(read.record_counts)
        found.rejects.append(read.rejects)
    build.materialize(PAGEVIEWS, lambda: views)
    members = spark.createDataFrame([], LIST_MEMBERS.schema)
    if sources.entity_lists:
        pulled = read_entity_lists(spark, sources.entity_lists, {e.id for e in load_entity_lists()})
        members = pulled.members
        found.record_counts.append(pulled.record_counts)
        found.rejects.append(pulled.rejects)
    build.materialize(LIST_MEMBERS, lambda: members)
    return found


def _union(table: Table, parts: list[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionByName, (table.select(part) for part in parts))
