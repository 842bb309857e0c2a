"""Rows lost from the published sample, and labels that differ, with a manifest that fits them: `verify` names each."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from changed_rows import FAMILY, verify_all
from everwhen.core.files import compute_sha256
from everwhen.publish.manifest import describe_table
from everwhen.validate.manifest import MANIFEST, hash_tables
from everwhen.validate.totals import TOTALS, find_wrong_totals

pytestmark = [pytest.mark.full, pytest.mark.spark]

Rows = list[dict[str, Any]]


def rewrite(dataset: Path, folder: Path, changes: dict[str, Callable[[Rows], Rows]]) -> dict[str, Any]:
    """Link a dataset with other rows in the first file of some tables that has any; return a manifest that fits."""
    shutil.copytree(dataset, folder, copy_function=os.link)
    manifest: dict[str, Any] = json.loads((dataset / MANIFEST).read_text(encoding="utf-8"))
    for table, change in changes.items():
        name = next(file["name"] for file in manifest["tables"][table]["files"] if file["rows"])
        path = folder / table / name
        read = pq.ParquetFile(path)
        rows, schema = read.read().to_pylist(), read.schema_arrow
        path.unlink()
        pq.write_table(pa.Table.from_pylist(change(rows), schema), path)
        digests = {file["name"]: file["sha256"] for file in manifest["tables"][table]["files"]}
        manifest["tables"][table] |= describe_table(folder / table, digests | {name: compute_sha256(path)})
    manifest["content_hash"] = hash_tables(manifest["tables"])
    (folder / MANIFEST).unlink()
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return manifest


def test_a_row_lost_from_any_table_is_found(sample_dataset: Path, tmp_path: Path) -> None:
    tables = json.loads((sample_dataset / MANIFEST).read_text(encoding="utf-8"))["tables"]
    totals = json.loads((sample_dataset / TOTALS).read_text(encoding="utf-8"))
    assert totals.keys() == tables.keys()
    filled = {table: totals[table]["of"] for table, entry in tables.items() if entry["rows"]}
    assert len(filled) > 10
    manifest = rewrite(sample_dataset, tmp_path / "dataset", {table: lambda rows: rows[1:] for table in filled})
    made = json.loads((sample_dataset / MANIFEST).read_text(encoding="utf-8"))
    assert find_wrong_totals(sample_dataset, made, list(made["families"])) == ()
    found = find_wrong_totals(tmp_path / "dataset", manifest, list(made["families"]))
    assert {total.table for total in found} == filled.keys()
    assert all(total.made == total.rows + 1 for total in found)
    assert all((total.missing or "").startswith(of or "") for total in found for of in [filled[total.table]])


def rename(rows: Rows, column: str, places: tuple[int, ...]) -> Rows:
    """Give the rows in some places another name."""
    return [{**row, column: f"{row[column]} II"} if place in places else row for place, row in enumerate(rows)]


def test_labels_that_differ_are_found(sample_dataset: Path, tmp_path: Path) -> None:
    items = {table: pq.ParquetDataset(sample_dataset / table).read().to_pylist() for table in ("facts/entities",)}
    changed = [row["item"] for row in items["facts/entities"][:3]]
    folder = tmp_path / "dataset"
    rewrite(
        sample_dataset,
        folder,
        {
            "facts/entities": lambda rows: rename(rows, "label", (0, 1, 2)),
            "facts/labels": lambda rows: rows[:-1],
        },
    )
    found, _ = verify_all(folder)
    assert not found.passed
    assert (found.changed_files, found.wrong_keys) == ((), ())
    named = {str(example.actual) for example in found.families[FAMILY].examples if example.check == "facts"}
    for item in changed:
        assert any(text.startswith(f"facts/entities: the label of Q{item} is ") for text in named)
    assert [total.table for total in found.wrong_totals] == ["facts/labels"]
