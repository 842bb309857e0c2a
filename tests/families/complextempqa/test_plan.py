from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from everwhen.core.build import Build
from everwhen.families.complextempqa.compare.blocks import Block, Turn
from everwhen.families.complextempqa.compare.quotas import Quota
from everwhen.families.complextempqa.config import ComplexTempQASettings, read_settings
from everwhen.families.complextempqa.plan import (
    Line,
    compare_budgets,
    count_expected_rows,
    find_most_asked_blocks,
    print_plan,
)
from everwhen.families.complextempqa.stage import plan_questions
from everwhen.families.family_build import BudgetRows

TEMPLATES = ["comparison.event.first", "comparison.event.value", "attribute.event.value"]


def block(number: int, members: int) -> Block:
    none = np.zeros(members, dtype=np.int64)
    return Block(number, "event", "time", "time", "", "conflict", "train", 0, none, none, none)


def test_the_blocks_whose_subjects_are_asked_about_most_come_first() -> None:
    blocks = [block(0, 10), block(1, 4)]
    found = [
        Quota("a", 0, False, 2, Turn(0, 1), 3, 0, 30.0),
        Quota("b", 0, True, 3, Turn(0, 1), 1, 0, 10.0),
        Quota("a", 1, False, 2, Turn(0, 1), 1, 2, 6.0),
    ]
    # Each row of the first template asks about two subjects, of the second about three.
    assert find_most_asked_blocks(found, blocks) == [(blocks[0], 9.0), (blocks[1], 3.0)]


@pytest.fixture
def build(small_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Build:
    chosen = read_settings(small_build.config).model_copy(update={"templates": TEMPLATES})
    config = small_build.config.model_copy(update={"families": {"complextempqa": chosen}})
    return Build(small_build.spark, config, small_build.root)


@pytest.mark.spark
@pytest.mark.full
def test_a_plan_prints_the_rows_of_each_template(build: Build) -> None:
    world, plan = plan_questions(build)
    lines = {line.template: line for line in count_expected_rows(build, world, plan)}
    assert set(lines) == set(TEMPLATES)
    assert lines["attribute.event.value"] == Line("attribute.event.value", 3, 3)
    text = io.StringIO()
    print_plan(build, Console(file=text, width=120))
    message = text.getvalue()
    total = sum(line.named + line.unnamed for line in lines.values())
    assert all(template in message for template in TEMPLATES)
    assert f"{total:,} rows, about" in message
    assert "disaster" in message


def test_budgets_are_compared_with_the_rows_of_their_templates() -> None:
    budgets = [
        {"templates": ["a.*"], "rows": 100, "unnamed": 20},
        {"templates": ["b"], "rows": 1000},
        {"templates": ["c"], "rows": 5},
        {"templates": ["d"], "rows": 0},
    ]
    lines = [Line("a.x", 30, 20), Line("a.y", 50, 0), Line("b", 995, 0), Line("e", 7, 0)]
    assert compare_budgets(ComplexTempQASettings(budgets=budgets), lines) == [
        BudgetRows("a.*: named", 100, 80),
        BudgetRows("a.*: unnamed", 20, 20),
        BudgetRows("b: named", 1000, 995),
        BudgetRows("c: named", 5, 0),
    ]
