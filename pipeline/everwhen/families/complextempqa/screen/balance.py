"""Answers and property paths in balance.

Nobody scores above chance who always gives a template's commonest answer, and no path has more than a twelfth of the
questions about attributes that follow one.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.quotas import keep_least
from everwhen.core.session import checkpoint
from everwhen.families.complextempqa.question_type import Category, QuestionType
from everwhen.families.complextempqa.reasons import BindingReason

MIN_OPEN_ANSWERS = 5
"""From so many different answers on no share is above OPEN_SHARE; of fewer, k, none is above 1/k and MARGIN."""

MAX_OPEN_SHARE, MARGIN = Fraction(24, 100), Fraction(4, 100)
"""A quarter and five points, less what the lint may take of the other answers."""

TRIVIAL_SHARE = Fraction(16, 100)
"""Of five answers or more none that is trivial has a greater share, so that both have a third at most."""

MIN_KEPT_SHARE = 2
"""One in so many rows is kept at least for the sake of further answers."""

MIN_PATHS = 12
"""Of more paths than this none has more than a twelfth; of as many or fewer all are kept. Comparisons follow paths too,
and with them no path shall have more than a tenth."""

BY_PROPERTY = "asked_property"
"""A template may ask for several properties, each at the end of several paths."""

BY_TEMPLATE = "template_id"

Given = tuple[int, bool, int]
"""How often an answer is given, whether it is trivial, and how many answers are given as often."""


def balance_answers(judged: DataFrame, by: str, categories: Sequence[Category]) -> DataFrame:
    """Give a reason to questions whose answer is given too often; the least ids of each answer are kept.

    Args:
        judged: Candidates (`bindings.select_judged`).
        by: The column of what is balanced: BY_PROPERTY or BY_TEMPLATE.
        categories: The categories of the questions that are balanced.
    """
    types = [question_type for category in categories for question_type in QuestionType.select(category)]
    is_asked = F.col("type").isin(types) & F.col("reason").isNull()
    rows = judged.where(is_asked).select(F.col(by).alias("of"), "answer", "is_trivial", "question_id")
    commonest = Window.partitionBy("of").orderBy(F.desc("n"), "is_trivial", "answer")
    counts = (
        rows.groupBy("of", "answer", "is_trivial")
        .agg(F.count(F.lit(1)).alias("n"))
        .withColumn("answer_place", F.row_number().over(commonest))
        .transform(checkpoint)
    )
    limits = F.broadcast(
        judged.sparkSession.createDataFrame(
            _find_limits(counts), "of string, answers int, most bigint, most_trivial bigint"
        )
    )
    most = F.when(F.col("answer_place") > F.col("answers"), 0).otherwise(
        F.when(F.col("is_trivial"), F.col("most_trivial")).otherwise(F.col("most"))
    )
    often = counts.join(limits, on="of", how="inner").withColumn("most", most)
    limits = often.where("n > most").select(F.col("of").alias(by), "answer", "most")
    return keep_least(judged, limits, "question_id", BindingReason.COMMON_ANSWER, is_asked)


def _find_limits(counts: DataFrame) -> list[tuple[str, int, int, int]]:
    """Find the limits of each group; what is collected are the numbers of answers, and no rows."""
    by_group: dict[str, list[Given]] = defaultdict(list)
    for row in counts.groupBy("of", "n", "is_trivial").agg(F.count(F.lit(1)).alias("many")).collect():
        by_group[row["of"]].append((row["n"], row["is_trivial"], row["many"]))
    return [(of, *find_limits(given)) for of, given in by_group.items()]


def find_limits(given: Sequence[Given]) -> tuple[int, int, int]:
    """Find how many answers are kept, the commonest ones, and how often each may be given.

    As many answers as possible, and of these as many rows; but rare answers are left out where, for their sake, fewer
    than one in MIN_KEPT_SHARE rows would be kept.

    Args:
        given: All answers of a group.

    Returns:
        The number of answers, the greatest number of rows of one, and that of a trivial one. Nothing is kept where all
        answers are trivial.
    """
    ordered = sorted(given, key=lambda one: (-one[0], one[1]))
    number = sum(many for _, _, many in ordered)
    choices = [_compute_limits(_take(ordered, answers)) for answers in {min(k, number) for k in (2, 3, 4, number)}]
    most_rows = max(rows for rows, *_ in choices)
    _, answers, most, most_trivial = max(
        (choice for choice in choices if choice[0] * MIN_KEPT_SHARE >= most_rows), key=lambda choice: choice[1]
    )
    return answers, most, most_trivial


def _take(ordered: Sequence[Given], answers: int) -> list[Given]:
    """The commonest answers."""
    taken = []
    for n, trivial, many in ordered:
        taken.append((n, trivial, min(many, answers)))
        answers -= taken[-1][2]
    return taken


def _compute_limits(given: Sequence[Given]) -> tuple[int, int, int, int]:
    """The rows that are kept of some answers, their number, and the greatest limits within the shares of those rows."""
    answers = sum(many for _, _, many in given)
    trivial_answers = sum(many for _, trivial, many in given if trivial)
    if trivial_answers == answers:
        return 0, answers, 0, 0
    share, trivial_share = _limit_shares(answers, trivial_answers)
    most = most_trivial = max(n for n, _, _ in given)
    while True:
        rows = sum(many * min(n, most_trivial if trivial else most) for n, trivial, many in given)
        within = min(most, int(share * rows)), min(most_trivial, int(trivial_share * rows))
        if within == (most, most_trivial):
            return rows, answers, most, most_trivial
        most, most_trivial = within


def _limit_shares(answers: int, trivial: int) -> tuple[Fraction, Fraction]:
    """The greatest share of an answer, and of a trivial one.

    Of few answers the trivial ones have what the others must leave, and a point for rounding.
    """
    if answers == 1:
        return Fraction(1), Fraction(1)
    if answers >= MIN_OPEN_ANSWERS:
        return MAX_OPEN_SHARE, TRIVIAL_SHARE
    share = Fraction(1, answers) + MARGIN
    left = 1 + MARGIN - (answers - trivial) * share
    return share, min(share, left / trivial) if trivial else share


def keep_paths_in_balance(judged: DataFrame) -> DataFrame:
    """Give a reason to questions about attributes whose path is asked too often; the least ids of each path are kept.

    As many as possible are kept: where each path is asked M times at most, M is the greatest number that is no more
    than a twelfth of all that is left.

    Args:
        judged: Candidates (`bindings.select_judged`).
    """
    is_asked = (F.col("path") != "") & F.col("reason").isNull()
    rows = judged.where(is_asked).select("path", "question_id")
    counts = rows.groupBy("path").agg(F.count(F.lit(1)).alias("n")).transform(checkpoint)
    most = counts.agg(F.reverse(F.sort_array(F.collect_list("n"))).alias("most"))
    often = (
        counts.crossJoin(F.broadcast(most.select(_limit_paths().alias("most"))))
        .where("n > most")
        .select("path", "most")
    )
    return keep_least(judged, often, "question_id", BindingReason.COMMON_PATH, is_asked)


def _limit_paths() -> Column:
    """How often a path may be asked, from `most`: how often each is, the greatest first; null where they are few.

    With M of each path at most, the sum of min(n, M) is the least, over j, of j * M and what the commonest j leave. M
    is a twelfth of it for each j at most.
    """
    zero = F.lit(0).cast("bigint")
    rest = [F.aggregate(F.slice("most", j + 1, F.size("most")), zero, operator.add) for j in range(MIN_PATHS)]
    bounds = [(left - F.pmod(left, F.lit(MIN_PATHS - j))) / (MIN_PATHS - j) for j, left in enumerate(rest)]
    return F.when(F.size("most") > MIN_PATHS, F.least(*bounds).cast("bigint"))
