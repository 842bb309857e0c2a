"""Publish a dataset: files under stable names, checked, and a manifest last."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST, Table
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.publish.card import SPLITS, dataset_card
from everwhen.publish.croissant import croissant
from everwhen.publish.evidence import EVIDENCE, EVIDENCE_ITEMS, EVIDENCE_POPULARITY
from everwhen.publish.examples import to_read
from everwhen.publish.manifest import build_manifest, question_counts, read_manifest
from everwhen.publish.report import build_report, list_record_counts, report_text
from everwhen.publish.sizes import bytes_by_column
from everwhen.tables.list_members import LIST_MEMBERS
from everwhen.tables.record_counts import record_counts
from everwhen.tables.subclasses import SUBCLASSES
from everwhen.validate.dataset import validated
from everwhen.validate.rules import Rule
from everwhen.validate.suites import require
from everwhen.validate.verify import verify
from everwhen.validate.views import MadeWith, digest

PUBLISHED: Mapping[str, Table] = {
    "questions": QUESTIONS,
    "facts/statements": EVIDENCE,
    "facts/entities": EVIDENCE_ITEMS,
    "facts/subclasses": SUBCLASSES,
    "facts/list_members": LIST_MEMBERS,
    "facts/popularity": EVIDENCE_POPULARITY,
}
"""The tables of a dataset, by their folder in it."""

REPORT = "report"
"""The folder of Great Expectations' data docs."""

STAGES = ("facts", "world", "questions")
"""The stages that count their records."""


def dataset_folder(root: str, config: Config) -> str:
    """Where the dataset of a build lies: `<root>/dataset/<version>`."""
    return f"{root.rstrip('/')}/dataset/{config.version}"


def publish(
    spark: SparkSession,
    config: Config,
    root: str,
    beside: Mapping[str, tuple[str, pa.Table]],
    rules: Mapping[str, Rule],
    descriptions: Mapping[str, str],
    sources: Mapping[str, Any],
    tell: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Publish the questions of a build with the facts they rest on.

    The files are copied under stable names, the copies are validated, every row is derived again from them, and the
    manifest is written last, only if absent. What an attempt that was killed has left is removed first.

    Args:
        spark: The session.
        config: The build's configuration.
        root: Folder (any Hadoop path) of the build.
        beside: What is validated with the dataset and not published: suite and rows, by what reports call it.
        rules: The rule of each template, by template id.
        descriptions: The check of each form of description, by its key.
        sources: Fingerprints of what was read, for the manifest.
        tell: Told what is done, a line each.

    Returns:
        The report that lies in `report.json`.

    Raises:
        InputError: This version has been published already, or a table is missing.
        ValidationFailed: An expectation is not met or a row is wrong; nothing is published.
    """
    path = dataset_folder(root, config)
    folder = Folder(spark, path)
    if read_manifest(spark, path) is not None:
        raise InputError(f"{path}: version {config.version} is published already; a version is never changed")
    folder.delete()
    tables = {name: _copy(spark, root, table, folder.child(name)) for name, table in PUBLISHED.items()}
    with _on_disk(spark, path) as local:
        days = {"window_start": config.window.start, "window_end": config.window.end}
        started = time.monotonic()
        suites = validated(local, beside, parameters=days, docs=local / REPORT)
        folder.copy_local(local / REPORT, REPORT)
        require(suites)
        met, seconds = sum(suite.passed for suite in suites), time.monotonic() - started
        tell(f"suites: {met} expectations met by {len(suites)} tables, {seconds:.1f} s")
        verified = verify(
            local, rules, descriptions, made=MadeWith(config.world.lists, (config.window.start, config.window.end))
        )
        verified.require()
        tell(f"verify: {verified.checked:,} questions derived again, {verified.seconds:.1f} s")
        questions = local / "questions"
        for file in tables["questions"][2]:  # those that Spark has written differ in their metadata from run to run
            file["sha256"] = digest(questions / file["name"])
        counts, sizes, examples = question_counts(questions), bytes_by_column(questions), to_read(questions)
    manifest = build_manifest(config, tables, counts, sources)
    books = list_record_counts({stage: record_counts(stage).read(spark, root) for stage in STAGES})
    report = build_report(manifest, books, suites, verified, sizes, examples)
    facts = {name: table for name, table in PUBLISHED.items() if name != "questions"}
    folder.write_if_absent("README.md", dataset_card(manifest, facts))
    folder.write_if_absent("croissant.json", _json(croissant(manifest, PUBLISHED, {"questions": "question_id"})))
    folder.write_if_absent("report.json", _json(report))
    folder.write_if_absent("report.md", report_text(report))
    if not folder.write_if_absent(MANIFEST, _json(manifest)):
        raise InputError(f"{path}: another build published version {config.version} meanwhile")
    return report


def _copy(
    spark: SparkSession, root: str, table: Table, target: Folder
) -> tuple[Table, dict[str, Any], list[dict[str, Any]]]:
    """Copy a staged table's files under stable names: the table, its manifest, its files with their sizes."""
    staged = table.manifest(spark, root)
    if staged is None:
        raise InputError(f"{root}: no table {table.name}; run the stage {table.stage} first")
    source = Folder(spark, root).child(table.stage, table.name)
    for old, new in zip(staged["files"], published_names(staged["files"]), strict=True):
        target.copy_from(source.path(old), new)
    files = sorted(
        ({"name": f["name"], "bytes": f["bytes"]} for f in target.files() if f["name"].endswith(".parquet")),
        key=lambda f: str(f["name"]),
    )
    return table, staged, files


def published_names(staged: Sequence[str]) -> list[str]:
    """Stable names for staged files, in their order: `train-00000-of-00012.parquet`, or `part-…` without a split.

    The splits of a table are counted apart, as readers of the Hugging Face Hub expect it.
    """
    kinds = [name.rpartition("/")[2].partition("-")[0] for name in staged]
    kinds = [kind if kind in SPLITS else "part" for kind in kinds]
    seen: Counter[str] = Counter()
    names = []
    for kind in kinds:
        names.append(f"{kind}-{seen[kind]:05d}-of-{kinds.count(kind):05d}.parquet")
        seen[kind] += 1
    return names


@contextmanager
def _on_disk(spark: SparkSession, path: str) -> Iterator[Path]:
    """The folder as DuckDB can read it: itself on a local disk, else a copy that ends with the check."""
    jvm: Any = spark.sparkContext._jvm
    hadoop = jvm.org.apache.hadoop.fs
    source = hadoop.Path(path)
    system = source.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    if system.getScheme() == "file":
        yield Path(system.makeQualified(source).toUri().getPath())
        return
    with tempfile.TemporaryDirectory(prefix="everwhen-dataset-") as temp:
        system.copyToLocalFile(False, source, hadoop.Path(f"file://{temp}/dataset"), True)
        yield Path(temp) / "dataset"


def _json(data: Mapping[str, Any]) -> str:
    """The same text for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
