"""What a dataset's manifest says, and whether there is one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from everwhen.core.build import Build, describe_inputs
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.checks import digest_families
from everwhen.validate.counts import count_items, count_rows
from everwhen.validate.database import find_files, open_dataset
from everwhen.validate.manifest import hash_tables, sum_files


def describe_table(folder: Path, digests: Mapping[str, str]) -> dict[str, Any]:
    """Describe a table for the manifest: rows, bytes and digest of each file and of all.

    Args:
        folder: The folder of the table, on a local disk.
        digests: By the name of each file its sha256, by whom has written it: what is in the folder is compared later.
    """
    files = [
        {
            "name": name,
            "bytes": (folder / name).stat().st_size,
            "rows": count_rows(folder / name),
            "sha256": sha256,
        }
        for name, sha256 in sorted(digests.items())
    ]
    return {**sum_files(files), "files": files}


def build_manifest(
    build: Build,
    families: Sequence[FamilyBuild],
    dataset: Path,
    tables: Mapping[str, Mapping[str, Any]],
    checks: Mapping[str, str],
) -> dict[str, Any]:
    """Build the manifest of a dataset, but for `files`: those that are written from it.

    Two builds of a snapshot have the same manifest. So all that it says of the folder `report`, whose pages have the
    time in them, is that there is an index.

    Args:
        build: The build: its configuration, and the fingerprints of what was read.
        dataset: The folder with the tables, on a local disk.
        tables: Its tables, as `describe_table` does.
        checks: The files of `checks/`, by path.
    """
    config = build.config
    inputs = describe_inputs(config)
    digests = digest_families(checks, families)
    entries = {family.name: _describe_family(family, dataset, tables, digests[family.name]) for family in families}
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
        "views": config.views.model_dump(mode="json", include={"start", "end", "agent"}),
        "rows": sum(entry["rows"] for entry in entries.values()),
        "content_hash": hash_tables(tables),
        "families": entries,
        "sources": dict(build.sources),
        "tables": dict(tables),
        "checks": digest_texts(checks),
    }


def _describe_family(
    family: FamilyBuild, dataset: Path, tables: Mapping[str, Mapping[str, Any]], checks: str
) -> dict[str, Any]:
    """Describe a family for the manifest: which table has its items, and how many there are of which value."""
    items = f"{family.name}/{family.items.table.name}"
    with open_dataset(dataset, {"items": find_files(dataset, {"tables": tables}, items)}) as db:
        counts = count_items(db.table("items"), family.items.counts)
    return {
        "items": items,
        "id": family.items.id,
        "rows": tables[items]["rows"],
        "counts": counts,
        "checks": checks,
        **({"licences": dict(family.licences(dataset))} if family.licences else {}),
        **({"collections": _name_collections(family)} if family.collections else {}),
        **({"notes": list(family.notes(dataset))} if family.notes else {}),
    }


def _name_collections(family: FamilyBuild) -> dict[str, dict[str, str]]:
    return {
        name: {
            part: f"{family.name}/{table.name}"
            for part, table in (("documents", each.documents), ("queries", each.queries), ("qrels", each.qrels))
        }
        for name, each in family.collections.items()
    }


def digest_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """The sha256 of files, by path."""
    return {path: hashlib.sha256(text.encode()).hexdigest() for path, text in sorted(texts.items())}


def select_published_inputs(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a dataset was made from, by the names of `Build.inputs`."""
    names = {
        "everwhen": "everwhen",
        "config": "config_hash",
        "templates": "templates_hash",
        "snapshot": "snapshot",
        "sources": "sources",
    }
    return {name: manifest.get(key) for name, key in names.items()}


def has_facts(manifest: Mapping[str, Any]) -> bool:
    """Whether a dataset has facts: statements that items are derived from."""
    return any(name.startswith("facts/") for name in manifest["tables"])


def read_manifest(spark: SparkSession, folder: str) -> dict[str, Any] | None:
    """Read the manifest of the dataset in `folder`; None where there is no dataset, whatever else is there."""
    text = Folder(spark, folder).read(MANIFEST)
    return json.loads(text) if text else None
