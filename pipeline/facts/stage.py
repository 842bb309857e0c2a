"""The stage facts: from the files of the sources to typed tables."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame, Observation

from pipeline.accounting import gather
from pipeline.build import Build
from pipeline.catalogue import entity_lists
from pipeline.facts.dump import read_dump
from pipeline.facts.dump_accounts import dump_accounts
from pipeline.facts.entity_lists import read_entity_lists
from pipeline.facts.items import entities, rejects, statements, superseded_lines
from pipeline.facts.pageviews import read_pageviews
from pipeline.facts.redirects import follow_redirects, item_redirects
from pipeline.facts.subclasses import subclasses
from pipeline.facts.year_pages import read_year_pages
from pipeline.tables.accounts import accounts
from pipeline.tables.dump_rows import DUMP_ROWS
from pipeline.tables.entities import ENTITIES
from pipeline.tables.list_members import LIST_MEMBERS
from pipeline.tables.pageviews import PAGEVIEWS
from pipeline.tables.redirects import REDIRECTS
from pipeline.tables.rejects import REJECTS
from pipeline.tables.statements import STATEMENTS
from pipeline.tables.subclasses import SUBCLASSES
from pipeline.tables.table import Table
from pipeline.tables.year_page_events import YEAR_PAGE_EVENTS


def run_facts(build: Build) -> None:
    """Write the tables of the stage facts.

    Raises:
        InputError: A path has no file, or a file is of no kind that is read.
    """
    sources, config = build.config.sources, build.config
    spark = build.spark
    lines = Observation()
    rows = build.make(DUMP_ROWS, lambda: read_dump(spark, sources.dump, config.facts.skip_datatypes, lines), lines)
    followed = follow_redirects(rows)
    superseded = superseded_lines(rows, followed)
    build.make(ENTITIES, lambda: entities(rows, superseded))
    stated = build.make(STATEMENTS, lambda: statements(rows, superseded, followed))
    roots = sorted({root for entry in entity_lists() for root in entry.roots})
    build.make(SUBCLASSES, lambda: subclasses(stated, roots))

    books = [dump_accounts(rows, superseded, followed, build.counted(DUMP_ROWS, "lines"))]
    bad = [rejects(rows, followed)]
    moved = [item_redirects(followed)]
    happenings = spark.createDataFrame([], YEAR_PAGE_EVENTS.schema)
    if sources.year_pages:
        pages = read_year_pages(spark, sources.year_pages, config.window.start.year, config.window.end.year)
        happenings = pages.events
        books.append(pages.accounts)
        bad.append(pages.rejects)
        moved.append(pages.redirects)
    views = spark.createDataFrame([], PAGEVIEWS.schema)
    if sources.pageviews:
        read = read_pageviews(spark, sources.pageviews, config.views)
        views = read.views
        books.append(read.accounts)
        bad.append(read.rejects)
    members = spark.createDataFrame([], LIST_MEMBERS.schema)
    if sources.entity_lists:
        pulled = read_entity_lists(spark, sources.entity_lists, {e.id for e in entity_lists()})
        members = pulled.members
        books.append(pulled.accounts)
        bad.append(pulled.rejects)
    build.make(YEAR_PAGE_EVENTS, lambda: happenings)
    build.make(PAGEVIEWS, lambda: views)
    build.make(LIST_MEMBERS, lambda: members)
    build.make(REDIRECTS, lambda: _union(REDIRECTS, moved))
    build.make(REJECTS, lambda: _union(REJECTS, bad))
    build.make(accounts("facts"), lambda: gather(books))


def _union(table: Table, parts: list[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionByName, (table.select(part) for part in parts))
