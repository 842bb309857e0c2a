from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.hashing import split_of

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
    rows = keys.select(*(split_of(F.col("id"), c).alias(name) for name, c in shares.items())).toPandas()
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
    rows = keys.select("key", split_of(F.col("key"), config).alias("split")).collect()
    assert {row.key: row.split for row in rows if row.split != "train"} == {
        1: "test",
        3: "validation",
        4: "test",
        11: "test",
    }
