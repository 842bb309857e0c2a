"""What a build will ask, before it does: rows of each template, what is asked about most, the bytes of the dataset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from rich.console import Console
from rich.table import Table

from everwhen.core.build import Build
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.budget import assign_budgets
from everwhen.families.complextempqa.compare.blocks import Block
from everwhen.families.complextempqa.compare.pairs import Binder
from everwhen.families.complextempqa.compare.quotas import Chunk, Quota
from everwhen.families.complextempqa.config import ComplexTempQASettings, read_settings
from everwhen.families.complextempqa.render.bindings import render_bindings, with_wordings
from everwhen.families.complextempqa.render.comparisons import ComparisonRenderer
from everwhen.families.complextempqa.render.write import take_rows
from everwhen.families.complextempqa.stage import Plan, plan_questions, prepare_comparisons, read_texts
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.families.complextempqa.template import Template
from everwhen.families.family_build import BudgetRows

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


COUNTED = "template_id string, is_unnamed boolean, rows bigint"
"""The questions of a batch, by template and whether subjects are described."""


RENDERED = 2_000
"""So many comparisons of a quota are rendered, about: all of a small one."""
PLACES = 8
"""At how many places of a block they begin."""


def count_expected_rows(build: Build, world: WorldTables, plan: Plan) -> list[Line]:
    """Count the rows that each template will make, without those that the lint will reject.

    Bindings of attributes and counts are rendered. Of comparisons a part of each quota is, and the share that the lint
    rejects is deducted from all.

    Args:
        world: Its world.
        plan: What will be asked.
    """
    rows: dict[tuple[str, bool], float] = defaultdict(float)
    schema = to_arrow_schema(QUESTIONS.schema)
    counted = read_texts(build, plan.bindings.asked).mapInArrow(partial(_count_sound, plan.templates, schema), COUNTED)
    for row in counted.collect():
        rows[row["template_id"], row["is_unnamed"]] += row["rows"]
    binder, renderer = prepare_comparisons(world, plan.members, plan.quotas, plan.templates)
    for quota in plan.quotas:
        sound = _estimate_sound_share(binder, renderer, quota, plan.members.blocks[quota.block])
        rows[quota.template, quota.unnamed] += quota.rows * sound
    names = sorted(template.id for template in plan.templates)
    return [Line(name, round(rows[name, False]), round(rows[name, True])) for name in names]


def _count_sound(
    templates: Sequence[Template], schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Render bindings in a worker, and count those that the lint accepts: rows of COUNTED."""
    in_use = sorted(templates, key=lambda template: template.id)
    for batch in batches:
        named = with_wordings(pa.Table.from_batches([batch]), in_use)
        by_wording = named.sort_by([("template", "ascending"), ("wording_number", "ascending")])
        rows, errors = render_bindings(by_wording, in_use, schema)
        sound = rows.take(pa.array(np.setdiff1d(np.arange(len(rows)), list(errors))))
        counts = sound.group_by(["template_id", "is_unnamed"]).aggregate([([], "count_all")])
        ordered = counts.select(["template_id", "is_unnamed", "count_all"])
        as_text = ordered.set_column(0, "template_id", ordered["template_id"].cast(pa.string()))
        yield from as_text.rename_columns(["template_id", "is_unnamed", "rows"]).to_batches()


def _estimate_sound_share(binder: Binder, renderer: ComparisonRenderer, quota: Quota, block: Block) -> float:
    """Estimate the share of a quota's comparisons that the lint accepts; all of a small quota are rendered."""
    bound = binder.bind(_sample_members(quota, block))
    asked = take_rows(bound, np.flatnonzero(bound["reveals_order"] == 0)) if bound else {}
    if not asked or not len(asked["question_id"]):
        return 1.0
    asked["wording"] = renderer.choose_wordings(asked)
    texts, errors = renderer.render_texts(take_rows(asked, renderer.order_group(asked)))
    return 1 - len(errors) / len(texts)


def _sample_members(quota: Quota, block: Block) -> list[Chunk]:
    """Sample members of a block, which are in the order of their values, from several places of it."""
    if quota.rows <= RENDERED:
        return [Chunk(quota, 0, block.size - 1)]
    members = max(1, int(block.size * RENDERED / quota.rows))
    width = members // PLACES
    if width == 0:
        return [Chunk(quota, 0, members - 1)]
    starts = [block.size * place // PLACES for place in range(PLACES)]
    return [Chunk(quota, start, start + width - 1) for start in starts]


def find_most_asked_blocks(quotas: Sequence[Quota], blocks: Sequence[Block]) -> list[tuple[Block, float]]:
    """Find the blocks whose subjects are asked about most, with the number of rows of a subject."""
    rows: dict[int, float] = defaultdict(float)
    for quota in quotas:
        rows[quota.block] += quota.size * quota.rows
    each = [(blocks[number], total / blocks[number].size) for number, total in rows.items()]
    return sorted(each, key=lambda found: (-found[1], found[0].number))[:WORST]


def compare_budgets(config: ComplexTempQASettings, lines: Sequence[Line]) -> list[BudgetRows]:
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
    world, plan = plan_questions(build)
    lines = count_expected_rows(build, world, plan)
    named, unnamed = sum(line.named for line in lines), sum(line.unnamed for line in lines)
    table = Table("template", "named", "unnamed", title="rows expected")
    for column in table.columns[1:]:
        column.justify = "right"
    for line in lines:
        table.add_row(line.template, f"{line.named:,}", f"{line.unnamed:,}")
    table.add_section()
    table.add_row("all", f"{named:,}", f"{unnamed:,}")
    console.print(table)
    keys = Table("compared", "of", "split", "subjects", "rows a subject", title="asked about most")
    for block, each in find_most_asked_blocks(plan.quotas, plan.members.blocks):
        keys.add_row(block.key, block.list or block.grouping, block.split, f"{block.size:,}", f"{each:,.0f}")
    console.print(keys)
    _print_short_budgets(compare_budgets(read_settings(build.config), lines), console)
    total = named + unnamed
    console.print(f"{total:,} rows, about {total * BYTES_A_ROW / 1e6:,.0f} MB")


def _print_short_budgets(budgets: Sequence[BudgetRows], console: Console) -> None:
    """Show the budgets that will not be filled, if there are any."""
    # What is a hundredth short is what hashes decide.
    short = [one for one in budgets if one.made < 0.99 * one.asked]
    if short:
        table = Table("budget", "asked", "expected", title="budgets that cannot be filled: the world is too small")
        for one in short:
            table.add_row(one.budget, f"{one.asked:,}", f"{one.made:,}")
        console.print(table)
