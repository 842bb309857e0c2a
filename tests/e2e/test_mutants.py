"""Changed rows of the published sample: a text that is changed is wrong, whatever it means, and so is any field."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from changed_rows import Outcome, Sample, render_outcomes, verify_all, write_changed
from changes import CHANGES, FIELDS, TEXTS, VERSIONS, Change
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.checks.render import DERIVED_BY
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.validate.verify import verify

pytestmark = [pytest.mark.full, pytest.mark.spark]

MUTANTS = 3_000
"""How many rows of the sample are changed, each in one way."""


def test_no_mutant_survives(sample_dataset: Path, tmp_path: Path) -> None:
    sample, chance = Sample(sample_dataset), random.Random("mutants")
    rows, changed = [dict(row) for row in sample.rows], {}
    changes: list[tuple[str, str, Change]] = [("question", name, change) for name, change in TEXTS.items()] * 3
    changes += [(column, name, change) for column, ways in FIELDS.items() for name, change in ways.items()]
    for number, place in enumerate(sample.order_positions(chance, first=8)[:MUTANTS]):
        column, name, change = changes[number % len(changes)]
        value = change(chance, rows[place], sample)
        if value != rows[place][column]:
            rows[place] = {**rows[place], column: value}
            changed[rows[place]["question_id"]] = (column, name, rows[place])
    assert len(changed) > 0.85 * MUTANTS
    assert {row["template_id"] for _, _, row in changed.values()} >= set(sample.by_template)
    _, found = verify_all(write_changed(sample_dataset, tmp_path / "changed", rows))
    outcomes = []
    for item, (column, name, row) in changed.items():
        checks = found.get(item, frozenset())
        is_caught = not checks.isdisjoint(DERIVED_BY[column])
        outcomes.append(Outcome(f"{column}: {name}", row["template_id"], row["question"], checks, is_caught))
    print(render_outcomes(outcomes, "change", lambda outcome: outcome.change))
    outcomes.sort(key=lambda outcome: outcome.template)
    print(render_outcomes(outcomes, "template", lambda outcome: outcome.template))
    survived = [outcome for outcome in outcomes if not outcome.is_caught]
    assert not survived, survived[:10]


def test_another_version_is_refused(sample_dataset: Path, tmp_path: Path) -> None:
    sample, (change,) = Sample(sample_dataset), VERSIONS.values()
    row = sample.rows[7]
    row["template_version"] = change(random.Random("version"), row, sample)
    with pytest.raises(InputError, match="the items are of version"):
        verify(write_changed(sample_dataset, tmp_path / "changed", sample.rows))


def test_every_column_has_a_check_and_a_mutant() -> None:
    columns = {column.name for column in QUESTIONS.columns}
    assert set(DERIVED_BY) == columns
    assert set(CHANGES) == columns
