from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.bindings import select_judged
from everwhen.families.complextempqa.question_type import Category
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.screen.balance import (
    BY_PROPERTY,
    BY_TEMPLATE,
    MIN_KEPT_SHARE,
    balance_answers,
    find_limits,
)
from everwhen.families.complextempqa.tables import BINDINGS
from table_rows import build_table

pytestmark = pytest.mark.spark


def kept_of(spark: SparkSession, rows: list[dict[str, Any]], *by: str, partitions: int = 2) -> set[int]:
    """The ids of the rows that are left when answers are balanced."""
    bound = build_table(spark, BINDINGS, rows).withColumn(
        "reason", F.when(F.col("template_id") == "rejected", F.lit("odd"))
    )
    judged = select_judged(bound)
    for one in by:
        judged = balance_answers(judged.repartition(partitions), one, [Category.ATTRIBUTE])
    reasons = {row.question_id: row.reason for row in judged.collect()}
    assert set(reasons.values()) <= {None, "odd", BindingReason.COMMON_ANSWER}
    return {number for number, reason in reasons.items() if reason is None}


def allowed(counts: list[int]) -> list[int]:
    """How many rows of each answer are kept, the commonest first, found by trying."""
    if len(counts) == 1:
        return counts
    ordered, choices = sorted(counts, reverse=True), []
    for answers in sorted({*range(2, min(len(counts), 4) + 1), len(counts)}):
        share = Fraction(24, 100) if answers >= 5 else Fraction(1, answers) + Fraction(4, 100)
        top = ordered[:answers]
        most = max(m for m in range(max(top) + 1) if m <= share * sum(min(n, m) for n in top))
        choices.append([min(n, most) for n in top])
    enough = max(map(sum, choices))
    return [kept for kept in choices if sum(kept) * MIN_KEPT_SHARE >= enough][-1]


def test_least_ids_of_each_answer_are_kept(spark: SparkSession) -> None:
    chance = Random(1)
    cases = [[1], [9], [5, 5], [9, 1], [20, 9, 2], [8, 8, 8], [40, 3, 2, 1], [284, 2, 1, 1], [10, 1, 1, 1, 1], [6] * 5]
    cases += [[chance.choice((1, 2, 5, 30, 80)) for _ in range(chance.randint(2, 12))] for _ in range(40)]
    rows, expected = [], set()
    for case, counts in enumerate(cases):
        ids = chance.sample(range(case * 10_000, (case + 1) * 10_000), sum(counts))
        # Of two answers given as often the one whose text or item is the lesser.
        ordered = sorted(range(len(counts)), key=lambda answer: (-counts[answer], f"{answer + 1:02}"))
        kept = dict(zip(ordered, allowed(counts), strict=False))
        for answer, n in enumerate(counts):
            mine = [ids.pop() for _ in range(n)]
            expected |= set(sorted(mine)[: kept.get(answer, 0)])
            # Items and texts are answers alike.
            given = {"answer_entity": [answer + 11]} if case % 2 else {"answer_text": [f"text {answer + 11}"]}
            rows += [{"question_id": n, "template_id": f"t{case}", "type": "1b", **given} for n in mine]
    assert kept_of(spark, rows, BY_TEMPLATE) == expected
    assert kept_of(spark, rows[::-1], BY_TEMPLATE, partitions=5) == expected
    shares = Counter(row["template_id"] for row in rows if row["question_id"] in expected)
    assert (shares["t0"], shares["t1"], shares["t3"], shares["t7"], shares["t8"]) == (1, 9, 2, 4, 5)


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ({"2": 10, "3": 10}, {"2": 10, "3": 10}),
        # 54 percent of two answers.
        ({"2": 100, "3": 10}, {"2": 11, "3": 10}),
        # 24 percent of five.
        ({"9": 90, "5": 10, "2": 10, "3": 10, "4": 10}, {"9": 12, "5": 10, "2": 10, "3": 10, "4": 10}),
        # For the sake of the one row of 9 all others would shrink to a few.
        ({"2": 50, "3": 50, "9": 1}, {"2": 50, "3": 50}),
        ({"2": 7}, {"2": 7}),
        # Of many answers 0 and 1 have a third together, of few as little as the others leave; alone they say nothing.
        (
            {"0": 50, "1": 50, "2": 20, "3": 20, "4": 20, "5": 20},
            {"0": 18, "1": 18, "2": 20, "3": 20, "4": 20, "5": 20},
        ),
        ({"0": 50, "1": 50, "2": 20}, {"0": 20, "1": 20, "2": 20}),
        ({"1": 50, "2": 20}, {"1": 20, "2": 20}),
        ({"0": 50, "1": 50}, {}),
    ],
)
def test_answers_are_kept_in_balance(rows: dict[str, int], kept: dict[str, int]) -> None:
    of_counts = Counter((n, answer in ("0", "1")) for answer, n in rows.items())
    answers, most, most_trivial = find_limits([(n, trivial, many) for (n, trivial), many in of_counts.items()])
    ordered = sorted(rows, key=lambda answer: (-rows[answer], answer in ("0", "1"), answer))[:answers]
    found = {a: min(rows[a], most_trivial if a in ("0", "1") else most) for a in ordered}
    assert {answer: n for answer, n in found.items() if n} == kept


def test_of_a_common_count_the_least_ids_are_kept(spark: SparkSession) -> None:
    numbers = {"2": 100, "3": 40, "0": 50}
    rows = [
        {"question_id": 1000 * int(number) + n, "template_id": "t", "type": "3a", "answer_text": [number]}
        for number, many in numbers.items()
        for n in range(many)
    ]
    rows += [{"question_id": 9999, "template_id": "u", "type": "2a", "answer_text": ["yes"]}]
    bound = build_table(spark, BINDINGS, rows).withColumn("reason", F.when(F.col("question_id") == 2000, F.lit("why")))
    judged = balance_answers(select_judged(bound).repartition(3), BY_TEMPLATE, [Category.COUNTING]).collect()
    assert len(judged) == len(rows)
    kept = {r.question_id for r in judged if r.reason is None}
    # Of 99, 40, and 50 that say little, which may be 37 and 29 percent.
    assert kept == {9999, *range(2001, 2045), *range(3000, 3040), *range(34)}
    assert {r.question_id: r.reason for r in judged}[2000] == "why"


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
    assert kept_of(spark, rows, BY_PROPERTY) == {1, 9, 40, 50, *others}
    # All of the template together have twelve answers: of eleven "a" a quarter, less a point, of the rest and these.
    assert kept_of(spark, rows, BY_TEMPLATE) == {1, 2, 3, 9, 50, *others}
