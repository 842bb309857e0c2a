from __future__ import annotations

from typing import Any

import pytest

from everwhen.publish.shortcuts import render_scores, render_worst, summarize_shortcuts


def score(template: str, shortcut: str, above: bool = True) -> dict[str, Any]:
    counts = {"rows": 1000, "decided": 500, "hits": 450, "accuracy": 0.9, "score": 0.7, "chance": 0.5}
    return {
        "template_id": template,
        "shortcut": shortcut,
        **counts,
        "standard_error": 0.0112,
        "is_above_chance": above,
    }


WORST = [score("a", "class"), score("b", "always no"), score("c", "class")]
MEASURED = {
    "templates": 7,
    "unmeasured": [],
    "above_chance": WORST,
    "scores": [*WORST, score("d", "class", above=False)],
    "left_out": {"size of the country": "no population"},
}


@pytest.mark.parametrize(
    ("above", "line"),
    [
        (WORST, "of 7 templates, 3 are answered above chance by a shortcut: class (2), always no (1)"),
        ([], "of 7 templates, 0 are answered above chance by a shortcut"),
    ],
)
def test_summary_counts_templates_by_their_worst_shortcut(above: list[dict[str, Any]], line: str) -> None:
    measured = {**MEASURED, "above_chance": above}
    assert summarize_shortcuts(measured) == line
    assert render_worst(measured).startswith(f"O{line[1:]}.")


def test_summary_does_not_count_as_passed_what_is_unmeasured() -> None:
    few = "2 have too few rows to be measured; of the other 5, 0 are answered above chance by a shortcut"
    measured = {**MEASURED, "above_chance": [], "unmeasured": ["e", "f"]}
    assert summarize_shortcuts(measured) == f"of 7 templates, {few}"


def test_card_has_the_worst_and_report_has_all_and_what_is_left_out() -> None:
    assert render_worst(MEASURED).splitlines()[2:5] == [
        "| template | shortcut | rows | decided | accuracy | score | chance | standard error |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| `a` | class | 1,000 | 500 | 0.900 | 0.700 | 0.500 | 0.011 |",
    ]
    lines = render_scores(MEASURED).splitlines()
    assert lines[2] == "Left out is size of the country: no population."
    assert lines[-2:] == [
        "| `c` | class | 1,000 | 500 | 0.900 | 0.700 \\* | 0.500 | 0.011 |",
        "| `d` | class | 1,000 | 500 | 0.900 | 0.700 | 0.500 | 0.011 |",
    ]
