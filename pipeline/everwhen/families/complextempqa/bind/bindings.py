"""Bindings of all templates but comparisons, enumerated: named and unnamed, each with why it is not asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.build import Build, run_parallel
from everwhen.core.quotas import reject_beyond
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.bind.compile import add_ids, bind_template, is_described
from everwhen.families.complextempqa.bind.declared import select_unique_descriptions
from everwhen.families.complextempqa.bind.unnamed import describe_subjects
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.budget import assign_budgets
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.question_type import Category, QuestionType
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.screen.balance import (
    BY_PROPERTY,
    BY_TEMPLATE,
    balance_answers,
    keep_paths_in_balance,
)
from everwhen.families.complextempqa.screen.recognition import derive_unread_unit
from everwhen.families.complextempqa.tables import BINDINGS
from everwhen.families.complextempqa.template import Template

OPEN_ANSWERS = (Category.ATTRIBUTE, Category.COUNTING)
"""Categories whose answers are balanced; the options of comparisons are in balance by themselves."""

OUTCOME = ("template_id", "slots", "reason")
"""What record counts show of a candidate and of what became of it."""

SEPARATOR = "\x1f"

TRIVIAL = ("0", "1")
"""Counts that say little."""


@dataclass(frozen=True)
class BoundTemplates:
    """The bindings of all templates but comparisons.

    Attributes:
        candidates: All of them: columns of the table `bindings`, and reason.
        asked: Those that are asked: columns of the table `bindings`.
        outcomes: What became of each candidate: columns of OUTCOME; reason is null of those that are asked.
    """

    candidates: DataFrame
    asked: DataFrame
    outcomes: DataFrame


def bind_templates(build: Build, world: WorldTables, templates: Sequence[Template]) -> BoundTemplates:
    """Bind all templates but comparisons, named and unnamed, and choose what is asked."""
    if not templates:
        none = build.spark.createDataFrame([], f"{BINDINGS.ddl}, reason string")
        return BoundTemplates(candidates=none, asked=none.drop("reason"), outcomes=none.select(*OUTCOME))
    # A checkpoint and no cache: with one, all that follows carries the plans of all templates along.
    found = _union(run_parallel(partial(bind_template, world, template) for template in templates))
    found = found.withColumn("reason", F.coalesce("reason", derive_unread_unit(templates)))
    named = _compute_once(build, add_ids(found, templates, build.config))
    unnamed = describe_subjects(named.where("reason IS NULL"), select_unique_descriptions(world))
    described = _compute_once(build, add_ids(unnamed.select(*found.columns), templates, build.config))
    candidates = named.unionByName(described)
    fit = candidates.where("reason IS NULL")
    judged = _choose(build, _compute_once(build, select_judged(fit)), templates)
    number = ["question_id", "template_id"]
    kept = F.broadcast(judged.where("reason IS NULL").select(*number))
    chosen = fit.drop("reason").join(judged.select(*number, "reason"), on=number, how="inner")
    return BoundTemplates(
        candidates=candidates,
        asked=fit.join(kept, on=number, how="left_semi").select(*(column.name for column in BINDINGS.columns)),
        outcomes=candidates.where("reason IS NOT NULL").select(*OUTCOME).unionByName(chosen.select(*OUTCOME)),
    )


def select_judged(candidates: DataFrame) -> DataFrame:
    """Select what decides which candidates are asked.

    Slots and metadata are left out, three quarters of a row, and no step needs to write an answer as text again.

    Args:
        candidates: Columns of the table `bindings`, and reason.

    Returns:
        Columns question_id, template_id, type, reason; is_described (whether an entity is described and not named),
        path (the property path that a question about an attribute follows, as text; empty where it follows none),
        asked_property (the template, the property and the path, as text), answer (as text), is_trivial (whether the
        answer is a count of TRIVIAL).
    """
    properties = (F.col("property").cast("string"), F.concat_ws(" ", "hops"))
    asked = F.concat_ws(SEPARATOR, "template_id", *(F.coalesce(column, F.lit("")) for column in properties))
    is_attribute, is_count = (
        F.col("type").isin(QuestionType.select(category)) for category in (Category.ATTRIBUTE, Category.COUNTING)
    )
    path = F.when(is_attribute & (F.size("hops") > 0), F.concat_ws(" ", "hops", properties[0]))
    return candidates.select(
        "question_id",
        "template_id",
        "type",
        is_described().alias("is_described"),
        F.coalesce(path, F.lit("")).alias("path"),
        asked.alias("asked_property"),
        F.to_json(F.struct("answer_text", "answer_entity")).alias("answer"),
        (is_count & F.col("answer_text")[0].isin(*TRIVIAL)).alias("is_trivial"),
        "reason",
    )


def _choose(build: Build, judged: DataFrame, templates: Sequence[Template]) -> DataFrame:
    """Give a reason to what is asked too often, and to what is beyond a budget, one step after the other.

    Each step reads the rows twice: without checkpoints the last would take all steps before it again.
    """
    if any(t.type.category is Category.ATTRIBUTE for t in templates):
        judged = checkpoint(balance_answers(judged, BY_PROPERTY, [Category.ATTRIBUTE]))
        judged = checkpoint(keep_paths_in_balance(judged))
    judged = checkpoint(balance_answers(judged, BY_TEMPLATE, OPEN_ANSWERS))
    chosen = apply_budgets(judged, build, templates)
    # Of few rows that a budget leaves an answer may have more than its share again.
    return chosen if chosen is judged else checkpoint(balance_answers(checkpoint(chosen), BY_TEMPLATE, OPEN_ANSWERS))


def apply_budgets(judged: DataFrame, build: Build, templates: Sequence[Template]) -> DataFrame:
    """Give a reason to what is beyond the rows that a budget wants: of its templates together the least ids are kept.

    How many follow a property path, the ids decide; of these as many of each path, as far as there are: one path may
    have most of them.

    Args:
        judged: Candidates (`select_judged`).
        build: Its configuration has the budgets.

    Returns:
        The same columns; the data frame itself where no budget is set.
    """
    config = read_settings(build.config)
    rows = [
        (template, number, wanted, unnamed)
        for template, number in assign_budgets(config, [t.id for t in templates]).items()
        for wanted, unnamed in ((config.budgets[number].rows, False), (config.budgets[number].unnamed, True))
    ]
    if not rows:
        return judged
    schema = "template_id string, budget int, wanted bigint, is_described boolean"
    budgets = F.broadcast(build.spark.createDataFrame(rows, schema))
    # Ids are hashes: the least of them are a sample that more rows wanted only adds to.
    group = ("budget", "is_described", "follows")
    position = F.row_number().over(Window.partitionBy("budget", "is_described").orderBy("question_id"))
    share = F.count_if(F.col("place") <= F.col("wanted")).over(Window.partitionBy(*group))
    turn = F.row_number().over(Window.partitionBy("budget", "is_described", "path").orderBy("question_id"))
    by_turns = Window.partitionBy(*group).orderBy(F.when(F.col("follows"), F.col("turn")), "question_id")
    first_beyond = (
        judged.where("reason IS NULL")
        .withColumn("follows", F.col("path") != "")
        .join(budgets, on=["template_id", "is_described"], how="inner")
        .select(*group, "path", "wanted", "question_id")
        .withColumns({"place": position, "turn": turn})
        .withColumns({"share": share, "rank": F.row_number().over(by_turns)})
        .where("rank > share")
        .groupBy("budget", "is_described", "path")
        .agg(F.min("question_id").alias("beyond"))
        .transform(checkpoint)
    )
    ends = budgets.join(F.broadcast(first_beyond), on=["budget", "is_described"], how="inner")
    ends = ends.select("template_id", "is_described", "path", "beyond")
    return reject_beyond(judged, ends, "question_id", BindingReason.OVER_BUDGET)


def _union(tables: Sequence[DataFrame]) -> DataFrame:
    """All rows of data frames with the same columns.

    Halves of halves: one after the other, each step would have the plan of all before it analysed again (6.7 s against
    2.0 s for the 71 templates of the sample's build).
    """
    half = len(tables) // 2
    return _union(tables[:half]).union(_union(tables[half:])) if half else tables[0]


def _compute_once(build: Build, rows: DataFrame) -> DataFrame:
    """The rows, computed once, in no more tasks than a shuffle has: a union has as many as all its parts together."""
    return rows.coalesce(int(build.spark.conf.get("spark.sql.shuffle.partitions") or 1)).transform(checkpoint)
