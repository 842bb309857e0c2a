from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everwhen.evaluate.retrieval.ranking import Ranked, order_id, rank, select_top

FEW_SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.5]), min_size=1, max_size=30)


@given(FEW_SCORES, st.integers(1, 40))
def test_the_best_are_selected_as_sorting_all_would(scores: list[float], top: int) -> None:
    doc_ids = sorted((str(n) for n in range(len(scores))), key=order_id)
    expected = sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:top]
    found = select_top(doc_ids, np.array(scores), top)
    assert [int(one.doc_id) for one in found] == expected
    assert found == rank(Ranked(*pair) for pair in zip(doc_ids, scores, strict=True))[:top]


@given(FEW_SCORES, st.data())
def test_a_selection_among_some_leaves_out_the_others(scores: list[float], data: st.DataObject) -> None:
    among = sorted(data.draw(st.sets(st.integers(0, len(scores) - 1))))
    found = select_top([str(n) for n in range(len(scores))], np.array(scores), 5, np.array(among, dtype=np.intp))
    assert [int(one.doc_id) for one in found] == sorted(among, key=lambda n: (-scores[n], n))[:5]


def test_integers_ascend_by_value_and_before_texts() -> None:
    ids = ["b", "10", "9", "0", "-1", "09", "B", "1" * 19, "9" * 18]
    assert sorted(ids, key=order_id) == ["0", "9", "10", "9" * 18, "-1", "09", "1" * 19, "B", "b"]


@given(st.lists(st.text(st.sampled_from("019ab"), min_size=1, max_size=3), unique=True), st.randoms())
def test_ids_have_one_order(ids: list[str], random: object) -> None:
    once = sorted(ids, key=order_id)
    random.shuffle(ids)  # type: ignore[attr-defined]
    assert sorted(ids, key=order_id) == once
