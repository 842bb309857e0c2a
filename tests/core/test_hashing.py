from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.hash_chains import START, extend_hashes
from everwhen.core.hashing import assign_split

pytestmark = pytest.mark.spark


def test_shares_hold_and_the_split_goes_by_key_and_seed(spark: SparkSession) -> None:
    config = Config(version="0.1", snapshot="s")
    shares = {
        "usual": config,
        "next": config.model_copy(update={"snapshot": "t", "version": "0.2"}),
        "salted": config.model_copy(update={"seed": "other"}),
        "half": Config(version="0.1", snapshot="s", splits={"train": 50, "validation": 0, "test": 50}),
        "all": Config(version="0.1", snapshot="s", splits={"train": 100, "validation": 0, "test": 0}),
    }
    keys = spark.range(20_000)
    rows = keys.select(*(assign_split(F.col("id"), c).alias(name) for name, c in shares.items())).toPandas()
    usual = rows["usual"].value_counts(normalize=True)
    assert abs(usual["train"] - 0.8) < 0.01
    assert abs(usual["validation"] - 0.1) < 0.01
    assert rows["usual"].equals(rows["next"]), "a new snapshot moves nobody"
    assert 0.6 < (rows["usual"] == rows["salted"]).mean() < 0.7
    assert set(rows["half"]) == {"train", "test"}
    assert set(rows["all"]) == {"train"}
    # Who is in train with the small share is there with the large one.
    assert set(rows["usual"][rows["half"] == "train"]) == {"train"}


def test_the_split_of_known_keys_stays(spark: SparkSession) -> None:
    config = Config(version="0.1", snapshot="s")
    keys = spark.createDataFrame([(n,) for n in range(1, 13)], "key bigint")
    rows = keys.select("key", assign_split(F.col("key"), config).alias("split")).collect()
    assert {row.key: row.split for row in rows if row.split != "train"} == {
        1: "test",
        3: "validation",
        4: "test",
        11: "test",
    }


def chained(numbers: Sequence[int]) -> int:
    """The chain that docs/reference/stability.md describes."""
    value = START
    for number in numbers:
        value = xxhash.xxh64((number % 2**64).to_bytes(8, "little"), seed=value).intdigest()
    return value


NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=4)


@given(rows=st.lists(NUMBERS, min_size=1, max_size=3))
def test_a_chain_is_that_of_xxhash(rows: list[list[int]]) -> None:
    width = min(map(len, rows))
    hashes = np.uint64(START)
    for place in range(width):
        hashes = extend_hashes(hashes, np.array([row[place] for row in rows], dtype=np.int64))
    assert hashes.tolist() == [chained(row[:width]) for row in rows]


def test_spark_makes_the_same_chains_of_columns_and_of_arrays(spark: SparkSession) -> None:
    rows = [(7, -1, "né"), (2**62, 0, "")]
    df = spark.createDataFrame(rows, "a bigint, b bigint, text string")
    text = F.xxhash64("text")
    found = df.select(F.xxhash64("a", "b", text).alias("columns"), F.xxhash64(F.array("a", "b", text)).alias("array"))
    expected = [chained([a, b, xxhash.xxh64(word.encode(), seed=START).intdigest()]) for a, b, word in rows]
    assert [row["columns"] % 2**64 for row in found.collect()] == expected
    assert [row["array"] % 2**64 for row in found.collect()] == expected
