from __future__ import annotations

from itertools import combinations

import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from everwhen.families.complextempqa.bind.comparison import pairs, seated

pytestmark = pytest.mark.spark

SIZES, WIDTHS = range(1, 10), range(1, 7)


def order(salt: str) -> Column:
    return F.xxhash64(F.lit(salt), "key")


@pytest.fixture(scope="module")
def seats(spark: SparkSession) -> dict[int, DataFrame]:
    """Groups of one to nine keys, in one and in seven partitions; the keys of two groups are the same numbers."""
    rows = spark.createDataFrame([(n, key) for n in SIZES for key in range(100, 100 + n)], "size int, key int")
    return {
        number: seated(rows.repartition(number), ["size"], "key", order("salt")).localCheckpoint() for number in (1, 7)
    }


def found(joined: DataFrame) -> dict[int, list[tuple[int, ...]]]:
    """The keys that are joined, by size of their group."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for row in joined.collect():
        assert len({side.size for side in row}) == 1
        groups.setdefault(row[0].size, []).append(tuple(sorted(side.key for side in row)))
    return groups


def everybody(size: int, number: int) -> set[tuple[int, ...]]:
    return set(combinations(range(100, 100 + size), number))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_ring_pairs_each_with_its_next_and_nobody_twice(seats: dict[int, DataFrame], width: int) -> None:
    groups = found(pairs(seats[1], width))
    for size in SIZES:
        two = groups.get(size, [])
        assert len(two) == len(set(two)), "no unordered pair twice"
        assert all(a != b for a, b in two), "nobody with oneself"
        if width >= size // 2:
            assert set(two) == everybody(size, 2)
        else:
            assert len(two) == width * size
            assert {sum(key in one for one in two) for key in range(100, 100 + size)} == {2 * width}


def test_partitions_change_nothing(seats: dict[int, DataFrame]) -> None:
    one, seven = (sorted(map(str, pairs(seats[n], 3).collect())) for n in (1, 7))
    assert one == seven


def test_the_order_of_the_ring_goes_by_the_salt(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("g", n) for n in range(9)], "name string, key int")
    first, second = (
        {frozenset((a.key, b.key)) for a, b in pairs(seated(rows, ["name"], "key", order(salt)), 1).collect()}
        for salt in "ab"
    )
    assert len(first) == len(second) == 9
    assert first != second


def test_a_group_is_told_by_all_its_parts(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("a", "bc", 1), ("ab", "c", 2), ("a", "bc", 3)], "x string, y string, key int")
    joined = pairs(seated(rows, ["x", "y"], "key", order("salt")), 4).collect()
    assert [{a.key, b.key} for a, b in joined] == [{1, 3}]
