"""The stage dataset: expectation suites, the independent check, and the publication."""

from __future__ import annotations

import pyarrow as pa

from everwhen.core.build import Build, require_same_inputs
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.rules import description_checks, rules_of
from everwhen.families.complextempqa.template import chosen_templates
from everwhen.publish.dataset import STAGES, dataset_folder, publish
from everwhen.publish.evidence import make_evidence
from everwhen.publish.manifest import published_inputs, read_manifest
from everwhen.tables.events import EVENTS
from everwhen.tables.record_counts import record_counts
from everwhen.validate.suites import reconcile


def run_dataset(build: Build) -> None:
    """Validate and publish; a version that lies there published from the same inputs stays as it is.

    Raises:
        InputError: A table is missing, or the version was published from other inputs.
        ValidationFailed: An expectation is not met or a row is wrong; nothing is published.
    """
    path = dataset_folder(build.root, build.config)
    published = read_manifest(build.spark, path)
    if published is not None:
        require_same_inputs(path, published_inputs(published), build.inputs)
        said = f"version {build.config.version} is published, made from the same inputs: {path}"
        build.console.print(f"  dataset: skipped, {said}", soft_wrap=True, markup=False)
        return
    make_evidence(build)
    rules = rules_of(chosen_templates(read_settings(build.config).templates))
    publish(
        build.spark,
        build.config,
        build.root,
        _beside(build),
        rules,
        description_checks(),
        build.sources,
        lambda line: build.console.print(f"  {line}"),
    )


def _beside(build: Build) -> dict[str, tuple[str, pa.Table]]:
    """What is validated and not published: events, and the record counts of each stage."""
    tables = {"events": ("events", build.read(EVENTS).toArrow())}
    for stage in STAGES:
        tables[f"record counts of {stage}"] = ("record_counts", reconcile(build.read(record_counts(stage))).toArrow())
    return tables
