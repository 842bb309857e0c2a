"""Chains of XXH64 over numbers, in numpy: what Spark's `xxhash64` makes of bigint columns (`everwhen.core.hashing`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]

START = 42
"""The seed of a chain's first hash, as in Spark."""

_P1, _P2, _P3, _P4, _P5 = (
    np.uint64(prime)
    for prime in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)


def extend_hashes(hashes: Hashes | np.uint64, numbers: npt.NDArray[np.int64] | np.int64 | int) -> Hashes:
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
    rotated: Hashes = (words << np.uint64(bits)) | (words >> np.uint64(64 - bits))
    return rotated
