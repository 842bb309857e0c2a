"""Figures of the demo in README and docs are those of the sample's build; `--golden-update` writes them there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from hostile_world import ROOT

pytestmark = [pytest.mark.full, pytest.mark.spark]

SENTENCES = (
    ("README.md", "{above} of the {measured} that have enough rows in the demo; {few} have too few"),
    ("README.md", "of {test} questions, {attributes} ask for an attribute"),
    (
        "docs/concepts/shortcuts.md",
        "`configs/demo.yaml` ({rows} rows). Of {templates} templates, {few} have too few rows",
    ),
    ("docs/concepts/shortcuts.md", "to be measured. Of the other {measured}, none is"),
    ("README.md", "{met} of {met} expectations met"),
    ("docs/concepts/validation.md", "{met} of {met} expectations met"),
    ("docs/concepts/splits.md", "the demo has {train}, {validation} and {test} rows"),
    ("docs/how-to/export.md", "all {test} questions of its split `test`. Of these, {attributes} ask for an attribute"),
    ("docs/how-to/export.md", ", {comparisons} compare and {counts}\ncount"),
)
"""Sentences by document; a name in braces is a figure."""


@pytest.fixture(scope="module")
def figures(sample_dataset: Path) -> dict[str, int]:
    """The figures of the demo."""
    questions = duckdb.read_parquet(f"{sample_dataset}/complextempqa/questions/*.parquet")
    splits = dict(questions.aggregate("split, count(*)").fetchall())
    kinds = dict(questions.filter("split = 'test'").aggregate("type[1], count(*)").fetchall())
    report = json.loads((sample_dataset / "report.json").read_text(encoding="utf-8"))
    shortcuts: Any = report["families"]["complextempqa"]["shortcuts"]
    templates, few = shortcuts["templates"], len(shortcuts["unmeasured"])
    return {
        **splits,
        "met": sum(suite["met"] for suite in report["suites"]),
        "rows": sum(splits.values()),
        "attributes": kinds["1"],
        "comparisons": kinds["2"],
        "counts": kinds["3"],
        "templates": templates,
        "few": few,
        "measured": templates - few,
        "above": len(shortcuts["above_chance"]),
    }


@pytest.mark.parametrize(("document", "sentence"), SENTENCES)
def test_the_figures_of_documents_are_those_of_the_demo(
    document: str, sentence: str, figures: dict[str, int], request: pytest.FixtureRequest
) -> None:
    path = ROOT / document
    right = sentence.format(**{name: f"{figure:,}" for name, figure in figures.items()})
    if request.config.getoption("--golden-update"):
        any_figures = re.sub(r"\\\{\w+\\\}", "[0-9,]+", re.escape(sentence))
        path.write_text(re.sub(any_figures, right, path.read_text(encoding="utf-8")), encoding="utf-8")
    assert right in path.read_text(encoding="utf-8"), "pytest tests/test_figures.py --golden-update writes the figures"
