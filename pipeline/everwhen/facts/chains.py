"""Chains of redirects, followed to their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def resolve_chains(source: NDArray[Any], target: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Follow redirects of any length to their ends.

    Each round doubles the length of the way that is covered, so that millions of redirects take a second or two.

    >>> ends, is_circular = resolve_chains(np.array([1, 2, 5, 6, 8]), np.array([2, 3, 6, 5, 8]))
    >>> ends.tolist(), is_circular.tolist()
    ([3, 3, 6, 5, 8], [False, False, True, True, True])

    Args:
        source: What is redirected, each once; numbers, or texts as objects.
        target: Where each leads.

    Returns:
        The end of each redirect, and whether it is or leads into a circle; its end is then its own target.
    """
    if not len(source):
        return target.copy(), np.zeros(0, dtype=np.bool_)
    order = np.argsort(source, kind="stable")
    number = np.minimum(np.searchsorted(source[order], target), len(source) - 1)
    following = order[number]
    goes_on = source[following] == target
    last = np.where(goes_on, following, np.arange(len(source)))
    open_ones = np.flatnonzero(goes_on & goes_on[last])
    # A chain without a circle has at most as many redirects as there are.
    for _ in range(len(source).bit_length()):
        last[open_ones] = last[last[open_ones]]
        open_ones = open_ones[goes_on[last[open_ones]]]
    return np.where(goes_on[last], target, target[last]), goes_on[last]
