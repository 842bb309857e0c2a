from __future__ import annotations

import re
from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.budget import assign_budgets, require_budgets
from everwhen.families.complextempqa.config import ComplexTempQASettings, read_settings
from everwhen.families.complextempqa.template import load_templates
from everwhen.preflight import read_config


def test_a_template_is_in_one_budget_only() -> None:
    config = ComplexTempQASettings(
        budgets=[{"templates": ["comparison.*"], "rows": 1}, {"templates": ["*.first"], "rows": 1}]
    )
    expected = r"^families\.complextempqa\.budgets: comparison\.first is in two of them"
    with pytest.raises(InputError, match=expected):
        assign_budgets(config, ["comparison.than", "comparison.first"])
    assert assign_budgets(config, ["comparison.than", "a.first", "b"]) == {"comparison.than": 0, "a.first": 1}
    # Twice in one budget is once.
    assert assign_budgets(ComplexTempQASettings(budgets=[{"templates": ["a*", "*b"], "rows": 1}]), ["ab"]) == {"ab": 0}


@pytest.mark.parametrize(
    ("budgets", "expected"),
    [
        ([["comparison.event.frist"]], "families.complextempqa.budgets: no template comparison.event.frist"),
        ([["comparison.event.*", "counting.evnt.*"]], "families.complextempqa.budgets: no template counting.evnt.*"),
        ([["comparison.*"], ["*.first"]], "is in two of them"),
        (
            [["comparison.event.first", "attribute.event.date"]],
            "comparison.event.first is drawn from blocks and attribute.event.date is not: give each"
            " a budget of its own",
        ),
    ],
)
def test_a_budget_that_cannot_be_met_is_refused(budgets: list[list[str]], expected: str) -> None:
    config = ComplexTempQASettings(budgets=[{"templates": names, "rows": 1} for names in budgets])
    with pytest.raises(InputError, match=re.escape(expected)):
        require_budgets(config, load_templates())


def test_the_budgets_of_the_scale_configuration_are_sound() -> None:
    config = read_settings(read_config(Path(__file__).parents[3] / "configs" / "scale.yaml"))
    require_budgets(config, load_templates())
    assert set(assign_budgets(config, [t.id for t in load_templates()])) == {t.id for t in load_templates()}, (
        "what has no budget makes all it can"
    )
