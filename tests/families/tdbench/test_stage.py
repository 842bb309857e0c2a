"""What the stage does with questions when all that is wrong with them is known."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.families.tdbench.reasons import BindReason
from everwhen.families.tdbench.stage import balance_unanswered

pytestmark = pytest.mark.spark

CELL = "declaration string, task string, relation string, is_short boolean"


def test_a_relation_has_no_more_questions_without_an_answer_than_with_one(spark: SparkSession) -> None:
    cell, other = ("t", "sets", "after", False), ("t", "sets", "meets", False)
    items = [
        (1, *cell, "none", None),
        (2, *cell, "none", None),
        (3, *cell, "unique", None),
        (4, *cell, "several", "not recognised"),
        (5, *cell, "none", "not recognised"),
        (6, *other, "none", None),
        (7, *other, "unique", None),
        (8, *other, "unique", None),
    ]
    texts = spark.createDataFrame(items, f"item_id bigint, {CELL}, cardinality string, reason string")
    found = {row.item_id: row.reason for row in balance_unanswered(texts).collect()}
    assert found == {item[0]: BindReason.UNANSWERED if item[0] == 2 else item[-1] for item in items}
