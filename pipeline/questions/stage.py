"""The stage questions: bindings, then text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from pipeline.accounting import entered, gather, tally
from pipeline.build import Build, side_by_side
from pipeline.questions.bind.world import World
from pipeline.questions.compile import candidates, complete
from pipeline.questions.render import render
from pipeline.questions.unnamed import unnamed
from pipeline.tables.accounts import accounts
from pipeline.tables.bindings import BINDINGS
from pipeline.tables.descriptions import DESCRIPTIONS
from pipeline.tables.members import MEMBERS
from pipeline.tables.names import NAMES
from pipeline.tables.questions import QUESTIONS
from pipeline.template import Template, chosen_templates
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
    # A checkpoint and no cache: with one, all that follows carries the plans of all templates along.
    found = side_by_side(partial(candidates, world, template) for template in templates)
    named = _whole(build, _union(found))
    described = unnamed(_with_type(named.where("reason IS NULL"), templates), build.read(DESCRIPTIONS), build.config)
    bound = _whole(build, complete(named.unionByName(described.drop("type")), templates, build.config))
    bindings = build.make(BINDINGS, lambda: bound.where("reason IS NULL"))
    _refuse_duplicate_ids(bindings)
    rendered = render(bindings, build.read(NAMES), build.read(DESCRIPTIONS), build.read(MEMBERS), templates)
    judged = judge(rendered).localCheckpoint()
    build.make(QUESTIONS, lambda: judged.where("reason IS NULL"))
    slots = F.concat_ws(" ", "template_id", F.to_json("slots"))
    parts = [
        entered(bound, "binding"),
        tally(bound, "binding", F.col("reason"), slots),
        entered(bindings, "question"),
        tally(judged, "question", F.col("reason"), F.coalesce("question", "template_id")),
    ]
    build.make(accounts("questions"), lambda: gather(parts))


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    """All rows of frames of the same columns.

    Halves of halves: one after the other, each step would have the plan of all before it analysed again (6.7 s against
    2.0 s for the 71 templates of the sample's build).
    """
    half = len(frames) // 2
    return _union(frames[:half]).union(_union(frames[half:])) if half else frames[0]


def _whole(build: Build, rows: DataFrame) -> DataFrame:
    """The rows, computed once, in no more tasks than a shuffle has: a union has as many as all its parts together."""
    return rows.coalesce(int(build.spark.conf.get("spark.sql.shuffle.partitions") or 1)).localCheckpoint()


def _with_type(named: DataFrame, templates: Sequence[Template]) -> DataFrame:
    """Candidates with the type of their templates."""
    types = named.sparkSession.createDataFrame([(t.id, t.type) for t in templates], "template_id string, type string")
    return named.join(F.broadcast(types), on="template_id", how="inner")


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
