"""A build: one folder, one configuration, and tables that are written once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

from pyspark.sql import DataFrame, Observation, SparkSession
from rich.console import Console

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.log import add_log_fields
from everwhen.core.resources import hash_templates
from everwhen.core.storage import Folder
from everwhen.core.table import Table, name_attempt

T = TypeVar("T")


def run_parallel(steps: Iterable[Callable[[], T]]) -> list[T]:
    """Run independent steps, two at a time.

    Spark plans a query on one core. Many small queries in sequence would leave the second core idle. The stages world
    and questions of the sample's build took 99 s in sequence and 89 s in parallel.

    If a step fails, those that have begun still finish. An interrupted run does not wait for them: a job can take
    minutes.

    Returns:
        The results of the steps, in their order.
    """
    pool = ThreadPoolExecutor(max_workers=2)
    is_interrupted = False
    try:
        return list(pool.map(lambda step: step(), steps))
    except KeyboardInterrupt:
        is_interrupted = True
        raise
    finally:
        pool.shutdown(wait=not is_interrupted, cancel_futures=True)


def describe_inputs(config: Config) -> dict[str, Any]:
    """Describe the inputs of a manifest that are known before any source file is read."""
    return {
        "everwhen": version("everwhen"),
        "config": config.hash,
        "templates": hash_templates(),
        "snapshot": config.snapshot,
    }


def require_same_inputs(path: str, recorded: Mapping[str, Any], current: Mapping[str, Any]) -> None:
    """Refuse a table that was made from other inputs.

    Args:
        path: The table's folder, for the message.
        recorded: The inputs in the table's manifest.
        current: The inputs of this build.

    Raises:
        InputError: An input differs, or only one of the two has it.
    """
    different = [name for name in {**current, **recorded} if recorded.get(name) != current.get(name)]
    if different:
        raise InputError(f"{path}: made with different {' and '.join(different)}; take a new output folder")


@dataclass
class Build:
    """The context of every stage: the session, the configuration, the folder and the console.

    Attributes:
        spark: The Spark session.
        config: The configuration.
        root: Folder of the build, any Hadoop path.
        sources: Fingerprints of the files read, by path; set by the stage sources.
        console: Prints the progress.
        has_world: Whether the stages facts and world run; a build of other tables alone is made without them.
    """

    spark: SparkSession
    config: Config
    root: str
    sources: dict[str, str] = field(default_factory=dict)
    console: Console = field(default_factory=lambda: Console(stderr=True))
    has_world: bool = True

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs that a manifest records: code, configuration, templates, snapshot and source files."""
        return {**describe_inputs(self.config), "sources": self.sources}

    def materialize(self, table: Table, rows: Callable[[], DataFrame], counted: Observation | None = None) -> DataFrame:
        """Write a table unless it exists already from the same configuration and sources; read it back.

        Args:
            rows: Returns its rows; not called if the table exists.
            counted: An observation of these rows; the table's manifest records its counts.

        Raises:
            InputError: The table exists, but from another configuration or other sources.
        """
        return self._materialize(table, lambda: table.write(rows(), self.root, self.inputs, counted))

    def materialize_files(
        self, table: Table, write: Callable[[str], tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]]
    ) -> DataFrame:
        """Materialize a table whose tasks write their files themselves.

        Args:
            write: Takes the address of the folder for the files; returns the files (name, rows, bytes, sha256) and the
                counts.

        Raises:
            InputError: The table exists, but from another configuration or other sources.
        """
        attempt = name_attempt()
        folder = Folder(self.spark, self.root).open_child(table.stage, table.name, attempt)

        def write_files() -> dict[str, Any]:
            parts, counted = write(folder.address)
            return table.commit(self.spark, self.root, attempt, parts, self.inputs, counted)

        return self._materialize(table, write_files)

    def _materialize(self, table: Table, write: Callable[[], dict[str, Any]]) -> DataFrame:
        """Write a table unless it exists already, log it, and read it back."""
        if self.has(table):
            rows = (table.read_manifest(self.spark, self.root) or {})["rows"]
            self.log(f"{table.name}: {rows:,} rows, already there", table=table.name, rows=rows)
        else:
            started = time.monotonic()
            rows = write()["rows"]
            seconds = time.monotonic() - started
            self.log(f"{table.name}: {rows:,} rows, {seconds:.1f} s", table=table.name, rows=rows, seconds=seconds)
        return table.read(self.spark, self.root)

    def has(self, table: Table) -> bool:
        """Whether a table exists.

        Raises:
            InputError: The table exists, but from another configuration or other sources.
        """
        manifest = table.read_manifest(self.spark, self.root)
        if manifest is None:
            return False
        require_same_inputs(f"{self.root}/{table.stage}/{table.name}", manifest["inputs"], self.inputs)
        return True

    def has_all(self, stage: str, tables: Sequence[Table]) -> bool:
        """Whether all tables of a stage exist; if so, print that the stage is skipped.

        Args:
            stage: The stage's name.
            tables: All tables that it writes.

        Raises:
            InputError: A table exists, but from another configuration or other sources.
        """
        exists = [self.has(table) for table in tables]  # `has` must check every table: it refuses those of other inputs
        if not all(exists):
            return False
        inputs = "made from the same configuration and sources"
        self.log(f"{stage}: skipped, all {len(tables)} tables are there, {inputs}")
        return True

    def log(self, message: str, **fields: Any) -> None:
        """Log a line of progress.

        Args:
            message: The line.
            fields: What a log in JSON has beside it: see `everwhen.core.log.add_log_fields`.
        """
        with add_log_fields(**fields):
            self.console.print(f"  {message}", soft_wrap=True, markup=False)

    def read_metric(self, table: Table, name: str) -> Any:
        """Read one count of a table's manifest, by name."""
        manifest = table.read_manifest(self.spark, self.root)
        assert manifest is not None, f"{table.name} is not made yet"
        return manifest["counted"][name]

    def read(self, table: Table) -> DataFrame:
        """Read a table of an earlier stage.

        Raises:
            InputError: The table does not exist yet.
        """
        return table.read(self.spark, self.root)
