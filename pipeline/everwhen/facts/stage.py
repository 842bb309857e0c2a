"""The stage facts: how a source is parsed, and from files to typed tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from importlib import import_module

from pyspark.sql import DataFrame

from everwhen.core.build import Build, run_parallel
from everwhen.core.config import SOURCES
from everwhen.core.record_counts import sum_counts
from everwhen.core.table import Table
from everwhen.tables.facts import REDIRECTS, REJECTS
from everwhen.tables.record_counts import record_counts


@dataclass(frozen=True)
class Parsed:
    """What comes of a source.

    Attributes:
        rows: Rows of its table; of several tables those of the last.
        record_counts: The columns of `record_counts`: input equals kept plus rejected.
        rejects: The columns of `REJECTS`, for what is malformed.
        redirects: The columns of `REDIRECTS`; None where the source has none.
    """

    rows: DataFrame
    record_counts: DataFrame
    rejects: DataFrame
    redirects: DataFrame | None = None


@dataclass(frozen=True)
class Parser:
    """How a source is parsed.

    Attributes:
        parse: Reads its files, and writes all tables but the last, whose rows it returns. It raises InputError for a
            path without a file.
        tables: Its tables; they are empty where no file is named.
        is_required: Whether nothing can be built without its files.
    """

    parse: Callable[[Build], Parsed]
    tables: Sequence[Table]
    is_required: bool = False


def load_parsers() -> dict[str, Parser]:
    """Load what the modules of the sources declare as `PARSER`, by the source's key."""
    return {key: import_module(f"everwhen.facts.{key}").PARSER for key in SOURCES}


def list_tables() -> list[Table]:
    """List all tables that the stage writes."""
    own = [table for parser in load_parsers().values() for table in parser.tables]
    return [*own, REDIRECTS, REJECTS, record_counts("facts")]


def run_facts(build: Build) -> None:
    """Write the tables of the stage facts, unless all are there.

    Raises:
        InputError: A path has no file, a file is of no kind that is read, or the dump has no entity.
    """
    if build.has_all("facts", list_tables()):
        return
    steps = [partial(_parse, build, key, parser) for key, parser in load_parsers().items()]
    parsed = [each for each in run_parallel(steps) if each]
    redirects = [each.redirects for each in parsed if each.redirects is not None]
    build.materialize(REDIRECTS, lambda: _union(REDIRECTS, redirects))
    build.materialize(REJECTS, lambda: _union(REJECTS, (each.rejects for each in parsed)))
    build.materialize(record_counts("facts"), lambda: sum_counts(each.record_counts for each in parsed))


def _parse(build: Build, key: str, parser: Parser) -> Parsed | None:
    """Parse a source; None where no file of it is named, and its tables are empty."""
    if not parser.is_required and not build.config.sources.list_paths()[key]:
        for table in parser.tables:
            build.materialize(table, partial(_create_empty, build, table))
        return None
    parsed = parser.parse(build)
    build.materialize(parser.tables[-1], lambda: parsed.rows)
    return parsed


def _create_empty(build: Build, table: Table) -> DataFrame:
    return build.spark.createDataFrame([], table.schema)


def _union(table: Table, parts: Iterable[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionByName, (table.select(part) for part in parts))
