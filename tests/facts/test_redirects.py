from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.facts.redirects import resolve_chains

CASES = {
    "no redirect": ({}, {}),
    "one": ({1: 2}, {1: 2}),
    "a chain": ({n: n + 1 for n in range(1, 100)}, dict.fromkeys(range(1, 100), 100)),
    "a chain backwards": ({n: n - 1 for n in range(1, 9)}, dict.fromkeys(range(1, 9), 0)),
    "two into one": ({1: 3, 2: 3, 3: 4}, {1: 4, 2: 4, 3: 4}),
    "to itself": ({1: 1, 2: 3}, {1: None, 2: 3}),
    "a circle of two": ({1: 2, 2: 1}, {1: None, 2: None}),
    "a circle of three, and a way into it": ({1: 2, 2: 3, 3: 1, 4: 1}, dict.fromkeys(range(1, 5))),
    "beyond the greatest source": ({5: 9, 1: 9}, {5: 9, 1: 9}),
}


def follow(redirects: dict[int, int], source: int) -> int | None:
    """The end of one redirect, step by step; None in a circle."""
    seen, end = {source}, redirects[source]
    while end in redirects:
        if end in seen:
            return None
        seen.add(end)
        end = redirects[end]
    return end


def resolve(redirects: dict[int, int], dtype: type) -> dict[int, int | None]:
    """The ends by source; None in a circle."""
    texts = [[f"{n:03d}" if dtype is object else n for n in each] for each in (redirects.keys(), redirects.values())]
    source, target = (np.array(each, dtype=dtype) for each in texts)
    ends, is_circular = resolve_chains(source, target)
    assert ends[is_circular].tolist() == target[is_circular].tolist()
    found = zip(redirects, ends.tolist(), is_circular.tolist(), strict=True)
    return {source: None if circular else int(end) for source, end, circular in found}


@pytest.mark.parametrize("dtype", [np.int64, object])
@pytest.mark.parametrize("name", CASES)
def test_chains_of_redirects(name: str, dtype: type) -> None:
    redirects, expected = CASES[name]
    assert resolve(redirects, dtype) == expected


@given(st.dictionaries(st.integers(0, 30), st.integers(0, 30)))
def test_chains_end_where_following_them_step_by_step_does(redirects: dict[int, int]) -> None:
    assert resolve(redirects, np.int64) == {source: follow(redirects, source) for source in redirects}
