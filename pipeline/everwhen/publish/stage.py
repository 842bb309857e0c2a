"""The stage dataset: expectation suites, the independent check, and the publication."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from everwhen.core.build import Build, require_same_inputs
from everwhen.core.record_counts import reconcile
from everwhen.families.family_build import FamilyBuild
from everwhen.publish.dataset import list_counting_stages, locate_dataset, publish
from everwhen.publish.evidence import write_evidence
from everwhen.publish.manifest import read_manifest, select_published_inputs
from everwhen.tables.record_counts import record_counts
from everwhen.tables.subjects import SUBJECTS
from everwhen.tables.temporal_facts import TEMPORAL_FACTS, count_profiles
from everwhen.validate.dataset import SUITES


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
