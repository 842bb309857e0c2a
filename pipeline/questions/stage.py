"""The stage questions: bindings, then text."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from pipeline.accounting import entered, gather, tally
from pipeline.build import Build
from pipeline.questions.bind.world import World
from pipeline.questions.compile import bind
from pipeline.questions.render import render
from pipeline.template import chosen_templates
from pipeline.tables.accounts import accounts
from pipeline.tables.bindings import BINDINGS
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.tables.members import MEMBERS
from pipeline.tables.names import NAMES
from pipeline.tables.questions import QUESTIONS
from pipeline.validate.lint import lint


class DuplicateIdError(Exception):
    """Two different bindings have the same 63-bit id."""


def run_questions(build: Build) -> None:
    """Write the tables of the stage questions.

    Raises:
        InputError: A template is wrong, or a table of the stage world is missing.
        DuplicateIdError: Two bindings share an id; change the configuration's seed.
    """
    templates = chosen_templates(build.config.questions.templates)
    world = World.of(build)
    candidates = reduce(DataFrame.unionByName, (bind(world, template) for template in templates))
    # A checkpoint and no cache: with one, all that follows carries the plans of all templates along.
    candidates = candidates.localCheckpoint()
    bindings = build.make(BINDINGS, lambda: candidates.where("reason IS NULL"))
    _refuse_duplicate_ids(bindings)
    rendered = render(bindings, build.read(NAMES), build.read(DESCRIPTIONS), build.read(MEMBERS), templates)
    judged = judge(rendered).localCheckpoint()
    build.make(QUESTIONS, lambda: judged.where("reason IS NULL"))
    slots = F.concat_ws(" ", "template_id", F.to_json("slots"))
    parts = [
        entered(candidates, "binding"),
        tally(candidates, "binding", F.col("reason"), slots),
        entered(bindings, "question"),
        tally(judged, "question", F.col("reason"), F.coalesce("question", "template_id")),
    ]
    build.make(accounts("questions"), lambda: gather(parts))


def judge(rendered: DataFrame) -> DataFrame:
    """Say of each rendered question why it must not be asked, or nothing.

    Args:
        rendered: Columns of the table `questions`, and choice.

    Returns:
        Those columns, and reason.
    """
    same_text = F.count(F.lit(1)).over(Window.partitionBy("question")) > 1
    reason = (
        F.when(F.col("question").isNull(), "an entity has no unambiguous name")
        .when(F.col("answer").isNull() | F.exists("answer", lambda a: a.isNull()), "the answer cannot be told")
        .when(F.col("lint").isNotNull(), F.col("lint"))
        .when(same_text, "another question has the same text")
    )
    return lint(rendered).withColumn("reason", reason).drop("lint")


def _refuse_duplicate_ids(bindings: DataFrame) -> None:
    """Fail where two bindings share an id, naming both.

    Raises:
        DuplicateIdError: They do.
    """
    pairs = (
        bindings.groupBy("question_id")
        .agg(F.count(F.lit(1)).alias("n"), F.collect_list(F.to_json(F.struct("template_id", "slots"))).alias("rows"))
        .where("n > 1")
        .orderBy("question_id")
        .limit(1)
        .collect()
    )
    if pairs:
        rows = "  and  ".join(sorted(pairs[0]["rows"])[:2])
        raise DuplicateIdError(f"question_id {pairs[0]['question_id']} belongs to two bindings: {rows}")
