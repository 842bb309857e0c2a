"""Publish a dataset: files under stable names, checked, and a manifest last."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from everwhen.core.build import Build
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.session import release_memory
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST, Table
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.card import render_card
from everwhen.publish.checks import render_check_files
from everwhen.publish.copy import copy_table
from everwhen.publish.croissant import build_croissant
from everwhen.publish.evidence import select_facts
from everwhen.publish.examples import read_item, sample_items
from everwhen.publish.manifest import build_manifest, describe_table, digest_texts, read_manifest
from everwhen.publish.names import list_divisions, list_tables, name_readers
from everwhen.publish.page import PAGE, render_page
from everwhen.publish.report import FamilyFigures, build_report, list_record_counts, render_report
from everwhen.publish.shortcuts import summarize_shortcuts
from everwhen.publish.sizes import measure_columns
from everwhen.publish.totals import render_totals
from everwhen.tables.record_counts import record_counts
from everwhen.validate.dataset import SUITES, run_suites
from everwhen.validate.family_run import FamilyRun
from everwhen.validate.plan import CHECKS
from everwhen.validate.suites import SuiteResult, raise_on_failures
from everwhen.validate.totals import TOTALS
from everwhen.validate.verification import Verification
from everwhen.validate.verify import verify

ITEMS_LOOKED_AT = 2_000
"""Of how many items of each group, at most, the statements are compared between splits: their share is a figure of the
report. Of 20,000 a group the hundred million took 59 s."""


def locate_dataset(root: str, config: Config) -> str:
    """The folder of a build's dataset: `<root>/dataset/<version>`."""
    return f"{root.rstrip('/')}/dataset/{config.version}"


def list_counting_stages(families: Sequence[FamilyBuild], *, has_world: bool) -> tuple[str, ...]:
    """The stages that count their records: their names."""
    return (*(("facts", "world") if has_world else ()), *(family.name for family in families))


def publish(
    build: Build, families: Sequence[FamilyBuild], internal: Mapping[str, tuple[Path, pa.Table]]
) -> dict[str, Any]:
    """Publish the items of a build with the facts they are derived from, and the checks.

    The tables are copied to files of stable names and bytes, the copies are validated, every item is derived again from
    them, and the manifest is written last, only if absent. What a killed attempt left is removed first.

    Args:
        build: The build, whose stages are done.
        families: The families to publish.
        internal: What is validated with the dataset and not published: suite and rows, by what reports call it.

    Returns:
        The content of `report.json`.

    Raises:
        InputError: This version has been published already, or a table is missing.
        ValidationFailed: An expectation is not met or an item is wrong; nothing is published.
    """
    spark, config = build.spark, build.config
    path = locate_dataset(build.root, config)
    folder = Folder(spark, path)
    if read_manifest(spark, path) is not None:
        raise InputError(f"{path}: version {config.version} is published already; a version is never changed")
    folder.delete()
    published, divided_by = list_tables(families), list_divisions(families)
    copied = {
        name: copy_table(spark, build.root, t, folder.open_child(*name.split("/")), divided_by.get(name))
        for name, t in published.items()
    }
    checks = _write_files(folder, CHECKS, render_check_files(families))
    totals = _write_totals(build, folder, published)
    release_memory(spark)
    with _copy_to_local(spark, path) as local:
        suites = _validate_tables(build, families, internal, local)
        _require_suites(build, folder, suites)
        items = {family.name: local / family.name / family.items.table.name for family in families}
        tables = {name: describe_table(local / name, digests) for name, digests in copied.items()}
        manifest = build_manifest(build, families, local, tables, checks) | {"files": digest_texts(totals)}
        verified = _verify_items(build, local, manifest)
        figures = _collect_figures(build, families, local, manifest)
        examples = {family.name: _read_example(items[family.name], family, figures) for family in families}
    stages = list_counting_stages(families, has_world=build.has_world)
    records = list_record_counts({stage: record_counts(stage).read(spark, build.root) for stage in stages})
    report = build_report(manifest, figures, records, suites, verified)
    texts = {
        "README.md": render_card(manifest, families, report, examples),
        "croissant.json": _as_json(build_croissant(manifest, published, name_readers(families), families)),
        "report.json": _as_json(report),
        "report.md": render_report(report),
        PAGE: render_page(report, suites),
    }
    for name, text in texts.items():
        folder.write_if_absent(name, text)
    manifest["files"] = digest_texts(texts | totals)
    if not folder.write_if_absent(MANIFEST, _as_json(manifest)):
        raise InputError(f"{path}: another build published version {config.version} meanwhile")
    return report


def _write_totals(build: Build, folder: Folder, published: Mapping[str, Table]) -> dict[str, str]:
    """Write the totals of all tables; return the file by its name."""
    started = time.monotonic()
    text = render_totals(build, published)
    folder.write_if_absent(TOTALS, text)
    build.console.print(f"  totals: of {len(published)} tables, {time.monotonic() - started:.1f} s")
    return {TOTALS: text}


def _validate_tables(
    build: Build, families: Sequence[FamilyBuild], internal: Mapping[str, tuple[Path, pa.Table]], local: Path
) -> list[SuiteResult]:
    """Run the suites of all tables."""
    window = build.config.window
    started = time.monotonic()
    suites = {
        f"{family.name}/{table.name}": family.suites / f"{table.name}.json"
        for family in families
        for table in family.published
    }
    suites |= {name: SUITES / f"{table.name}.json" for name, table in select_facts(families).items()}
    found = run_suites(
        local,
        suites,
        internal,
        parameters={"window_start": window.start, "window_end": window.end},
    )
    met, seconds = sum(suite.passed for suite in found), time.monotonic() - started
    build.log(f"suites: {met} expectations met by {len(found)} tables, {seconds:.1f} s", seconds=seconds)
    return found


def _require_suites(build: Build, folder: Folder, suites: Sequence[SuiteResult]) -> None:
    """Let nothing pass that a suite objects to; the page of the report then shows the results.

    Raises:
        ValidationFailed: An expectation is not met.
    """
    if any(suite.failures for suite in suites):
        heads = {"version": build.config.version, "snapshot": build.inputs["snapshot"]}
        folder.write_if_absent(PAGE, render_page(heads, suites))
    raise_on_failures(suites)


def _verify_items(build: Build, local: Path, manifest: Mapping[str, Any]) -> Verification:
    """Derive every item again by the checks.

    Raises:
        ValidationFailed: An item is wrong.
    """
    verified = verify(local, manifest=manifest)
    verified.raise_on_failure()
    line = f"verify: {verified.checked:,} items derived again, {verified.seconds:.1f} s"
    build.log(line, rows=verified.checked, seconds=verified.seconds)
    return verified


def _collect_figures(
    build: Build, families: Sequence[FamilyBuild], local: Path, manifest: Mapping[str, Any]
) -> dict[str, FamilyFigures]:
    """Collect what the report says of each family, by its name."""
    shortcuts = _measure_shortcuts(build, families, local)
    folders = {family.name: local / family.name / family.items.table.name for family in families}
    return {
        family.name: FamilyFigures(
            title=family.title,
            show=tuple(family.items.show),
            groups=family.items.groups,
            bytes_by_column=measure_columns(folders[family.name]),
            samples=sample_items(folders[family.name], family.items),
            shortcuts=shortcuts[family.name],
            shared=_count_shared_statements(build, family, local, manifest),
            budgets=family.budgets(build) if family.budgets else (),
        )
        for family in families
    }


def _read_example(folder: Path, family: FamilyBuild, figures: Mapping[str, FamilyFigures]) -> dict[str, Any]:
    """Read the first sample of a family with all its columns; nothing where it has no items."""
    samples = figures[family.name].samples
    return read_item(folder, family.items, samples[0][family.items.id]) if samples else {}


def _measure_shortcuts(
    build: Build, families: Sequence[FamilyBuild], local: Path
) -> dict[str, Mapping[str, Any] | None]:
    """Measure what shortcuts score on each family's questions, by its name; None where nothing is measured."""
    found: dict[str, Mapping[str, Any] | None] = {}
    for family in families:
        started = time.monotonic()
        found[family.name] = measured = family.shortcuts(local) if family.shortcuts else None
        if measured is not None:
            seconds = time.monotonic() - started
            build.log(f"shortcuts: {summarize_shortcuts(measured)}, {seconds:.1f} s", seconds=seconds)
    return found


def _count_shared_statements(
    build: Build, family: FamilyBuild, local: Path, manifest: Mapping[str, Any]
) -> dict[str, int] | None:
    """Count the statements that items of several splits are derived from; None without splits or statements."""
    if family.items.split is None or family.evidence is None:
        return None
    started = time.monotonic()
    found = FamilyRun(local, family.name, manifest).count_shared_statements(family.items.split, ITEMS_LOOKED_AT)
    seconds = time.monotonic() - started
    line = f"{found['shared']:,} of {found['statements']:,} statements support items of several splits"
    build.log(f"splits: {line}, {seconds:.1f} s", seconds=seconds)
    return found


def _write_files(folder: Folder, name: str, files: Mapping[str, str]) -> Mapping[str, str]:
    """Write text files below a folder of the dataset, by path, and return them."""
    with tempfile.TemporaryDirectory(prefix="everwhen-checks-") as temp:
        for path, text in files.items():
            target = Path(temp) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        folder.copy_local(Path(temp), name)
    return files


@contextmanager
def _copy_to_local(spark: SparkSession, path: str) -> Iterator[Path]:
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


def _as_json(data: Mapping[str, Any]) -> str:
    """The same text for the same data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
