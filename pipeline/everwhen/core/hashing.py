"""Hashes of stable keys: ids, splits, and every choice that must not follow anything.

All of them are chains of XXH64, the 64-bit xxHash, over numbers and texts: a text counts as the number XXH64(its UTF-8
bytes, seed 42), and a chain begins at 42 and takes each next number as XXH64(its 8 bytes, little-endian, seed: what the
chain has come to). Spark's `xxhash64` makes such chains of bigint columns, and of arrays of them; `chain` makes them of
arrays in a Python worker (`everwhen.core.hash_chains`).
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.errors import InputError

MAX_ID = 0x7FFF_FFFF_FFFF_FFFF
"""The greatest id: 63 bits, so that no reader sees a negative one."""


def assign_split(key: Column, config: Config) -> Column:
    """Assign a split to the key of a question: an item id or a text.

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


def hash_text(text: Column | str) -> Column:
    """Return the number that represents a text in a chain, a bigint."""
    return F.xxhash64(text)


def derive_id(numbers: Column) -> Column:
    """Derive the id of what is asked from all that is hashed: an array of bigint, the hash of the seed first."""
    return F.xxhash64(numbers).bitwiseAND(F.lit(MAX_ID))


class DuplicateIdError(InputError):
    """Two different things have the same 63-bit id; the configuration needs another seed."""


def refuse_duplicate_ids(rows: DataFrame, name: str, shown: Column) -> None:
    """Fail where two rows share an id, showing both.

    Args:
        rows: The rows.
        name: The column of the ids.
        shown: What a row is shown by, a text.

    Raises:
        DuplicateIdError: They do.
    """
    grouped = rows.groupBy(name).agg(F.count(F.lit(1)).alias("n"), F.min_by(shown, shown, 2).alias("shown"))
    pairs = grouped.where("n > 1").orderBy(name).limit(1).collect()
    if pairs:
        both = "  and  ".join(pairs[0]["shown"])
        raise DuplicateIdError(f"seed: take another one: {name} {pairs[0][name]} belongs to two of them: {both}")
