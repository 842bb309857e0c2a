"""Answers in balance: nobody scores above chance who always gives a template's commonest answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.session import held
from everwhen.families.complextempqa.question_type import Category, QuestionType
from everwhen.families.complextempqa.reasons import BindingReason

SEPARATOR = "\x1f"

OPEN = 5
"""From so many different answers on no share is above OPEN_SHARE; of fewer, k, none is above 1/k and MARGIN."""

OPEN_SHARE, MARGIN = Fraction(1, 4), Fraction(1, 20)

BY_PATH = ("template_id", "property", "hops")
"""What asks for one thing: a template may ask for several properties."""

BY_TEMPLATE = ("template_id",)


def balanced(bound: DataFrame, by: Sequence[str]) -> DataFrame:
    """Give a reason to questions about attributes whose answer is given too often; the least ids of each are kept.

    As many as possible are kept: where each answer is given M times at most, M is the greatest number that is still
    within the share of all that is left.

    Args:
        bound: Columns of the table `bindings`, and reason.
        by: Columns of what is balanced: BY_PATH or BY_TEMPLATE.
    """
    group = F.concat_ws(SEPARATOR, *(F.coalesce(_text(name), F.lit("")) for name in by))
    answer = F.to_json(F.struct("answer_text", "answer_entity"))
    asked = F.col("type").isin(QuestionType.select(Category.ATTRIBUTE)) & F.col("reason").isNull()
    rows = bound.where(asked).select(group.alias("of"), answer.alias("given"), "question_id")
    counts = rows.groupBy("of", "given").agg(F.count(F.lit(1)).alias("n")).transform(held)
    # Four answers decide: were five given most often, each would be a fifth of them at most.
    place = F.row_number().over(Window.partitionBy("of").orderBy(F.desc("n"), "given"))
    limits = (
        counts.withColumn("place", place)
        .groupBy("of")
        .agg(
            F.count(F.lit(1)).alias("answers"),
            F.sum("n").alias("total"),
            *(F.sum(F.when(F.col("place") <= j, F.col("n")).otherwise(0)).alias(f"top_{j}") for j in range(OPEN - 1)),
        )
        .select("of", _limit().alias("limit"))
    )
    often = counts.join(F.broadcast(limits), on="of", how="inner").where("n > limit")
    within = Window.partitionBy("of", "given").orderBy("question_id")
    ends = (
        rows.join(F.broadcast(often), on=["of", "given"], how="inner")
        .withColumn("place", F.row_number().over(within))
        .where("place = limit + 1")
        .select("of", "given", F.col("question_id").alias("beyond"))
        .transform(held)
    )
    beyond = asked & (F.col("question_id") >= F.col("beyond"))
    return (
        bound.withColumns({"of": group, "given": answer})
        .join(F.broadcast(ends), on=["of", "given"], how="left")
        .withColumn("reason", F.coalesce("reason", F.when(beyond, F.lit(BindingReason.COMMON_ANSWER))))
        .select(*bound.columns)
    )


def _text(name: str) -> Column:
    """A column as text."""
    return F.concat_ws(" ", name) if name == "hops" else F.col(name).cast("string")


def _limit() -> Column:
    """How often an answer may be given, from answers, total and top_0 to top_3: how often the commonest are given.

    With M of each answer at most, the sum of min(n, M) is the least, over j, of j * M and what the commonest j leave. M
    is within the share of it for each j.
    """
    shares = {k: Fraction(1, k) + MARGIN for k in range(2, OPEN)}
    by_number = [F.when(F.col("answers") == k, _limit_of(share)) for k, share in shares.items()]
    return F.coalesce(*by_number, F.when(F.col("answers") >= OPEN, _limit_of(OPEN_SHARE)), F.col("total"))


def _limit_of(share: Fraction) -> Column:
    """How often an answer may be given, of a share; in whole numbers."""
    bounds = []
    for j in range(OPEN - 1):
        left = share.denominator - share.numerator * j
        if left > 0:
            rest = F.col("total") - F.col(f"top_{j}")
            bounds.append((rest * share.numerator - F.pmod(rest * share.numerator, F.lit(left))) / left)
    return F.least(*bounds).cast("bigint")
