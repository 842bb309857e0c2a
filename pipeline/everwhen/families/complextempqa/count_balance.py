"""Answers of counting questions in balance, so that no number can be guessed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.session import held
from everwhen.families.complextempqa.question_type import Category, QuestionType
from everwhen.families.complextempqa.reasons import BindingReason

MANY_ANSWERS = 5
"""From so many answers on, none has more than MOST_OF_MANY of a template's rows."""

MOST_OF_MANY = 24
"""In percent: a quarter, less what the lint may take of the other answers."""

LEAST_SHARE = 6
"""One in so many rows is kept at least for the sake of further answers."""

ABOVE_CHANCE = 4
"""Percent by which one of fewer answers may be above its even share: five, less the same."""


def find_most(rows: Mapping[str, int]) -> dict[str, int]:
    """Find how many rows of each answer are kept, in balance.

    As many answers as possible, and of these as many rows; but a rare answer is left out where, for its sake, fewer
    than one in LEAST_SHARE rows would be kept.

    Args:
        rows: How many rows each answer has.

    Returns:
        By answer; nothing where there are no two answers.
    """
    answers = sorted(rows, key=lambda answer: (-rows[answer], answer))
    best: dict[str, int] = {}
    most = 0
    for number in range(2, len(answers) + 1):
        kept = _cap({answer: rows[answer] for answer in answers[:number]})
        most = max(most, sum(kept.values()))
        if sum(kept.values()) * LEAST_SHARE >= most:
            best = kept
    return best


def _cap(rows: Mapping[str, int]) -> dict[str, int]:
    """The rows of each answer under the greatest cap that the greatest share allows."""
    number = len(rows)
    percent = MOST_OF_MANY if number >= MANY_ANSWERS else 100 / number + ABOVE_CHANCE
    low, high = 0, max(rows.values())
    while low < high:
        cap = (low + high + 1) // 2
        kept = [min(n, cap) for n in rows.values()]
        low, high = (cap, high) if 100 * max(kept) <= percent * sum(kept) else (low, cap - 1)
    return {answer: min(n, low) for answer, n in rows.items()}


def keep_counts_in_balance(bound: DataFrame) -> DataFrame:
    """Give a reason to the counts whose answer is too common in their template: of each answer the least ids are kept.

    Args:
        bound: Columns of the table `bindings`, and reason.
    """
    counts = bound.where(F.col("reason").isNull() & F.col("type").isin(QuestionType.select(Category.COUNTING)))
    number = F.col("answer_text")[0]
    by_template: dict[str, dict[str, int]] = defaultdict(dict)
    for row in counts.groupBy("template_id", number.alias("number")).count().collect():
        by_template[row["template_id"]][row["number"]] = row["count"]
    most = [
        (template, answer, kept.get(answer, 0))
        for template, rows in by_template.items()
        for kept in (find_most(rows),)
        for answer in rows
    ]
    if not most:
        return bound
    places = (
        counts.select("template_id", number.alias("number"), "question_id")
        .withColumn("place", F.row_number().over(Window.partitionBy("template_id", "number").orderBy("question_id")))
        .join(
            F.broadcast(bound.sparkSession.createDataFrame(most, "template_id string, number string, most bigint")),
            on=["template_id", "number"],
            how="inner",
        )
        .where("place > most")
        .select("question_id", F.lit(BindingReason.ANSWER_TOO_COMMON).alias("too_common"))
        .transform(held)
    )
    return (
        bound.join(places, on="question_id", how="left")
        .withColumn("reason", F.coalesce("reason", "too_common"))
        .select(*bound.columns)
    )
