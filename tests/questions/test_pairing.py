from __future__ import annotations

from itertools import combinations, product

import pytest
from pyspark.sql import SparkSession

from pipeline.questions.bind.comparison import ring

pytestmark = pytest.mark.spark

SIZES, WIDTHS = range(1, 10), range(1, 7)


@pytest.fixture(scope="module")
def groups(spark: SparkSession) -> list[tuple[int, int]]:
    """Groups of one to nine keys; the keys of two groups are the same numbers."""
    return [(size, key) for size in SIZES for key in range(100, 100 + size)]


def test_a_ring_pairs_each_with_its_next_and_nobody_twice(spark: SparkSession, groups: list[tuple[int, int]]) -> None:
    pairs: dict[tuple[int, int, int], list[frozenset[int]]] = {}
    for partitions, width in product((1, 7), WIDTHS):
        rows = spark.createDataFrame(groups, "size int, key int").repartition(partitions)
        for a, b in ring(rows, ["size"], "key", width, "salt").collect():
            assert a.size == b.size
            pairs.setdefault((partitions, width, a.size), []).append(frozenset((a.key, b.key)))
    for width, size in product(WIDTHS, SIZES):
        found = pairs.get((1, width, size), [])
        assert sorted(map(sorted, found)) == sorted(map(sorted, pairs.get((7, width, size), [])))
        assert len(found) == len(set(found)), "no unordered pair twice"
        assert all(len(pair) == 2 for pair in found), "nobody with oneself"
        everybody = {frozenset(pair) for pair in combinations(range(100, 100 + size), 2)}
        if width >= size // 2:
            assert set(found) == everybody
        else:
            assert len(found) == width * size
            meets = [sum(key in pair for pair in found) for key in range(100, 100 + size)]
            assert meets == [2 * width] * size


def test_the_order_of_the_ring_goes_by_the_salt(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("g", n) for n in range(9)], "name string, key int")
    first, second = (
        {frozenset((a.key, b.key)) for a, b in ring(rows, ["name"], "key", 1, salt).collect()} for salt in "ab"
    )
    assert len(first) == len(second) == 9
    assert first != second


def test_a_group_is_told_by_all_its_parts(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("a", "bc", 1), ("ab", "c", 2), ("a", "bc", 3)], "x string, y string, key int")
    found = ring(rows, ["x", "y"], "key", 4, "salt").collect()
    assert [{a.key, b.key} for a, b in found] == [{1, 3}]
