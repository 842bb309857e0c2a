"""The manifest's counts and digests, compared with the files: rows, bytes, hashes, items by value."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.core.errors import InputError
from everwhen.validate.database import Resources, find_files, open_dataset
from everwhen.validate.files import FileComparison
from everwhen.validate.manifest import hash_tables, read_json, sum_files
from everwhen.validate.plan import CHECKS, FamilyChecks, digest_checks, read_check_files

REPORT_FILE = "report.json"
REPEATED = ("version", "snapshot")
"""Keys of the manifest that `report.json` has, too; `rows` is compared with the files in both."""

SPLIT_NAMED = re.compile(r"(train|validation|test)-")
"""How the name of a file begins if its rows belong to one split: readers load splits by it."""

MAX_VALUE_LENGTH = 24
"""Characters of a value in a line for people: enough to tell digests apart."""

Pairs = Iterator[tuple[str, Any, Any]]
"""A key of the manifest, what the manifest says, and what the files give."""


@dataclass(frozen=True)
class WrongKey:
    """A key of the manifest that the files do not confirm.

    Attributes:
        key: The path of the key, such as `tables.facts/statements.rows`.
        manifest: What the manifest says; None if it has no such key.
        files: What the files give.
    """

    key: str
    manifest: Any
    files: Any

    def __str__(self) -> str:
        """One line."""
        return f"{self.key} is {_show(self.manifest)} and should be {_show(self.files)}"


def find_wrong_keys(
    dataset: str | Path,
    manifest: Mapping[str, Any],
    families: Sequence[str],
    found: FileComparison,
    resources: Resources = Resources(),
) -> tuple[WrongKey, ...]:
    """Find the keys of a manifest that contradict the files of a dataset.

    Missing and changed files are left out: it is known that their rows and bytes differ.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        families: The families whose items are counted.
        found: How the files differ from those that it lists.
        resources: Memory and threads of DuckDB.

    Returns:
        The keys, in order.

    Raises:
        InputError: A file that has not changed is no parquet file, or a family has no checks.
        MachineFailed: Memory or disk does not suffice.
    """
    folder, others = Path(dataset), {*found.missing, *found.changed}
    pairs = [*_compare_files(folder, manifest, others), *_compare_sums(manifest)]
    if REPORT_FILE in manifest.get("files", {}) and REPORT_FILE not in others:
        pairs += _compare_report(folder, manifest)
    for family in families:
        checks = FamilyChecks(folder, family)
        items = f"{family}/{checks.plan.items.table}"
        pairs += _compare_plan(folder, manifest, checks, others)
        files = find_files(folder, manifest, items)
        if not any(name.startswith(f"{items}/") for name in others):
            with open_dataset(folder, {"items": files}, resources) as db:
                pairs += _compare_counts(db.table("items"), manifest["families"][family], f"families.{family}.counts")
    wrong = (WrongKey(*pair) for pair in pairs if pair[1] != pair[2])
    return tuple(sorted(wrong, key=lambda each: each.key))


def count_items(items: duckdb.DuckDBPyRelation, columns: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count the rows of a table by the values of some columns.

    Args:
        items: The table.
        columns: Which columns.
    """
    counts = {column: Counter[str]() for column in columns}
    if columns:
        chosen = [duckdb.ColumnExpression(column) for column in columns]
        for *values, number in items.aggregate([*chosen, duckdb.FunctionExpression("count")]).fetchall():
            for column, value in zip(columns, values, strict=True):
                counts[column][str(value)] += number
    return {column: dict(sorted(counter.items())) for column, counter in counts.items()}


def count_rows(path: Path) -> int:
    """Count the rows of a parquet file, by its footer.

    Raises:
        InputError: It is no parquet file.
    """
    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: no parquet file: {' '.join(str(error).split())}") from None


def _compare_files(folder: Path, manifest: Mapping[str, Any], others: Collection[str]) -> Pairs:
    """Compare rows and bytes of each file that has not changed."""
    for table, entry in manifest["tables"].items():
        for file in entry["files"]:
            path = folder / table / file["name"]
            if f"{table}/{file['name']}" not in others:
                key = f"tables.{table}.files.{file['name']}"
                yield f"{key}.bytes", file["bytes"], path.stat().st_size
                yield f"{key}.rows", file["rows"], count_rows(path)
                named = SPLIT_NAMED.match(file["name"])
                if named and (splits := _find_splits(path)):
                    yield f"{key}.split", named.group(1), splits


def _compare_sums(manifest: Mapping[str, Any]) -> Pairs:
    """Compare the sums and digests of tables with those over their files."""
    tables = manifest["tables"]
    for table, entry in tables.items():
        for key, value in sum_files(entry["files"]).items():
            yield f"tables.{table}.{key}", entry.get(key), value
    for family, entry in manifest["families"].items():
        yield f"families.{family}.rows", entry.get("rows"), _count_family_rows(manifest, family)
    yield "rows", manifest.get("rows"), _count_items_rows(manifest)
    yield "content_hash", manifest.get("content_hash"), hash_tables(tables)


def _count_family_rows(manifest: Mapping[str, Any], family: str) -> int:
    """Sum up the rows of the files of a family's items."""
    table = manifest["tables"].get(str(manifest["families"][family].get("items")), {})
    return sum(file["rows"] for file in table.get("files", ()))


def _count_items_rows(manifest: Mapping[str, Any]) -> int:
    """Sum up the rows of the files of all items."""
    return sum(_count_family_rows(manifest, family) for family in manifest["families"])


def _find_splits(path: Path) -> str | None:
    """Find the splits of a file's rows, by its footer; None if it has no column `split`."""
    metadata = pq.read_metadata(path)
    indexes = [index for index in range(metadata.num_columns) if metadata.schema.column(index).path == "split"]
    groups = [metadata.row_group(group).column(index) for index in indexes for group in range(metadata.num_row_groups)]
    bounds = {bound for group in groups if group.statistics for bound in (group.statistics.min, group.statistics.max)}
    return ", ".join(sorted(map(str, bounds))) if indexes else None


def _compare_report(folder: Path, manifest: Mapping[str, Any]) -> Pairs:
    """Compare the keys of the report that the manifest has, too."""
    report = read_json(folder / REPORT_FILE)
    for key in REPEATED:
        yield f"{REPORT_FILE}.{key}", report.get(key), manifest.get(key)
    yield f"{REPORT_FILE}.rows", report.get("rows"), _count_items_rows(manifest)


def _compare_plan(folder: Path, manifest: Mapping[str, Any], checks: FamilyChecks, others: Collection[str]) -> Pairs:
    """Compare the digest of a family's checks, and the table and id that they declare for its items."""
    family = checks.plan.family
    entry = manifest["families"][family]
    yield f"families.{family}.items", entry.get("items"), f"{family}/{checks.plan.items.table}"
    yield f"families.{family}.id", entry.get("id"), checks.plan.items.id
    if not any(name.startswith(f"{CHECKS}/") for name in others):
        found = digest_checks(read_check_files(folder, manifest["checks"]), family)
        yield f"families.{family}.checks", entry.get("checks"), found


def _compare_counts(items: duckdb.DuckDBPyRelation, entry: Mapping[str, Any], key: str) -> Pairs:
    """Compare the items of a family by the values of each column that the manifest counts."""
    counts = entry.get("counts")
    if not isinstance(counts, Mapping):
        yield key, counts, {}
        return
    found = count_items(items, [column for column in counts if column in items.columns])
    for column, known in counts.items():
        if column not in found or not isinstance(known, Mapping):
            yield f"{key}.{column}", known, found.get(column)
            continue
        for value in sorted({*known, *found[column]}):
            yield f"{key}.{column}.{value}", known.get(value, 0), found[column].get(value, 0)


def _show(value: Any) -> str:
    """Show a value in one line, shortened if it is long."""
    text = f"{value:,}" if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"
