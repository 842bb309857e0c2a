from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.families.complextempqa.balance import BY_PATH, BY_TEMPLATE, balanced
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.tables.bindings import BINDINGS
from frames import frame

pytestmark = pytest.mark.spark


def kept_of(spark: SparkSession, rows: list[dict[str, Any]], *by: tuple[str, ...], partitions: int = 2) -> set[int]:
    """The ids of the rows that are left when answers are balanced."""
    bound = frame(spark, BINDINGS, rows).withColumn("reason", F.when(F.col("template_id") == "rejected", F.lit("odd")))
    for one in by:
        bound = balanced(bound.repartition(partitions), one)
    reasons = {row.question_id: row.reason for row in bound.collect()}
    assert set(reasons.values()) <= {None, "odd", BindingReason.COMMON_ANSWER}
    return {number for number, reason in reasons.items() if reason is None}


def allowed(counts: list[int]) -> int:
    """The greatest number of one answer within its share, found by trying."""
    share = Fraction(1, 4) if len(counts) >= 5 else Fraction(1, len(counts)) + Fraction(1, 20)
    within = [m for m in range(1, max(counts) + 1) if m <= share * sum(min(n, m) for n in counts)]
    return max(within) if len(counts) > 1 else max(counts)


def test_as_much_is_kept_as_the_share_allows_and_of_each_answer_the_least_ids(spark: SparkSession) -> None:
    chance = Random(1)
    cases = [[1], [9], [5, 5], [9, 1], [20, 9, 2], [8, 8, 8], [40, 3, 2, 1], [284, 2, 1, 1], [10, 1, 1, 1, 1], [6] * 5]
    cases += [[chance.choice((1, 2, 5, 30, 80)) for _ in range(chance.randint(2, 12))] for _ in range(40)]
    rows, expected = [], set()
    for case, counts in enumerate(cases):
        ids = chance.sample(range(case * 10_000, (case + 1) * 10_000), sum(counts))
        for answer, n in enumerate(counts):
            mine = [ids.pop() for _ in range(n)]
            expected |= set(sorted(mine)[: allowed(counts)])
            # Items and texts are answers alike.
            given = {"answer_entity": [answer + 1]} if case % 2 else {"answer_text": [f"text {answer}"]}
            rows += [{"question_id": n, "template_id": f"t{case}", "type": "1b", **given} for n in mine]
    assert kept_of(spark, rows, BY_TEMPLATE) == expected
    assert kept_of(spark, rows[::-1], BY_TEMPLATE, partitions=5) == expected
    shares = Counter(row["template_id"] for row in rows if row["question_id"] in expected)
    assert (shares["t0"], shares["t1"], shares["t3"], shares["t7"], shares["t8"]) == (1, 9, 2, 4, 5)


def test_what_is_asked_by_another_way_is_balanced_for_itself(spark: SparkSession) -> None:
    plain = {"template_id": "t", "type": "1b"}
    rows = [
        # Of one property all answers are the same but one, of the other all differ.
        *({**plain, "question_id": n, "property": 1, "hops": [], "answer_text": ["a"]} for n in range(1, 9)),
        {**plain, "question_id": 9, "property": 1, "hops": [], "answer_text": ["b"]},
        *({**plain, "question_id": 20 + n, "property": 2, "hops": [], "answer_text": [str(n)]} for n in range(10)),
        *({**plain, "question_id": 40 + n, "property": 1, "hops": [5, 1], "answer_text": ["a"]} for n in range(3)),
        {**plain, "question_id": 50, "property": 1, "hops": [5, 1], "answer_text": ["c"]},
        # What is rejected counts for nothing, and neither do comparisons and counts.
        *({**plain, "question_id": 60 + n, "template_id": "rejected", "answer_text": ["z"]} for n in range(5)),
        *({**plain, "question_id": 70 + n, "template_id": "u", "type": "3a", "answer_text": ["1"]} for n in range(5)),
        {**plain, "question_id": 76, "template_id": "u", "type": "3a", "answer_text": ["2"]},
    ]
    others = {*range(20, 30), *range(70, 75), 76}
    assert kept_of(spark, rows, BY_PATH) == {1, 9, 40, 50, *others}
    # All of the template together have twelve answers: of eleven "a" a quarter of the rest and these.
    assert kept_of(spark, rows, BY_TEMPLATE) == {1, 2, 3, 4, 9, 50, *others}
