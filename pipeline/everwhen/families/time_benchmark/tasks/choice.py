"""Which candidates are asked: one a text and subtask, by hash, with kinds of questions and answers in balance."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.hashing import derive_id, hash_text
from everwhen.core.quotas import keep_least
from everwhen.core.session import checkpoint
from everwhen.families.time_benchmark.reasons import CandidateReason
from everwhen.families.time_benchmark.tasks.candidates import Texts

THIRD = 3
"""The options of a comparison, with the one that neither is right."""
REFUSED, REFUSED_IF = 20, 30
"""Of a hundred questions of a subtask and form those without an answer, at most; of counterfactual choices."""


def choose_candidates(candidates: DataFrame, contexts: DataFrame, texts: Texts) -> DataFrame:
    """Choose the candidates that are asked.

    Args:
        candidates: As the subtasks return them.
        contexts: Table `contexts`.
        texts: What is asked of, for the seed.

    Returns:
        The columns of the table `items`, days, and reason: null of those that are asked. Those that come after the one
        that a text asks are left out.
    """
    gives_away = F.exists(
        "answer",
        lambda name: (
            F.contains(F.lower("question"), F.lower(name)) & (F.col("form") == "free") & (F.col("task") != "timeline")
        ),
    )
    given = F.when(gives_away, CandidateReason.IN_QUESTION)
    place = Window.partitionBy("context_id", "task", given.isNull()).orderBy(F.col("fits").desc(), "hash", "key")
    judged = candidates.withColumns({"turn": F.row_number().over(place), "reason": given}).where(
        "turn = 1 OR reason IS NOT NULL"
    )
    chosen = judged.transform(lambda each: identify(each, texts)).transform(checkpoint)
    kept = offer_thirds(limit_refusals(chosen))
    return kept.join(contexts.select("context_id", "words", "split"), "context_id")


def identify(rows: DataFrame, texts: Texts) -> DataFrame:
    """Add the id of each row, by what it asks and in which form: column item_id."""
    numbers = F.array(hash_text(F.lit(texts.seed)), "context_id", *map(hash_text, ("task", "form", "key")))
    return rows.withColumn("item_id", derive_id(numbers))


def offer_thirds(rows: DataFrame) -> DataFrame:
    """Offer that neither of two is right where it is so, and twice as often where it is not, else two options.

    In most texts no two events were on one day, and no two facts surely lasted as long: who never chose it would be
    right half of the time. Facts and spans are counted apart: of spans more differ by less than a tenth.
    """
    group = ("task", F.element_at("parameters", F.lit("asked")))
    has_third, is_third = F.size("options") == THIRD, F.get("option_kinds", F.lit(THIRD - 1)) == "right"
    is_asked = F.col("reason").isNull() & (F.col("form") == "single") & has_third
    right = F.count_if(is_asked & is_third).over(Window.partitionBy(*group))
    place = F.row_number().over(Window.partitionBy(*group, is_asked, is_third).orderBy("item_id"))
    is_left_out = is_asked & ~is_third & (place > 2 * right)
    two = {
        name: F.slice(name, 1, F.when(is_left_out, 2).otherwise(F.size(name))) for name in ("options", "option_kinds")
    }
    return rows.withColumns(two)


def limit_refusals(rows: DataFrame) -> DataFrame:
    """Reject those without an answer beyond their share; the effects of free counterfactuals are in balance already."""
    is_if = F.col("task") == "counterfactual"
    is_none = F.col("is_refusal") & (~is_if | (F.col("form") == "single"))
    share = F.when(is_if, REFUSED_IF).otherwise(REFUSED)
    most = F.floor(F.count_if(~is_none) * share / (100 - share))
    limits = rows.where("reason IS NULL").groupBy("task", "form").agg(most.alias("most"))
    return keep_least(rows, limits, "item_id", CandidateReason.UNANSWERED, F.col("reason").isNull() & is_none)
