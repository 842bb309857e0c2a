"""Hashes of stable keys: ids, splits, and every choice that must not follow anything.

All of them are chains of XXH64, the 64-bit xxHash, over numbers and texts: a text stands for the number XXH64(its UTF-8
bytes, seed 42), and a chain begins at 42 and takes each next number as XXH64(its 8 bytes, little-endian, seed: what the
chain has come to). Spark's `xxhash64` makes such chains of bigint columns, and of arrays of them; `chain` makes them of
arrays in a Python worker.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.core.config import Config

Hashes = npt.NDArray[np.uint64]

START = 42
"""The seed of a chain's first hash, as in Spark."""

LARGEST = 0x7FFF_FFFF_FFFF_FFFF
"""The greatest id: 63 bits, so that no reader sees a negative one."""

_P1, _P2, _P3, _P4, _P5 = (
    np.uint64(prime)
    for prime in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)


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


def hash_text(text: Column | str) -> Column:
    """Return the number that a text stands for in a chain, a bigint."""
    return F.xxhash64(text)


def chain(hashes: Hashes | np.uint64, numbers: npt.NDArray[np.int64] | np.int64 | int) -> Hashes:
    """Take each chain one number further.

    Args:
        hashes: What the chains have come to; one for all, or one each.
        numbers: The next number, one for all or one each.

    Returns:
        XXH64 of the 8 bytes of each number, with the hash as the seed.
    """
    word = np.asarray(numbers, dtype=np.int64).view(np.uint64)
    with np.errstate(over="ignore"):  # 64-bit words wrap around
        state = (np.asarray(hashes, dtype=np.uint64) + _P5 + np.uint64(8)) ^ (_rotate(word * _P2, 31) * _P1)
        state = _rotate(state, 27) * _P1 + _P4
        state = (state ^ (state >> np.uint64(33))) * _P2
        state = (state ^ (state >> np.uint64(29))) * _P3
        found: Hashes = state ^ (state >> np.uint64(32))
    return found


def _rotate(words: Hashes, bits: int) -> Hashes:
    """Rotate 64-bit words to the left."""
    rotated: Hashes = (words << np.uint64(bits)) | (words >> np.uint64(64 - bits))
    return rotated
