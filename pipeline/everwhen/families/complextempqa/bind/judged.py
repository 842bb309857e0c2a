"""What decides which candidates are asked: a few narrow columns, computed once for all steps that judge them."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.compile import is_described
from everwhen.families.complextempqa.question_type import Category, QuestionType

SEPARATOR = "\x1f"

TRIVIAL = ("0", "1")
"""Counts that say little."""


def select_judged(candidates: DataFrame) -> DataFrame:
    """Select what decides which candidates are asked.

    Slots and metadata are left out, three quarters of a row, and no step needs to write an answer as text again.

    Args:
        candidates: Columns of the table `bindings`, and reason.

    Returns:
        Columns question_id, template_id, type, reason; is_described (whether an entity is described and not named),
        path (`derive_path`), asked_property (the template, the property and the path, as text), answer (as text),
        is_trivial (whether the answer is a count of TRIVIAL).
    """
    properties = (F.col("property").cast("string"), F.concat_ws(" ", "hops"))
    asked = F.concat_ws(SEPARATOR, "template_id", *(F.coalesce(column, F.lit("")) for column in properties))
    is_count = F.col("type").isin(QuestionType.select(Category.COUNTING))
    return candidates.select(
        "question_id",
        "template_id",
        "type",
        is_described().alias("is_described"),
        derive_path().alias("path"),
        asked.alias("asked_property"),
        F.to_json(F.struct("answer_text", "answer_entity")).alias("answer"),
        (is_count & F.col("answer_text")[0].isin(*TRIVIAL)).alias("is_trivial"),
        "reason",
    )


def derive_path() -> Column:
    """The property path that a question about an attribute follows, as text; empty where it follows none."""
    follows = F.col("type").isin(QuestionType.select(Category.ATTRIBUTE)) & (F.size("hops") > 0)
    return F.when(follows, F.concat_ws(" ", F.array_join("hops", " "), F.col("property").cast("string"))).otherwise("")
