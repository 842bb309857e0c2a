from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from everwhen.core.errors import InputError
from everwhen.core.retries import RefusedError
from everwhen.evaluate.retrieval.vectors import Vector, embed_texts


class Counting:
    """Gives each text a vector of its length and its number of vowels, and remembers what it was asked.

    It fails after `left` requests.
    """

    def __init__(self, model: str = "m", left: int = 99, size: int = 2) -> None:
        self.model = model
        self.left = left
        self.size = size
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not self.left:
            raise RefusedError("no more")
        self.left -= 1
        self.asked.append(list(texts))
        return [np.array([len(text), *[0.1] * (self.size - 1)], dtype=np.float32) for text in texts]


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    path, embedder = tmp_path / "vectors", Counting()
    first = embed_texts(["a", "bb", "a", "ccc"], embedder, path, batch=2)
    assert embedder.asked == [["a", "bb"], ["ccc"]]
    assert first[:, 0].tolist() == [1, 2, 1, 3]
    again = embed_texts(["ccc", "dddd", "a"], embedder, path)
    assert embedder.asked[2:] == [["dddd"]]
    assert again.tolist() == np.array([[3, 0.1], [4, 0.1], [1, 0.1]], dtype=np.float32).tolist()
    assert len(path.read_bytes().splitlines()) == 4


def test_what_came_before_a_failure_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    with pytest.raises(RefusedError):
        embed_texts(["a", "b", "c"], Counting(left=1), path, batch=2)
    embedder = Counting()
    embed_texts(["a", "b", "c"], embedder, path, batch=2)
    assert embedder.asked == [["c"]]


def test_a_vector_that_was_cut_off_is_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    embed_texts(["a", "b"], Counting(), path)
    path.write_bytes(path.read_bytes()[:-5])
    embedder = Counting()
    assert embed_texts(["a", "b"], embedder, path)[:, 0].tolist() == [1, 1]
    assert embedder.asked == [["b"]]


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    embed_texts(["a"], Counting("m"), tmp_path / "vectors")
    other = Counting("n")
    embed_texts(["a"], other, tmp_path / "vectors")
    assert other.asked == [["a"]]


def test_blank_texts_are_not_sent_and_their_rows_are_zero(tmp_path: Path) -> None:
    embedder = Counting()
    found = embed_texts(["", "a", " \n"], embedder, tmp_path / "vectors")
    assert (embedder.asked, found.any(axis=1).tolist()) == ([["a"]], [False, True, False])
    assert embed_texts([""], embedder, tmp_path / "vectors").shape == (1, 0)


def test_progress_begins_with_what_is_known(tmp_path: Path) -> None:
    embed_texts(["a"], Counting(), tmp_path / "vectors")
    steps: list[tuple[int, int]] = []
    embed_texts(["a", "b", "c"], Counting(), tmp_path / "vectors", batch=1, report=lambda *step: steps.append(step))
    assert steps == [(1, 3), (2, 3), (3, 3)]


def test_a_model_that_has_changed_is_noticed(tmp_path: Path) -> None:
    embed_texts(["a"], Counting(size=2), tmp_path / "vectors")
    with pytest.raises(InputError, match="vectors: vectors of 2 and 3 numbers; the model has changed"):
        embed_texts(["a", "b"], Counting(size=3), tmp_path / "vectors")


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        "no json",
        '{"key": ["a"], "vector": ""}',
        '{"key": "KEY", "vector": "###"}',
        '{"key": "KEY", "vector": "AAA="}',
        '{"key": "KEY", "vector": 1}',
        '{"key": "KEY"}',
    ],
)
def test_another_file_is_refused_by_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "vectors"
    embed_texts(["a"], Counting(), path)
    key = path.read_text().split('"')[3]
    path.write_text(f"{path.read_text()}{line.replace('KEY', key)}\n")
    before = path.read_bytes()
    with pytest.raises(InputError, match="vectors:2: not a line of vectors"):
        embed_texts(["a", "b"], Counting(), path)
    assert path.read_bytes() == before
