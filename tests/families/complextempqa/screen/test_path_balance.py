from __future__ import annotations

from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.bindings import select_judged
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.screen.balance import keep_paths_in_balance
from everwhen.families.complextempqa.tables import BINDINGS
from table_rows import build_table

pytestmark = pytest.mark.spark


def kept_of(spark: SparkSession, rows: list[dict[str, Any]], partitions: int = 2) -> set[int]:
    """The ids of the rows that are left when paths are balanced."""
    bound = build_table(spark, BINDINGS, rows).withColumn(
        "reason", F.when(F.col("template_id") == "rejected", F.lit("odd"))
    )
    left = keep_paths_in_balance(select_judged(bound).repartition(partitions)).collect()
    reasons = {row.question_id: row.reason for row in left}
    assert len(reasons) == len(left) == len(rows)
    assert set(reasons.values()) <= {None, "odd", BindingReason.COMMON_PATH}
    return {number for number, reason in reasons.items() if reason is None}


def allowed(counts: list[int]) -> int:
    """The greatest number of one path within a twelfth, found by trying."""
    return max(m for m in range(max(counts) + 1) if 12 * m <= sum(min(n, m) for n in counts))


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param([37, *[5] * 16], id="one-is-too-frequent", marks=pytest.mark.full),
        pytest.param([90, 60, 30, 20, *[7] * 10, 1], id="four-are"),
        pytest.param([4] * 13, id="none-is", marks=pytest.mark.full),
        pytest.param([1] * 12 + [500], id="one-beside-twelve"),
    ],
)
def test_of_each_path_the_least_ids_are_kept(spark: SparkSession, counts: list[int]) -> None:
    ids = Random(1).sample(range(10_000), sum(counts))
    rows, expected = [], set()
    for path, n in enumerate(counts):
        mine = [ids.pop() for _ in range(n)]
        expected |= set(sorted(mine)[: allowed(counts)])
        # Paths of several templates are one population; a path's last property may be another one's first.
        asks = {"template_id": f"t{path % 3}", "type": ("1a", "1b", "1bc")[path % 3], "hops": [path + 1, 19]}
        rows += [{"question_id": i, "property": 19, **asks} for i in mine]
    # What is no path, is compared or was rejected neither counts nor goes.
    others = [
        {"question_id": 20_000 + i, "template_id": "plain", "type": "1b", "hops": [], "property": 19} for i in range(50)
    ] + [{"question_id": 30_000 + i, "template_id": "pair", "type": "2b", "hops": [1, 19]} for i in range(50)]
    odd = [{"question_id": 40_000, "template_id": "rejected", "type": "1b", "hops": [1, 19], "property": 19}]
    assert kept_of(spark, rows + others + odd) == expected | {row["question_id"] for row in others}
    if counts[0] == 90:
        # In another order, and in more partitions.
        again = kept_of(spark, (rows + others + odd)[::-1], partitions=5)
        assert again == expected | {row["question_id"] for row in others}


def test_of_few_paths_all_are_kept(spark: SparkSession) -> None:
    rows = [
        {"question_id": 100 * path + i, "template_id": "t", "type": "1b", "hops": [path, 19], "property": 19}
        for path in range(1, 13)
        for i in range(2 * path)
    ]
    assert len(kept_of(spark, rows)) == len(rows)
