"""The stage dataset: expectation suites, the independent check, and the publication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeline.build import Build, side_by_side
from pipeline.publish.dataset import dataset_folder, publish
from pipeline.publish.evidence import make_evidence
from pipeline.publish.manifest import read_manifest
from pipeline.tables.accounts import accounts
from pipeline.tables.events import EVENTS
from pipeline.tables.questions import QUESTIONS
from pipeline.tables.statements import STATEMENTS
from pipeline.template import chosen_templates
from pipeline.validate.rules import description_checks, rules_of
from pipeline.validate.suites import SuiteResult, run_suite


def run_dataset(build: Build) -> None:
    """Validate and publish; a version that lies there published stays as it is.

    Raises:
        InputError: A table is missing.
        ValidationFailed: An expectation is not met or a row is wrong; nothing is published.
    """
    path = dataset_folder(build.root, build.config)
    if read_manifest(build.spark, path) is not None:
        build.console.print(f"  {path}: already published")
        return
    steps: tuple[Callable[[], Any], ...] = (lambda: make_evidence(build), lambda: validate(build))
    results = side_by_side(steps)[1]
    for result in results:
        build.console.print(f"  {str(result).splitlines()[0]}")
    rules = rules_of(chosen_templates(build.config.questions.templates))
    publish(build.spark, build.config, build.root, results, rules, description_checks(), build.sources)


def validate(build: Build) -> list[SuiteResult]:
    """Run every suite on its table, and the suite of the books on those of each stage."""
    window = build.config.window
    parameters = {"window_start": window.start, "window_end": window.end}
    results = [
        run_suite(build.spark, build.read(table), table.name, parameters=parameters)
        for table in (STATEMENTS, EVENTS, QUESTIONS)
    ]
    for stage in ("facts", "world", "questions"):
        books = build.read(accounts(stage))
        results.append(run_suite(build.spark, books, "accounts", table=f"accounts of {stage}"))
    return results
