from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.evaluate.retrieval.hybrid import Hybrid, fuse, fuse_runs
from everwhen.evaluate.retrieval.ranking import Ranked, Ranking

RANKINGS = st.lists(
    st.permutations("abcdefg").map("".join).flatmap(lambda ids: st.integers(0, 7).map(lambda n: ids[:n]))
)


def ranking_of(ids: str) -> Ranking:
    return tuple(Ranked(doc_id, float(-place)) for place, doc_id in enumerate(ids))


@given(RANKINGS, st.integers(1, 100))
def test_a_score_is_the_sum_of_reciprocal_ranks(rankings: list[str], k: int) -> None:
    exact = {
        doc_id: sum((Fraction(1, k + ids.index(doc_id) + 1) for ids in rankings if doc_id in ids), Fraction())
        for doc_id in set("".join(rankings))
    }
    fused = fuse([ranking_of(ids) for ids in rankings], k)
    assert {one.doc_id: one.score for one in fused} == pytest.approx({key: float(sum_) for key, sum_ in exact.items()})
    assert [exact[one.doc_id] for one in fused] == sorted(exact.values(), reverse=True)


@given(RANKINGS, st.randoms())
def test_the_order_of_the_rankings_does_not_matter(rankings: list[str], random: Any) -> None:
    fused = fuse([ranking_of(ids) for ids in rankings])
    random.shuffle(rankings)
    assert fuse([ranking_of(ids) for ids in rankings]) == fused


def test_equal_sums_are_in_ascending_id() -> None:
    assert [one.doc_id for one in fuse([ranking_of("ba"), ranking_of("ab")])] == ["a", "b"]


def test_runs_are_fused_query_by_query() -> None:
    fused = fuse_runs([{"1": ranking_of("ab"), "2": ranking_of("a")}, {"1": ranking_of("bc"), "3": ranking_of("d")}], 2)
    assert {query_id: [one.doc_id for one in ranking] for query_id, ranking in fused.items()} == {
        "1": ["b", "a"],
        "2": ["a"],
        "3": ["d"],
    }


class Fixed:
    """Finds the same documents for each query."""

    def __init__(self, ids: str) -> None:
        self._ids = ids
        self.tops: list[int] = []

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"name": self._ids}

    def retrieve(self, queries: Mapping[str, str], top: int) -> Iterator[tuple[str, Ranking]]:
        self.tops.append(top)
        for query_id in queries:
            yield query_id, ranking_of(self._ids)


def test_a_hybrid_fuses_more_than_it_returns() -> None:
    parts = [Fixed("abc"), Fixed("cb")]
    hybrid = Hybrid(parts, 60)
    found = dict(hybrid.retrieve({"1": "", "2": ""}, 2))
    assert {query_id: [one.doc_id for one in ranking] for query_id, ranking in found.items()} == {
        "1": ["c", "b"],
        "2": ["c", "b"],
    }
    assert [part.tops for part in parts] == [[100], [100]]
    assert (hybrid.settings["k"], hybrid.settings["retrievers"]) == (60, [{"name": "abc"}, {"name": "cb"}])
