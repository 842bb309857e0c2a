"""A build: one folder, one configuration, and tables that are made once."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

from pyspark.sql import DataFrame, Observation, SparkSession
from rich.console import Console

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.resources import hash_templates
from everwhen.core.storage import Folder
from everwhen.core.table import Table

T = TypeVar("T")


def run_parallel(steps: Iterable[Callable[[], T]]) -> list[T]:
    """Run steps that do not need each other, two at a time.

    Spark plans a query on one core; where many small ones follow each other, the second core would wait (stages world
    and questions of the sample's build: 99 s one after the other, 89 s side by side).

    Returns:
        What the steps return, in their order. Where one fails, those that have begun are waited for, but not where the
        run is interrupted: a job can take minutes.
    """
    pool = ThreadPoolExecutor(max_workers=2)
    waits = True
    try:
        return list(pool.map(lambda step: step(), steps))
    except KeyboardInterrupt:
        waits = False
        raise
    finally:
        pool.shutdown(wait=waits, cancel_futures=True)


def describe_inputs(config: Config) -> dict[str, Any]:
    """Describe where rows come from for a manifest, as far as it is known before any file is read."""
    return {
        "everwhen": version("everwhen"),
        "config": config.hash,
        "templates": hash_templates(),
        "snapshot": config.snapshot,
    }


def require_same_inputs(path: str, recorded: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Refuse a table that was made from something else.

    Args:
        path: Its folder, for the message.
        recorded: What its manifest says that it was made from.
        current: What it would be made from now.

    Raises:
        InputError: They differ in something that one of them says.
    """
    other = [name for name in {**current, **recorded} if recorded.get(name) != current.get(name)]
    if other:
        raise InputError(f"{path}: made with different {' and '.join(other)}; take a new output folder")


@dataclass
class Build:
    """What every stage needs: the session, the configuration, the folder, and who reports progress.

    Attributes:
        spark: The Spark session.
        config: The configuration.
        root: Folder of the build, any Hadoop path.
        sources: Fingerprints of the files read, by path; set by the stage sources.
        console: Where progress goes.
    """

    spark: SparkSession
    config: Config
    root: str
    sources: dict[str, str] = field(default_factory=dict)
    console: Console = field(default_factory=lambda: Console(stderr=True))

    @property
    def inputs(self) -> dict[str, Any]:
        """What a manifest says of where rows come from: code, configuration, templates and files."""
        return {**describe_inputs(self.config), "sources": self.sources}

    def materialize(self, table: Table, rows: Callable[[], DataFrame], counted: Observation | None = None) -> DataFrame:
        """Write a table unless it exists already from the same configuration and sources; read it back.

        Args:
            table: Which one.
            rows: Makes its rows; not called where the table exists.
            counted: An observation that `rows` brings along; the table's manifest keeps what it has counted.

        Raises:
            InputError: The table exists, but from another configuration or other sources.
        """
        if not self._log_if_present(table):
            started = time.monotonic()
            manifest = table.write(rows(), self.root, self.inputs, counted)
            self.console.print(f"  {table.name}: {manifest['rows']:,} rows, {time.monotonic() - started:.1f} s")
        return table.read(self.spark, self.root)

    def materialize_files(
        self, table: Table, write: Callable[[str], tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]]
    ) -> DataFrame:
        """Materialize a table whose tasks write their files themselves.

        Args:
            table: Which one.
            write: Takes the address of the folder for the files; returns the files (name, rows, bytes, sha256) and what
                was counted.

        Raises:
            InputError: The table exists, but from another configuration or other sources.
        """
        if not self._log_if_present(table):
            started = time.monotonic()
            attempt = f"rows-{uuid.uuid4().hex[:12]}"
            folder = Folder(self.spark, self.root).open_child(table.stage, table.name, attempt)
            parts, counted = write(folder.address)
            manifest = table.commit(self.spark, self.root, attempt, parts, self.inputs, counted)
            self.console.print(f"  {table.name}: {manifest['rows']:,} rows, {time.monotonic() - started:.1f} s")
        return table.read(self.spark, self.root)

    def has(self, table: Table) -> bool:
        """Whether a table exists.

        Raises:
            InputError: It does, but from another configuration or other sources.
        """
        manifest = table.read_manifest(self.spark, self.root)
        if manifest is None:
            return False
        require_same_inputs(f"{self.root}/{table.stage}/{table.name}", manifest["inputs"], self.inputs)
        return True

    def has_all(self, stage: str, tables: Sequence[Table]) -> bool:
        """Whether a stage has nothing left to do; says so.

        Args:
            stage: Its name.
            tables: All that it writes.

        Raises:
            InputError: A table exists, but from another configuration or other sources.
        """
        there = [self.has(table) for table in tables]  # all of them: one that is of something else is an error
        if not all(there):
            return False
        made_from = "made from the same configuration and sources"
        self.console.print(f"  {stage}: skipped, all {len(tables)} tables are there, {made_from}", soft_wrap=True)
        return True

    def _log_if_present(self, table: Table) -> bool:
        """Log that a table exists, and return whether it does."""
        if self.has(table):
            rows = (table.read_manifest(self.spark, self.root) or {})["rows"]
            self.console.print(f"  {table.name}: {rows:,} rows, already there")
            return True
        return False

    def read_metric(self, table: Table, name: str) -> Any:
        """Read what was counted while a finished table was made."""
        manifest = table.read_manifest(self.spark, self.root)
        assert manifest is not None, f"{table.name} is not made yet"
        return manifest["counted"][name]

    def read(self, table: Table) -> DataFrame:
        """Read a table of an earlier stage.

        Raises:
            InputError: It does not exist yet.
        """
        return table.read(self.spark, self.root)
