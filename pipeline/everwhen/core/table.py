"""What a table is: its columns with their meaning, and a manifest that says it exists.

A table is stored at `<root>/<stage>/<name>/`: parquet files in a folder of one attempt, and a `manifest.json` that
names them. The manifest is written last and only if absent: a folder without one is not a table, whatever it
contains, so a killed run leaves nothing that a reader would look at, on object stores as on disks.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import MapType, StructField, StructType, _parse_datatype_string

from everwhen.core.errors import InputError
from everwhen.core.storage import Folder, escape_glob

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Column:
    """One column: its name, its Spark type as DDL, its meaning with units, and whether it may be null."""

    name: str
    type: str
    meaning: str
    nullable: bool = False


@dataclass(frozen=True)
class Table:
    """A table of one stage.

    Attributes:
        name: The table's name, a plural noun, also the name of its folder.
        stage: The stage that writes it: facts, world, evidence, or the name of a family.
        meaning: What one row says.
        columns: All columns, in order.
        total_by: The column by whose values published rows are totalled; None: all rows together.
        total_of: The column of ids that a total adds up; None: it counts alone.
    """

    name: str
    stage: str
    meaning: str
    columns: tuple[Column, ...]
    total_by: str | None = None
    total_of: str | None = None

    @property
    def ddl(self) -> str:
        """The schema as a DDL string, without nullability (`createDataFrame` and Arrow UDFs take it)."""
        return ", ".join(f"`{c.name}` {c.type}" for c in self.columns)

    @cached_property
    def schema(self) -> StructType:
        """The schema with nullability."""
        return StructType([StructField(c.name, _parse_datatype_string(c.type), c.nullable) for c in self.columns])

    @property
    def schema_hash(self) -> str:
        """Sixteen hex digits of the names, types and nullability of the columns."""
        text = "\n".join(f"{c.name} {c.type} {c.nullable}" for c in self.columns)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def select(self, df: DataFrame) -> DataFrame:
        """Put `df` into this table's columns and order.

        Raises:
            TypeError: A column is missing or has another type.
        """
        types = {f.name: f.dataType for f in df.schema.fields}
        wrong = [
            f"{f.name}: {types[f.name].simpleString() if f.name in types else 'missing'}"
            f" instead of {f.dataType.simpleString()}"
            for f in self.schema.fields
            if f.name not in types or types[f.name].simpleString() != f.dataType.simpleString()
        ]
        if wrong:
            raise TypeError(f"table {self.name}: {'; '.join(wrong)}")
        return df.select(*(F.col(f"`{c.name}`") for c in self.columns))

    def sort_columns(self) -> list[SparkColumn]:
        """The columns as rows can be hashed and sorted by them: of a map its entries, sorted."""
        columns = ((F.col(f"`{field.name}`"), field.dataType) for field in self.schema.fields)
        return [F.sort_array(F.map_entries(c)) if isinstance(type_, MapType) else c for c, type_ in columns]

    def write(
        self,
        df: DataFrame,
        root: str,
        inputs: Mapping[str, Any] | None = None,
        counted: Observation | None = None,
    ) -> dict[str, Any]:
        """Write `df` as this table below `root`, its manifest last.

        The content hash is the sum of the rows' 64-bit hashes: the same rows give the same hash in any order and any
        number of files. Required columns are checked in the same pass.

        Args:
            df: The rows; they are put into the table's columns by `select`.
            root: Folder (any Hadoop path) of the build.
            inputs: What the manifest says of where the rows come from: config hash, input hashes, snapshot ids.
            counted: An observation upstream of `df`; the manifest keeps what it has counted.

        Returns:
            The manifest. If another writer has published this table meanwhile, that one's manifest.

        Raises:
            ValueError: A column that may not be null holds a null.
            TypeError: A column is missing or has another type.
        """
        folder = self._open_folder(df.sparkSession, root)
        attempt = name_attempt()
        observed = Observation()
        self._observe(df, observed).write.mode("errorifexists").parquet(folder.join_path(attempt))
        metrics = dict(observed.get)
        nulls = {name.removeprefix("null_"): n for name, n in metrics.items() if name.startswith("null_") and n}
        if nulls:
            folder.delete(attempt)
            raise ValueError(f"table {self.name}: nulls in {nulls}")
        files = [f for f in folder.open_child(attempt).list_files() if f["name"].endswith(".parquet")]
        fields = {
            "rows": metrics["rows"],
            "content_hash": f"{int(metrics['hash'] or 0) % 2**64:016x}",
            "inputs": dict(inputs or {}),
            "counted": dict(counted.get) if counted else {},
        }
        return self._publish(folder, attempt, files, fields)

    def _observe(self, df: DataFrame, observed: Observation) -> DataFrame:
        """Select the columns, and observe the number of rows, the sum of their hashes and nulls that may not be."""
        required = [c.name for c in self.columns if not c.nullable]
        return self.select(df).observe(
            observed,
            F.count(F.lit(1)).alias("rows"),
            F.sum(F.xxhash64(*self.sort_columns()).cast("decimal(38,0)")).alias("hash"),
            *(F.count_if(F.col(f"`{name}`").isNull()).alias(f"null_{name}") for name in required),
        )

    def commit(
        self,
        spark: SparkSession,
        root: str,
        attempt: str,
        parts: Sequence[Mapping[str, Any]],
        inputs: Mapping[str, Any] | None = None,
        counted: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Make files that tasks have written themselves this table, and delete those that no task has answered for.

        The content hash is one of the files' own: the same rows in the same files.

        Args:
            root: Folder (any Hadoop path) of the build.
            attempt: The folder of the files, below the table's.
            parts: Of each file name, rows, bytes and sha256.
            inputs: What the manifest says of where the rows come from.
            counted: What was counted meanwhile; the manifest keeps it.

        Returns:
            The manifest. If another writer has published this table meanwhile, that one's manifest.
        """
        folder = self._open_folder(spark, root)
        parts = sorted(parts, key=lambda part: str(part["name"]))
        names = {part["name"] for part in parts}
        for file in folder.open_child(attempt).list_files():
            if file["name"] not in names:  # of a task that was tried again
                folder.open_child(attempt).delete(file["name"])
        hashes = "\n".join(sorted(part["sha256"] for part in parts))
        fields = {
            "rows": sum(part["rows"] for part in parts),
            "content_hash": hashlib.sha256(hashes.encode()).hexdigest()[:16],
            "inputs": dict(inputs or {}),
            "counted": dict(counted or {}),
            "parts": [dict(part) for part in parts],
        }
        return self._publish(folder, attempt, parts, fields)

    def _open_folder(self, spark: SparkSession, root: str) -> Folder:
        return Folder(spark, root).open_child(self.stage, self.name)

    def _publish(
        self, folder: Folder, attempt: str, files: Sequence[Mapping[str, Any]], fields: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write the manifest unless one exists; else drop the attempt and return the existing one.

        Once there is a manifest no other attempt can become the table: what killed ones have left is deleted.
        """
        manifest = {
            "table": self.name,
            "stage": self.stage,
            "schema_hash": self.schema_hash,
            "files": sorted(f"{attempt}/{file['name']}" for file in files),
            "bytes": sum(file["bytes"] for file in files),
            **fields,
        }
        if not folder.write_if_absent(MANIFEST, json.dumps(manifest, indent=1, sort_keys=True)):
            folder.delete(attempt)
            return _read_manifest(folder) or manifest
        for left in folder.list_files():
            if left["folder"] and left["name"] != attempt and left["name"].startswith("rows-"):
                folder.delete(left["name"])
        return manifest

    def read_manifest(self, spark: SparkSession, root: str) -> dict[str, Any] | None:
        """Read the manifest of this table below `root`; None where the table does not exist."""
        return _read_manifest(self._open_folder(spark, root))

    def read(self, spark: SparkSession, root: str) -> DataFrame:
        """Read the table below `root`: the files that its manifest names.

        Raises:
            InputError: There is no such table, or it was written with another schema.
        """
        folder = self._open_folder(spark, root)
        manifest = _read_manifest(folder)
        if manifest is None:
            raise InputError(f"{folder}: no table {self.name} (no {MANIFEST}); run the stage {self.stage} first")
        if manifest["schema_hash"] != self.schema_hash:
            raise InputError(f"{folder}: table {self.name} was written with another schema; build it again")
        if not manifest["files"]:
            return spark.createDataFrame([], self.schema)
        files = (escape_glob(folder.join_path(file)) for file in manifest["files"])
        return spark.read.schema(self.schema).parquet(*files)


def name_attempt() -> str:
    """Name the folder of one attempt to write a table."""
    return f"rows-{uuid.uuid4().hex[:12]}"


def _read_manifest(folder: Folder) -> dict[str, Any] | None:
    text = folder.read(MANIFEST)
    return None if text is None else json.loads(text)
