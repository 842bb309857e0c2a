from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.families.complextempqa.count_balance import find_most, keep_counts_in_balance

pytestmark = pytest.mark.spark

TOO_COMMON = "too many questions of the template have this answer"


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ({"0": 10, "1": 10}, {"0": 10, "1": 10}),
        # 54 percent of two answers.
        ({"0": 100, "1": 10}, {"0": 11, "1": 10}),
        # 24 percent of five.
        ({"0": 90, "1": 10, "2": 10, "3": 10, "4": 10}, {"0": 12, "1": 10, "2": 10, "3": 10, "4": 10}),
        # For the sake of the one row of 9 all others would shrink to a few.
        ({"0": 50, "1": 50, "9": 1}, {"0": 50, "1": 50}),
        ({"0": 7}, {}),
    ],
)
def test_answers_are_kept_in_balance(rows: dict[str, int], kept: dict[str, int]) -> None:
    assert find_most(rows) == kept


def test_of_a_common_answer_the_least_ids_are_kept(spark: SparkSession) -> None:
    rows = [(n, "t", "3a", ["0"], None) for n in range(100)] + [(200 + n, "t", "3a", ["1"], None) for n in range(10)]
    rows += [(300, "t", "3a", ["0"], "why"), (400, "u", "2a", ["yes"], None)]
    ddl = "question_id bigint, template_id string, type string, answer_text array<string>, reason string"
    judged = keep_counts_in_balance(spark.createDataFrame(rows, ddl).repartition(3)).collect()
    assert len(judged) == len(rows)
    assert {r.question_id: r.reason for r in judged} == {
        n: reason or (TOO_COMMON if 11 <= n < 100 else None) for n, _, _, _, reason in rows
    }
