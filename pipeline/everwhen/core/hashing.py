"""Splits: train, validation and test by a hash of the asked entity, stable under a new snapshot."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.core.config import Config


def split_of(key: Column, config: Config) -> Column:
    """The split of an asked entity, or of whatever key stands for what is asked.

    Args:
        key: Item id, or text.
        config: Seed and shares.
    """
    bucket = F.pmod(F.xxhash64(F.lit(f"{config.seed}\x1fsplit"), key), F.lit(100))
    shares = config.splits
    return (
        F.when(bucket < shares.train, "train")
        .when(bucket < shares.train + shares.validation, "validation")
        .otherwise("test")
    )
