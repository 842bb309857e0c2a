"""What a dataset's manifest says, and whether there is one."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from pyspark.sql import SparkSession

from everwhen.core.build import inputs_of
from everwhen.core.config import Config
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST, Table
from everwhen.families.base import Family


@dataclass(frozen=True)
class PublishedTable:
    """A table in the dataset.

    Attributes:
        table: Which one.
        staged: The manifest that the build wrote it with.
        files: Its files: name, bytes, and of items sha256.
    """

    table: Table
    staged: Mapping[str, Any]
    files: list[dict[str, Any]]


def count_items(items: Path, columns: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count the rows of a table by the values of some columns.

    Args:
        items: The folder of the table, on a local disk.
        columns: Which columns.
    """
    counts = {column: Counter[str]() for column in columns}
    if columns:
        with duckdb.connect() as db:
            table = db.read_parquet([str(path) for path in sorted(items.glob("*.parquet"))])
            rows = table.aggregate(f"{', '.join(columns)}, count(*)").fetchall()
        for *values, number in rows:
            for column, value in zip(columns, values, strict=True):
                counts[column][value] += number
    return {column: dict(sorted(counter.items())) for column, counter in counts.items()}


def build_manifest(
    config: Config,
    families: Sequence[Family],
    tables: Mapping[str, PublishedTable],
    counts: Mapping[str, Mapping[str, Mapping[str, int]]],
    sources: Mapping[str, Any],
    checks: Mapping[str, str],
    digests: Mapping[str, str],
) -> dict[str, Any]:
    """Build the manifest of a dataset.

    Args:
        config: The build's configuration.
        families: The families in it.
        tables: By folder in the dataset, its tables.
        counts: By family and column, items by value.
        sources: Fingerprints of what was read.
        checks: The files of `checks/`, by path.
        digests: By family, the digest of its checks.
    """
    inputs = inputs_of(config)
    entries = {}
    for family in families:
        items = tables[f"{family.name}/{family.items.table.name}"]
        entries[family.name] = {
            "items": f"{family.name}/{family.items.table.name}",
            "id": family.items.id,
            "rows": items.staged["rows"],
            "content_hash": items.staged["content_hash"],
            "counts": {column: dict(values) for column, values in counts[family.name].items()},
            "checks": digests[family.name],
        }
    return {
        "version": config.version,
        "snapshot": inputs["snapshot"],
        "everwhen": inputs["everwhen"],
        "config_hash": inputs["config"],
        "templates_hash": inputs["templates"],
        "seed": config.seed,
        "splits": config.splits.model_dump(),
        "lists": list(config.world.lists),
        "window": {"start": config.window.start.isoformat(), "end": config.window.end.isoformat()},
        "rows": sum(entry["rows"] for entry in entries.values()),
        "content_hash": _combine_hashes({name: entry["content_hash"] for name, entry in entries.items()}),
        "families": entries,
        "sources": dict(sources),
        "tables": {
            name: {
                "rows": published.staged["rows"],
                "bytes": sum(file["bytes"] for file in published.files),
                "schema_hash": published.table.schema_hash,
                "content_hash": published.staged["content_hash"],
                "files": published.files,
            }
            for name, published in tables.items()
        },
        "checks": {path: hashlib.sha256(text.encode()).hexdigest() for path, text in sorted(checks.items())},
    }


def _combine_hashes(hashes: Mapping[str, str]) -> str:
    """The hash of all items: that of the names and hashes of the families."""
    text = "\n".join(f"{name} {content_hash}" for name, content_hash in sorted(hashes.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def published_inputs(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a dataset was made from, by the names of `Build.inputs`."""
    names = {
        "everwhen": "everwhen",
        "config": "config_hash",
        "templates": "templates_hash",
        "snapshot": "snapshot",
        "sources": "sources",
    }
    return {name: manifest.get(key) for name, key in names.items()}


def read_manifest(spark: SparkSession, folder: str) -> dict[str, Any] | None:
    """Read the manifest of the dataset in `folder`; None where there is no dataset, whatever else is there."""
    text = Folder(spark, folder).read(MANIFEST)
    return json.loads(text) if text else None
