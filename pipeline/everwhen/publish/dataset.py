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

from everwhen.core.build import Build, require_same_inputs
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.core.record_counts import reconcile
from everwhen.core.session import release_memory
from everwhen.core.storage import Folder
from everwhen.core.table import MANIFEST
from everwhen.evaluate.shortcuts import measure_shortcuts
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.card import render_card
from everwhen.publish.checks import render_check_files
from everwhen.publish.copy import copy_table
from everwhen.publish.croissant import build_croissant
from everwhen.publish.evidence import select_facts, write_evidence
from everwhen.publish.figures import measure_columns, read_item, render_totals, sample_items
from everwhen.publish.manifest import (
    build_manifest,
    describe_table,
    digest_texts,
    read_manifest,
    select_published_inputs,
)
from everwhen.publish.names import list_divisions, list_tables, name_readers
from everwhen.publish.report import (
    PAGE,
    FamilyFigures,
    build_report,
    list_record_counts,
    render_page,
    render_report,
    summarize_shortcuts,
)
from everwhen.tables.record_counts import record_counts
from everwhen.tables.world import SUBJECTS, TEMPORAL_FACTS, count_profiles
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
    tables, divided_by = list_tables(families), list_divisions(families)
    copied = {
        name: copy_table(spark, build.root, table, folder.open_child(*name.split("/")), divided_by.get(name))
        for name, table in tables.items()
    }
    checks = render_check_files(families)
    _write_files(folder, CHECKS, checks)
    started = time.monotonic()
    totals = {TOTALS: render_totals(build, tables)}
    folder.write_if_absent(TOTALS, totals[TOTALS])
    build.log(f"totals: of {len(tables)} tables, {time.monotonic() - started:.1f} s")
    release_memory(spark)
    with _copy_to_local(spark, path) as local:
        suites = _validate_tables(build, families, internal, local)
        _require_suites(build, folder, suites)
        described = {name: describe_table(local / name, digests) for name, digests in copied.items()}
        manifest = build_manifest(build, families, local, described, checks) | {"files": digest_texts(totals)}
        verified = _verify_items(build, local, manifest)
        shortcuts = {family.name: _measure_shortcuts(build, family, local, manifest) for family in families}
        figures = {
            family.name: _collect_figures(build, family, local, manifest, shortcuts[family.name]) for family in families
        }
        examples = {family.name: _read_example(local, family, figures[family.name]) for family in families}
    stages = list_counting_stages(families, has_world=build.has_world)
    records = list_record_counts({stage: build.read(record_counts(stage)) for stage in stages})
    report = build_report(manifest, figures, records, suites, verified)
    texts = {
        "README.md": render_card(manifest, families, report, examples),
        "croissant.json": _as_json(build_croissant(manifest, tables, name_readers(families), families)),
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


def _validate_tables(
    build: Build, families: Sequence[FamilyBuild], internal: Mapping[str, tuple[Path, pa.Table]], local: Path
) -> list[SuiteResult]:
    started, window = time.monotonic(), build.config.window
    suites = {
        f"{family.name}/{table.name}": family.suites / f"{table.name}.json"
        for family in families
        for table in family.published
    }
    suites |= {name: SUITES / f"{table.name}.json" for name, table in select_facts(families).items()}
    parameters = {"window_start": window.start, "window_end": window.end}
    found = run_suites(local, suites, internal, parameters=parameters)
    met = sum(suite.passed for suite in found)
    _log_time(build, f"suites: {met} expectations met by {len(found)} tables", started)
    return found


def _require_suites(build: Build, folder: Folder, suites: Sequence[SuiteResult]) -> None:
    """Let nothing pass that a suite objects to; the page of the report then shows the results."""
    if any(suite.failures for suite in suites):
        heads = {"version": build.config.version, "snapshot": build.inputs["snapshot"]}
        folder.write_if_absent(PAGE, render_page(heads, suites))
    raise_on_failures(suites)


def _verify_items(build: Build, local: Path, manifest: Mapping[str, Any]) -> Verification:
    """Derive every item again by the checks."""
    verified = verify(local, manifest=manifest)
    verified.raise_on_failure()
    line = f"verify: {verified.checked:,} items derived again, {verified.seconds:.1f} s"
    build.log(line, rows=verified.checked, seconds=verified.seconds)
    return verified


def _collect_figures(
    build: Build,
    family: FamilyBuild,
    local: Path,
    manifest: Mapping[str, Any],
    shortcuts: Mapping[str, Any] | None,
) -> FamilyFigures:
    """Collect what the report says of a family."""
    folder = local / family.name / family.items.table.name
    return FamilyFigures(
        title=family.title,
        show=tuple(family.items.show),
        groups=family.items.groups,
        bytes_by_column=measure_columns(folder),
        samples=sample_items(folder, family.items),
        shortcuts=shortcuts,
        shared_statements=_count_shared_statements(build, family, local, manifest),
        budgets=family.budgets(build) if family.budgets else (),
    )


def _read_example(local: Path, family: FamilyBuild, figures: FamilyFigures) -> dict[str, Any]:
    """Read the first sample of a family with all its columns; nothing where it has no items."""
    items, samples = family.items, figures.samples
    return read_item(local / family.name / items.table.name, items, samples[0][items.id]) if samples else {}


def _measure_shortcuts(
    build: Build, family: FamilyBuild, local: Path, manifest: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Measure what shortcuts score on a family's items; None where there are none, or answers are not scored."""
    load_evaluation = family.family.load_evaluation
    if load_evaluation is None or not manifest["families"][family.name]["rows"]:
        return None
    started = time.monotonic()
    measured = measure_shortcuts(local, manifest, family.name, load_evaluation())
    _log_time(build, f"shortcuts: {summarize_shortcuts(measured)}", started)
    return measured


def _count_shared_statements(
    build: Build, family: FamilyBuild, local: Path, manifest: Mapping[str, Any]
) -> dict[str, int] | None:
    """Count the statements that items of several splits are derived from; None without splits or statements."""
    if family.items.split is None or family.evidence is None:
        return None
    started = time.monotonic()
    found = FamilyRun(local, family.name, manifest).count_shared_statements(family.items.split, ITEMS_LOOKED_AT)
    line = f"{found['shared']:,} of {found['statements']:,} statements support items of several splits"
    _log_time(build, f"splits: {line}", started)
    return found


def _log_time(build: Build, line: str, started: float) -> None:
    seconds = time.monotonic() - started
    build.log(f"{line}, {seconds:.1f} s", seconds=seconds)


def _write_files(folder: Folder, name: str, files: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="everwhen-checks-") as temp:
        for path, text in files.items():
            target = Path(temp) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        folder.copy_local(Path(temp), name)


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


def run_dataset(build: Build, families: Sequence[FamilyBuild]) -> None:
    """Validate and publish; a version that is published from the same inputs stays as it is.

    Raises:
        InputError: A table is missing, or the version was published from other inputs.
        ValidationFailed: An expectation is not met or an item is wrong; nothing is published.
    """
    path = locate_dataset(build.root, build.config)
    published = read_manifest(build.spark, path)
    if published is not None:
        require_same_inputs(path, select_published_inputs(published), build.inputs)
        message = f"version {build.config.version} is published, made from the same inputs: {path}"
        build.log(f"dataset: skipped, {message}")
        return
    write_evidence(build, families)
    publish(build, families, _collect_internal(build, families))


def _collect_internal(build: Build, families: Sequence[FamilyBuild]) -> dict[str, tuple[Path, pa.Table]]:
    """What is validated and not published: subjects, temporal facts, and the record counts of each stage."""
    tables = {}
    if build.has_world:
        temporal_facts = count_profiles(build.read(TEMPORAL_FACTS))
        tables["subjects"] = (SUITES / "subjects.json", build.read(SUBJECTS).toArrow())
        tables["temporal_facts"] = (SUITES / "temporal_facts.json", temporal_facts.toArrow())
    for stage in list_counting_stages(families, has_world=build.has_world):
        counts = reconcile(build.read(record_counts(stage))).toArrow()
        tables[f"{stage}-record_counts"] = (SUITES / "record_counts.json", counts)
    return tables
