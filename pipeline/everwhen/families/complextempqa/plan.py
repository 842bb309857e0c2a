"""What a build will ask, before it does: rows of each template, what is asked about most, the bytes of the dataset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import functions as F
from rich.console import Console
from rich.table import Table

from everwhen.core.build import Build
from everwhen.families.base import BudgetRows
from everwhen.families.complextempqa.blocks import Block
from everwhen.families.complextempqa.budget import Quota, assign_budgets
from everwhen.families.complextempqa.compile import is_described
from everwhen.families.complextempqa.config import Settings, read_settings
from everwhen.families.complextempqa.stage import Plan, plan_questions
from everwhen.families.complextempqa.tables.questions import QUESTIONS

BYTES_A_ROW = 31
"""Measured on the hundred million rows of configs/scale.yaml: 11 of them are the question, 8 its id."""

WORST = 5
"""How many blocks are shown."""


@dataclass(frozen=True)
class Line:
    """Rows of one template: named, and unnamed."""

    template: str
    named: int
    unnamed: int


def count_expected_rows(plan: Plan) -> list[Line]:
    """Count the rows that each template will make: enumerated bindings by counting, comparisons by their quotas.

    The lint takes some of them, whose texts are not known yet.
    """
    rows: dict[tuple[str, bool], float] = defaultdict(float)
    kept = plan.bindings.judged.where("reason IS NULL").groupBy("template_id", is_described().alias("described"))
    for row in kept.agg(F.count(F.lit(1)).alias("n")).collect():
        rows[row["template_id"], row["described"]] += row["n"]
    for quota in plan.quotas:
        rows[quota.template, quota.unnamed] += quota.rows
    names = sorted(template.id for template in plan.templates)
    return [Line(name, round(rows[name, False]), round(rows[name, True])) for name in names]


def find_most_asked_blocks(quotas: Sequence[Quota], blocks: Sequence[Block]) -> list[tuple[Block, float]]:
    """Find the blocks whose subjects are asked about most, with the number of rows of a subject."""
    rows: dict[int, float] = defaultdict(float)
    for quota in quotas:
        rows[quota.block] += quota.size * quota.rows
    each = [(blocks[number], total / blocks[number].size) for number, total in rows.items()]
    return sorted(each, key=lambda found: (-found[1], found[0].number))[:WORST]


def compare_budgets(config: Settings, lines: Sequence[Line]) -> list[BudgetRows]:
    """Compare what each budget asks for with the rows of its templates; a budget of no rows is left out."""
    number = assign_budgets(config, [line.template for line in lines])
    found = []
    for position, budget in enumerate(config.budgets):
        mine = [line for line in lines if number.get(line.template) == position]
        for variant, asked, rows in (
            ("named", budget.rows, sum(line.named for line in mine)),
            ("unnamed", budget.unnamed, sum(line.unnamed for line in mine)),
        ):
            if asked:
                found.append(BudgetRows(f"{', '.join(budget.templates)}: {variant}", asked, rows))
    return found


def compare_made(build: Build) -> list[BudgetRows]:
    """Compare what each budget asks for with the questions that were made."""
    counted = build.read(QUESTIONS).groupBy("template_id").pivot("is_unnamed", [False, True]).count().na.fill(0)
    lines = [Line(row["template_id"], row["false"], row["true"]) for row in counted.collect()]
    return compare_budgets(read_settings(build.config), lines)


def print_plan(build: Build, console: Console) -> None:
    """Show what the stage questions of a build would make.

    Args:
        build: A build whose stage world is finished.
        console: Where to.

    Raises:
        InputError: A template or a budget is wrong, or a table of the stage world is missing.
    """
    _, plan = plan_questions(build)
    lines = count_expected_rows(plan)
    table = Table("template", "named", "unnamed", title="rows expected, at most")
    for column in table.columns[1:]:
        column.justify = "right"
    for line in lines:
        table.add_row(line.template, f"{line.named:,}", f"{line.unnamed:,}")
    total = sum(line.named + line.unnamed for line in lines)
    table.add_section()
    table.add_row("all", f"{sum(line.named for line in lines):,}", f"{sum(line.unnamed for line in lines):,}")
    console.print(table)
    keys = Table("compared", "of", "split", "subjects", "rows a subject", title="asked about most")
    for block, each in find_most_asked_blocks(plan.quotas, plan.members.blocks):
        keys.add_row(block.key, block.list or block.grouping, block.split, f"{block.size:,}", f"{each:,.0f}")
    console.print(keys)
    # What is a hundredth short is what hashes decide.
    short = [one for one in compare_budgets(read_settings(build.config), lines) if one.made < 0.99 * one.asked]
    if short:
        budgets = Table("budget", "asked", "expected", title="budgets that cannot be filled: the world is too small")
        for one in short:
            budgets.add_row(one.budget, f"{one.asked:,}", f"{one.made:,}")
        console.print(budgets)
    console.print(f"{total:,} rows, about {total * BYTES_A_ROW / 1e6:,.0f} MB")
