"""What a dataset's manifest says, and whether there is one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
from pyspark.sql import SparkSession

from everwhen.core.build import inputs_of
from everwhen.core.config import Config
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST, Table

COUNTED = ("type", "split", "template_id")


def question_counts(questions: Path) -> dict[str, dict[str, int]]:
    """Rows by type, by split and by template.

    Args:
        questions: The folder of the table, on a local disk.
    """
    counts = {column: Counter[str]() for column in COUNTED}
    with duckdb.connect() as db:
        rows = db.read_parquet(str(questions / "*.parquet")).aggregate(f"{', '.join(COUNTED)}, count(*)").fetchall()
    for *values, number in rows:
        for column, value in zip(COUNTED, values, strict=True):
            counts[column][value] += number
    return {column: dict(sorted(counter.items())) for column, counter in counts.items()}


def build_manifest(
    config: Config,
    tables: Mapping[str, tuple[Table, Mapping[str, Any], list[dict[str, Any]]]],
    counts: Mapping[str, Mapping[str, int]],
    sources: Mapping[str, Any],
) -> dict[str, Any]:
    """The manifest of a dataset.

    Args:
        config: The build's configuration.
        tables: By folder in the dataset: the table, the manifest it was staged with, and its files (name, bytes;
            of the questions sha256).
        counts: Questions by type, split and template.
        sources: Fingerprints of what was read.
    """
    _, questions, _ = tables["questions"]
    inputs = inputs_of(config)
    return {
        "version": config.version,
        "snapshot": inputs["snapshot"],
        "everwhen": inputs["everwhen"],
        "config_hash": inputs["config"],
        "templates_hash": inputs["templates"],
        "lists": list(config.world.lists),
        "window": {"start": config.window.start.isoformat(), "end": config.window.end.isoformat()},
        "rows": questions["rows"],
        "rows_by_type": dict(counts["type"]),
        "rows_by_split": dict(counts["split"]),
        "rows_by_template": dict(counts["template_id"]),
        "schema_hash": questions["schema_hash"],
        "content_hash": questions["content_hash"],
        "sources": dict(sources),
        "tables": {
            name: {
                "rows": staged["rows"],
                "bytes": sum(file["bytes"] for file in files),
                "schema_hash": table.schema_hash,
                "content_hash": staged["content_hash"],
                "files": files,
            }
            for name, (table, staged, files) in tables.items()
        },
    }


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
    """The manifest of the dataset in `folder`; None where there is no dataset, whatever else lies there."""
    text = Folder(spark, folder).read(MANIFEST)
    return json.loads(text) if text else None
