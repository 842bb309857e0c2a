"""Errors in the files of the published sample: `verify` finds each row, says what is wrong, and finds no other row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from changed_rows import Outcome, Sample, render_outcomes, verify_all, write_changed
from errors_in_files import ERRORS, FileError, plant_errors
from everwhen.validate.verification import Verification

pytestmark = [pytest.mark.full, pytest.mark.spark]

LEAST = 4
"""Rows of each error, at least."""
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Run:
    """One run of verify over all errors: its result, the ids of planted and of wrong rows, and what became of each."""

    found: Verification
    planted: set[int]
    wrong: set[int]
    outcomes: Sequence[Outcome]


@pytest.fixture(scope="module")
def run(sample_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    sample = Sample(sample_dataset)
    planted = plant_errors(sample)
    rows = dict(enumerate(sample.rows))
    for changed in planted.values():
        rows |= changed
    folder = tmp_path_factory.mktemp("errors") / "dataset"
    found, checks = verify_all(write_changed(sample_dataset, folder, rows.values()))
    outcomes = [
        Outcome(error.name, row["template_id"], row["question"], by, by.issuperset(error.checks))
        for error in ERRORS
        for row in planted[error.name].values()
        for by in [checks.get(row["question_id"], NOTHING)]
    ]
    items = {row["question_id"] for changed in planted.values() for row in changed.values()}
    return Run(found, items, set(checks), outcomes)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.name)
def test_every_row_is_found_by_the_checks_of_its_error(run: Run, error: FileError) -> None:
    outcomes = [outcome for outcome in run.outcomes if outcome.change == error.name]
    assert len(outcomes) >= LEAST
    assert [outcome for outcome in outcomes if not outcome.is_caught] == []


def test_no_other_row_is_wrong(run: Run) -> None:
    print(render_outcomes(run.outcomes, "error", lambda outcome: outcome.change))
    assert run.wrong == run.planted
    assert run.found.wrong == len(run.planted)


def test_the_files_fit_the_manifest(run: Run) -> None:
    assert run.found.changed_files == ()
