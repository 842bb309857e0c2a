from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError
from everwhen.evaluate.retrieval import dense
from everwhen.evaluate.retrieval.collection import Document
from everwhen.evaluate.retrieval.dense import Dense, DenseSettings
from everwhen.evaluate.retrieval.vectors import Matrix

VECTORS: Mapping[str, list[float]] = {
    "east": [1, 0],
    "far east": [9, 0],
    "north": [0, 1],
    "north east": [3, 3],
    "west": [-1, 0],
    "": [0, 0],
}


def look_up(texts: Sequence[str]) -> Matrix:
    return np.array([VECTORS[text] for text in texts], dtype=np.float32)


def find(texts: Sequence[str], query: str, top: int = 10, similarity: str = "cosine") -> list[str]:
    documents = {str(number): Document(str(number), text) for number, text in enumerate(texts)}
    [(_, ranking)] = Dense(documents, look_up, DenseSettings("m", similarity)).retrieve({"q": query}, top)
    return [texts[int(one.doc_id)] for one in ranking]


def test_the_closest_direction_is_first() -> None:
    assert find(["north", "north east", "west", "far east"], "east") == ["far east", "north east", "north", "west"]


def test_the_dot_product_counts_lengths() -> None:
    texts = ["east", "north east", "far east"]
    assert find(texts, "north east", similarity="dot") == ["far east", "north east", "east"]
    assert find(texts, "north east") == ["north east", "east", "far east"]


def test_blank_texts_match_nothing() -> None:
    assert find(["", "west"], "east") == ["west"]
    assert find(["west"], " ") == []
    assert find([""], "east") == []


def test_the_best_of_many_are_returned() -> None:
    assert find(["west", "north", "east"], "east", top=1) == ["east"]


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=40), st.integers(1, 7))
def test_equal_documents_are_in_ascending_id(texts: list[str], block: int) -> None:
    generator = np.random.default_rng(0)
    vectors = {text: generator.normal(size=37) for text in ("a", "b", "c", "q")}
    documents = {str(number): Document(str(number), text) for number, text in enumerate(texts)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense, "DOCUMENTS_AT_ONCE", block)
        retriever = Dense(
            documents, lambda texts: np.array([vectors[t] for t in texts], dtype=np.float32), DenseSettings("m")
        )
        found = dict(retriever.retrieve({str(number): "q" for number in range(40)}, len(texts)))
    cosines = {t: vectors[t] @ vectors["q"] / np.linalg.norm(vectors[t]) for t in "abc"}
    expected = sorted(range(len(texts)), key=lambda number: (-cosines[texts[number]], number))
    assert list(found) == [str(number) for number in range(40)]
    assert {tuple(int(one.doc_id) for one in ranking) for ranking in found.values()} == {tuple(expected)}


def test_prefixes_are_written_before_texts() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Matrix:
        asked.extend(texts)
        return np.ones((len(texts), 2), dtype=np.float32)

    documents = {"1": Document("1", "text", "title"), "2": Document("2", "")}
    retriever = Dense(documents, embed, DenseSettings("m", query_prefix="query: ", document_prefix="passage: "))
    list(retriever.retrieve({"q": "why"}, 1))
    assert asked == ["passage: title text", "", "query: why"]
    assert retriever.settings == {
        "name": "dense",
        "model": "m",
        "similarity": "cosine",
        "query_prefix": "query: ",
        "document_prefix": "passage: ",
        "dimensions": 2,
    }


def test_vectors_of_another_length_are_refused() -> None:
    sizes = iter((2, 3))
    retriever = Dense(
        {"1": Document("1", "a")}, lambda texts: np.ones((1, next(sizes)), dtype=np.float32), DenseSettings("m")
    )
    with pytest.raises(InputError, match="m: queries and documents have vectors of different lengths"):
        list(retriever.retrieve({"q": "a"}, 1))
